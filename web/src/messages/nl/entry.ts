// Messages of what people type: dates and amounts.
export const typed = {
  dates: {
    open: 'Kalender openen',
    calendar: 'Kalender',
    today: 'Vandaag',
    previousMonth: 'Vorige maand',
    nextMonth: 'Volgende maand',
    writeLike: (example: string) => `Schrijf het zoals ${example}, of “vandaag”, “-1” voor gisteren, “15” voor de 15e.`,
    tooEarly: (day: string) => `Kies ${day} of later.`,
    tooLate: (day: string) => `Kies ${day} of eerder.`,
  },
  every: { range: (max: number) => `Voer een heel getal van 1 tot en met ${max} in.` },
  currencies: { used: 'In gebruik', others: 'Andere' },
  arithmetic: {
    number: (text: string) => `“${text}” is geen getal.`,
    unfinished: 'De berekening is niet af.',
    brackets: 'Er ontbreekt een haakje.',
    zero: 'Delen door nul kan niet.',
    long: 'De berekening is te lang.',
  },
};
