// Messages of what people type: dates and amounts.
import type { Messages } from '../loading';

type Typed = typeof import('../en/entry').typed;

export const typed: { [Key in keyof Typed]: Messages[Key] } = {
  dates: {
    open: 'Kalender öffnen',
    calendar: 'Kalender',
    today: 'Heute',
    previousMonth: 'Voriger Monat',
    nextMonth: 'Nächster Monat',
    writeLike: (example) => `Schreiben Sie es wie ${example}, oder „heute“, „-1“ für gestern, „15“ für den 15.`,
    tooEarly: (day) => `Wählen Sie den ${day} oder einen späteren Tag.`,
    tooLate: (day) => `Wählen Sie den ${day} oder einen früheren Tag.`,
  },
  every: { range: (max) => `Geben Sie eine ganze Zahl von 1 bis ${max} ein.` },
  currencies: { used: 'Verwendet', others: 'Andere' },
  arithmetic: {
    number: (text) => `„${text}“ ist keine Zahl.`,
    unfinished: 'Die Rechnung ist nicht vollständig.',
    brackets: 'Eine Klammer fehlt.',
    zero: 'Durch null lässt sich nicht teilen.',
    long: 'Die Rechnung ist zu lang.',
  },
};
