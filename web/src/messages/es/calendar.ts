// Textos del calendario.
export const calendar = {
  title: 'Calendario',
  views: { label: 'Vista', month: 'Mes', week: 'Semana', agenda: 'Lista' },
  hint: 'Arrastra un movimiento recurrente a otro día, o pulsa sobre él Alt y una flecha. Pulsa en un día para añadir un movimiento. En gris, tu patrimonio neto al final del día.',
  add: 'Añadir',
  addOn: (day: string) => `Añadir un movimiento el ${day}`,
  moveWhat: (name: string) => `Mover ${name}`,
  limitEnds: (name: string) => `Termina el límite de ${name}`,
  nothing: 'En este mes no ha pasado nada ni se espera nada.',
  today: 'Hoy',
  earned: 'Entradas: ',
  spent: 'Salidas: ',
  worth: 'Patrimonio neto: ',
  states: { due: 'vence hoy', overdue: 'vencido', paid: 'pagado', probable: 'probablemente pagado' },
  subscribe: 'Suscribirse…',
  subscribeText:
    'Una aplicación de calendario en tu teléfono u ordenador puede mostrar tus recibos y movimientos recurrentes. Necesita una dirección, que no muestra nada más.',
  makeAddress: 'Crear dirección',
  addressMade: 'Copia ahora la dirección en tu aplicación de calendario. No se volverá a mostrar.',
  address: 'Dirección del calendario',
  tokenName: 'Aplicación de calendario',
  revokeText:
    'Quien tenga la dirección puede ver lo que está por venir. Para terminar la suscripción, revoca su token:',
  revokeLink: 'Tokens de API',
};
