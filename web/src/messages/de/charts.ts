// Messages of charts.
import type { Messages } from '../loading';

export const charts: Messages['charts'] = {
  kind: 'Diagramm',
  showTable: 'Als Tabelle zeigen',
  hideTable: 'Tabelle ausblenden',
  since: (name) => `seit ${name}`,
  spoken: (name, values) => `${name}: ${values.join('; ')}`,
  value: (label, amount) => `${label} ${amount}`,
  changed: (amount, change, since) => `${amount}, ${change} seit ${since}`,
  total: 'Summe',
  time: 'Zeitraum',
  every: {
    week: 'Ein Punkt pro Woche.',
    month: 'Ein Punkt pro Monat.',
    quarter: 'Ein Punkt pro Quartal.',
    year: 'Ein Punkt pro Jahr.',
  },
  unbooked: (day) => `Bis ${day} wurde nichts gebucht.`,
  zero: 'Der Saldo war die ganze Zeit null.',
  flow: {
    fromTo: 'Von → nach',
    amount: 'Betrag',
    node: (name, amount, percent) => `${name}: ${amount}, ${percent}`,
  },
};
