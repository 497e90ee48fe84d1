// Messages of charts.
export const charts = {
  kind: 'grafiek',
  showTable: 'Als tabel tonen',
  hideTable: 'Tabel verbergen',
  since: (name: string) => `sinds ${name}`,
  spoken: (name: string, values: string[]) => `${name}: ${values.join('; ')}`,
  value: (label: string, amount: string) => `${label} ${amount}`,
  changed: (amount: string, change: string, since: string) => `${amount}, ${change} sinds ${since}`,
  total: 'Totaal',
  time: 'Periode',
  every: {
    week: 'Eén punt per week.',
    month: 'Eén punt per maand.',
    quarter: 'Eén punt per kwartaal.',
    year: 'Eén punt per jaar.',
  },
  unbooked: (day: string) => `Tot en met ${day} is er niets geboekt.`,
  zero: 'Het saldo was deze hele tijd nul.',
  flow: {
    fromTo: 'Van → naar',
    amount: 'Bedrag',
    node: (name: string, amount: string, percent: string) => `${name}: ${amount}, ${percent}`,
  },
};
