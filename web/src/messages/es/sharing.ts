// Messages of shared books and invitations.

const roles: Record<string, string> = {
  owner: 'Propietario',
  full: 'Acceso completo',
  bookkeeper: 'Contable',
  viewer: 'Observador',
};

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

export const sharing = {
  membersOf: (email: string) => `Quién puede abrir la contabilidad de ${email}`,
  members: 'Quién puede abrir tu contabilidad',
  hint: 'Cada uno entra con su propio usuario. En Ajustes › Cambios se ve quién ha hecho qué.',
  nobody: 'Nadie más tiene acceso a esta contabilidad todavía.',
  role: 'Papel',
  since: 'Desde',
  meaning: {
    viewer: 'Lo ve todo, pero no puede cambiar nada.',
    bookkeeper: 'Anota y corrige todo, pero no puede eliminar cuentas, exportar, invitar ni cambiar ajustes.',
    full: 'Puede hacer todo lo que puede el propietario, menos ceder la contabilidad.',
  } as Record<string, string>,
  roleOf: (email: string) => `Papel de ${email}`,
  roleChanged: (email: string, role: string) => `Nuevo papel de ${email}: ${roles[role] ?? role}.`,
  end: 'Quitar',
  endNamed: (email: string) => `Quitar a ${email}`,
  endAsk: (email: string) => `${email} pierde al momento el acceso a esta contabilidad. Lo que ha anotado se queda.`,
  ended: (email: string) => `${email} ya no tiene acceso a esta contabilidad.`,
  invite: 'Invitar a alguien',
  name: '¿Para quién es?',
  nameHint: 'Un nombre para tu propia lista, como Sam.',
  makeLink: 'Crear enlace de invitación',
  linkMade: (name: string, until: string) =>
    `Envía este enlace a ${name}. Sirve una vez y caduca el ${until}. No se volverá a mostrar.`,
  link: 'Enlace de invitación',
  open: 'Invitaciones pendientes',
  until: (when: string) => `el enlace caduca el ${when}`,
  takeBack: 'Retirar',
  takeBackNamed: (name: string) => `Retirar la invitación para ${name}`,
  takenBack: 'Invitación retirada.',
  handOver: 'Ceder esta contabilidad',
  handOverOpen: 'Elegir un nuevo propietario',
  handOverText:
    'Quien abra el enlace y acepte será el propietario de esta contabilidad. Tú conservas el acceso completo. Tiene que ser usuario de esta instalación y tener vacía su propia contabilidad.',
  handOverWarning: 'Una vez aceptada, solo el nuevo propietario puede devolverte la contabilidad.',
  handOverLink: 'Crear enlace de cesión',
  handOverName: '¿Quién es el nuevo propietario?',
  withMe: 'Contabilidades compartidas contigo',
  withMeNone:
    'Nadie comparte una contabilidad contigo todavía. Cuando alguien te envíe un enlace de invitación, ábrelo para trabajar en la suya.',
  go: 'Abrir',
  goNamed: (email: string) => `Abrir la contabilidad de ${email}`,
  leave: 'Dejar',
  leaveNamed: (email: string) => `Dejar la contabilidad de ${email}`,
  leaveAsk: (email: string) => `No podrás volver a abrir la contabilidad de ${email} salvo que te invite de nuevo.`,
  left: (email: string) => `Has dejado la contabilidad de ${email}.`,
};

export const invitation = {
  title: 'Invitación',
  text: (email: string) => `${email} te invita a trabajar en su contabilidad en Farthing, donde lleva las cuentas.`,
  handOver: (email: string) => `${email} quiere cederte su contabilidad.`,
  asRole: 'Tu papel:',
  meaning: {
    ...sharing.meaning,
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
