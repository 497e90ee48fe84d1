// Messages of shared books, invitations, the activity at the user's doors, and scopes of tokens.
import { plural } from './text';
import { meanings, roles } from './roles';

export const books = {
  title: 'Contabilidades',
  yours: 'Tu contabilidad',
  of: (email: string) => `Contabilidad de ${email}`,
  current: 'abierta ahora',
  switch: 'Cambiar de contabilidad',
  here: 'Contabilidad de',
  roles,
  onlyLook: 'Solo puedes ver esta contabilidad',
  onlyLookText: (email: string) => `Para anotar o cambiar algo aquí, pide a ${email} que te haga contable.`,
  needsFull: 'Solo alguien con acceso completo a esta contabilidad puede cambiar esto.',
  needsFullToExport: 'Solo alguien con acceso completo a esta contabilidad puede exportarla.',
  gone: 'Esa contabilidad ya no se comparte contigo. Has vuelto a la tuya.',
  back: 'Volver al panel',
};

export const invitation = {
  title: 'Invitación',
  text: (email: string) => `${email} te invita a trabajar en su contabilidad en Farthing, donde lleva las cuentas.`,
  handOver: (email: string) => `${email} quiere cederte su contabilidad.`,
  asRole: 'Tu papel:',
  meaning: {
    ...meanings,
    owner:
      'Esta contabilidad sustituye a la tuya, que tiene que estar vacía. El propietario actual conserva el acceso completo.',
  } as Record<string, string>,
  accept: 'Aceptar',
  takeOver: 'Hacerme cargo de la contabilidad',
  acceptAs: (email: string) => `Has iniciado sesión como ${email}.`,
  signIn: 'Iniciar sesión para aceptar',
  register: '¿Es tu primera vez? Crea un usuario',
  registerText: 'También tendrás una contabilidad propia, vacía.',
  create: 'Crear usuario y aceptar',
  noRegister: 'Si aún no tienes usuario aquí, pide a la persona que gestiona esta instalación que te cree uno.',
  failed: 'Esta invitación ya se ha usado, se ha retirado o ha caducado. Pide otra.',
  missing: 'Este enlace está incompleto. Cópialo entero.',
  own: 'Esta invitación es para tu propia contabilidad. Envía el enlace a la persona a quien va dirigido.',
  home: 'Ir a tu contabilidad',
  toSignIn: 'Ir a la página de inicio de sesión',
  accepted: (email: string) => `Ahora trabajas en la contabilidad de ${email}.`,
};

export const newDevice = {
  title: '¿Has sido tú?',
  text: (device: string, address: string, when: string) =>
    `Nuevo inicio de sesión con ${device}${address ? ` desde ${address}` : ''}, ${when}.`,
  others: (count: number) => `${count} más`,
  yes: 'Sí, he sido yo',
  no: 'No: cerrar las demás sesiones',
  signedOut: 'Se han cerrado todas las demás sesiones. Cambia ahora tu contraseña y revisa tus tokens.',
};

export const scopes = {
  legend: 'Áreas',
  all: 'Todas las áreas',
  some: 'Solo algunas áreas',
  group: 'Área',
  levels: { '': 'Nada', read: 'Ver', write: 'Cambiar' } as Record<string, string>,
  groups: {
    accounts: 'Cuentas y huchas',
    transactions: 'Movimientos y búsqueda',
    attachments: 'Archivos adjuntos',
    bills: 'Recibos y movimientos recurrentes',
    budgets: 'Presupuestos',
    labels: 'Categorías y etiquetas',
    rules: 'Reglas',
    reports: 'Informes, gráficos, panel',
    imports: 'Importaciones',
    exports: 'Exportaciones',
    settings: 'Ajustes, monedas, tipos de cambio',
    notices: 'Avisos',
    webhooks: 'Webhooks',
    changes: 'Cambios y deshacerlos',
    users: 'Usuarios de esta instalación',
  } as Record<string, string>,
  choose: 'Elige al menos un área.',
  networks: 'Solo desde estas redes',
  networksHint: 'Por ejemplo, 192.168.1.0/24. Separa varias con comas. Déjalo vacío para permitirlas todas.',
  books: '¿En qué contabilidad?',
  limited: (count: number) => `Limitado a ${plural(count, 'área', 'áreas')}`,
  list: (areas: string[]) => areas.join(', '),
  area: (group: string, level: string) => `${group} (${level})`,
  from: (networks: string[]) => `Solo desde ${networks.join(', ')}`,
  inBooks: (email: string) => `En la contabilidad de ${email}`,
  inLostBooks: 'En una contabilidad que ya no se comparte contigo',
};
