// Messages of charts.
export const charts = {
  kind: 'gráfico',
  showTable: 'Mostrar como tabla',
  hideTable: 'Ocultar la tabla',
  since: (name: string) => `desde ${name}`,
  spoken: (name: string, values: string[]) => `${name}: ${values.join('; ')}`,
  value: (label: string, amount: string) => `${label} ${amount}`,
  changed: (amount: string, change: string, since: string) => `${amount}, ${change} desde ${since}`,
  total: 'Total',
  time: 'Periodo',
  every: {
    week: 'Un punto por semana.',
    month: 'Un punto por mes.',
    quarter: 'Un punto por trimestre.',
    year: 'Un punto por año.',
  },
  unbooked: (day: string) => `No hay nada anotado hasta el ${day}.`,
  zero: 'El saldo ha sido cero todo este tiempo.',
  flow: {
    fromTo: 'De → a',
    amount: 'Importe',
    node: (name: string, amount: string, percent: string) => `${name}: ${amount}, ${percent}`,
  },
};
