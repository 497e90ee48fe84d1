// Messages of the dashboard.
import { plural } from './text';

export const dashboard = {
  title: 'Panel',
  loading: 'El panel se está cargando…',
  unknownProxy: {
    title: 'Hay un proxy que aún no es de confianza',
    text: (address: string) =>
      `Las peticiones llegan a través de ${address}, pero el servidor no confía en esa dirección. Por eso todos los que están detrás comparten un mismo límite de inicios de sesión, y un extraño puede agotarlo. Si es tu proxy, añade este ajuste y reinicia el servidor:`,
    otherwise:
      'Si no lo es, alguien ha enviado cabeceras de proxy falsas. Se han ignorado, y este aviso desaparece al cabo de una semana.',
  },
  figures: {
    label: 'Este periodo',
    earned: 'Ingresos',
    spent: 'Gastos',
    balance: 'Diferencia',
    used: (code: string) => `Parte gastada de lo previsto en ${code}`,
  },
  lead: {
    label: 'De un vistazo',
    canSpend: 'Aún puedes gastar',
    until: (day: string) => `hasta el ${day}`,
    over: 'Has gastado más de lo previsto:',
    wasLeft: (day: string) => `han sobrado de lo previsto hasta el ${day}`,
    wasOver: (day: string) => `por encima de lo previsto hasta el ${day}`,
    more: (first: string) => `más de ingresos que de gastos desde el ${first}`,
    less: (first: string) => `más de gastos que de ingresos desde el ${first}`,
    setBudget: 'Planifica lo que puedes gastar',
  },
  cards: {
    figures: 'Ingresos y gastos',
    net_worth: 'Patrimonio neto',
    bills: 'Recibos por pagar',
    recent: 'Últimos movimientos',
    accounts: 'Cuentas',
    coming: 'Las próximas semanas',
    report: 'Informe',
  },
  arrange: {
    title: 'Organizar el panel',
    cards: 'Tarjetas',
    show: (name: string) => `Mostrar ${name}`,
    saved: 'Se ha guardado la organización del panel.',
    reports: 'Guarda un informe para que tenga su propia tarjeta.',
    toReports: 'Ir a los informes',
    none: 'Todas las tarjetas están ocultas.',
  },
  worth: {
    title: 'Patrimonio neto',
    chart: (code: string) => `Evolución del patrimonio neto en ${code}`,
    in: (code: string) => `Patrimonio neto en ${code}`,
    nothing: 'Tu patrimonio neto aparecerá aquí en cuanto una cuenta tenga saldo.',
  },
  balances: {
    title: 'Cuentas',
    all: 'Todas las cuentas',
    nothing: 'Aún no hay cuentas.',
    more: (count: number) => `Y ${plural(count, 'cuenta', 'cuentas')} más.`,
  },
  bills: {
    title: 'Recibos por pagar',
    all: 'Todos los recibos',
    due: 'Vence hoy',
    late: (days: number) => `vencido hace ${plural(days, 'día', 'días')}`,
    longAgo: (count: number, days: number) =>
      `${plural(count, 'pago venció', 'pagos vencieron')} hace más de ${days} días`,
    more: (count: number) => `Y ${plural(count, 'pago', 'pagos')} más por hacer`,
    nothing: 'No hay nada que pagar.',
  },
  timeline: {
    title: (days: number) => `Los próximos ${days} días`,
    today: 'hoy',
    kinds: { bill: 'Recibo', recurrence: 'Recurrente' },
    paidBy: (recurrence: string, day: string) => `pagado por «${recurrence}» el ${day}`,
    willPay: (recurrence: string, day: string) => `lo pagará «${recurrence}» el ${day}`,
    pays: (bill: string) => `paga el recibo «${bill}»`,
    moved: { hand: 'movido', weekend: 'movido: fin de semana', holiday: 'movido: festivo' },
    nothing: 'No hay nada previsto.',
    begin: 'Añadir un movimiento recurrente',
    more: (count: number) => `Mostrar ${count} más`,
    less: 'Mostrar menos',
  },
  recent: { title: 'Últimos movimientos', all: 'Todos los movimientos', nothing: 'Aún no hay movimientos.' },
  firstSteps: {
    title: 'Tres pasos para empezar',
    done: 'hecho',
    account: {
      title: 'Tu primera cuenta',
      text: 'La cuenta que usas a diario y su saldo actual.',
      action: 'Añadir una cuenta',
    },
    transaction: {
      title: 'Tu primer movimiento',
      text: 'Tu última compra. Basta con un importe y una tienda.',
      action: 'Anotar un movimiento',
    },
    bring: {
      title: 'Trae tus datos',
      text: 'O empieza con archivos de tu banco o de otro programa.',
      action: 'Importar archivos',
    },
    bill: {
      title: 'Tu primer recibo',
      text: 'Alquiler, teléfono o seguro. Farthing te dice cuándo vence y reconoce el pago.',
      action: 'Añadir un recibo',
    },
  },
};
