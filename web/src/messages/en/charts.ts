// Messages of charts.
export const charts = {
  kind: 'chart',
  showTable: 'Show as table',
  hideTable: 'Hide table',
  since: (name: string) => `since ${name}`,
  spoken: (name: string, values: string[]) => `${name}: ${values.join('; ')}`,
  value: (label: string, amount: string) => `${label} ${amount}`,
  changed: (amount: string, change: string, since: string) => `${amount}, ${change} since ${since}`,
  total: 'Total',
  time: 'Period',
  every: {
    week: 'One point per week.',
    month: 'One point per month.',
    quarter: 'One point per quarter.',
    year: 'One point per year.',
  },
  unbooked: (day: string) => `Nothing was booked up to ${day}.`,
  zero: 'The balance was zero throughout this time.',
  flow: {
    fromTo: 'From → to',
    amount: 'Amount',
    node: (name: string, amount: string, percent: string) => `${name}: ${amount}, ${percent}`,
  },
};
