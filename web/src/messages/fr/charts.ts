// Messages of charts.

/** `depuis le 3 mars`, but `depuis mars 2026` and `depuis 2026`. */
const since = (name: string): string => `depuis ${/^\d{1,2}\D/.test(name) ? 'le ' : ''}${name}`;

export const charts = {
  kind: 'graphique',
  showTable: 'Afficher le tableau',
  hideTable: 'Masquer le tableau',
  since,
  spoken: (name: string, values: string[]) => `${name} : ${values.join(' ; ')}`,
  value: (label: string, amount: string) => `${label} ${amount}`,
  changed: (amount: string, change: string, first: string) => `${amount}, ${change} ${since(first)}`,
  total: 'Total',
  time: 'Période',
  every: {
    week: 'Un point par semaine.',
    month: 'Un point par mois.',
    quarter: 'Un point par trimestre.',
    year: 'Un point par an.',
  },
  unbooked: (day: string) => `Aucune opération jusqu’au ${day}.`,
  zero: 'Le solde est resté nul pendant toute cette période.',
  flow: {
    fromTo: 'De → vers',
    amount: 'Montant',
    node: (name: string, amount: string, percent: string) => `${name} : ${amount}, ${percent}`,
  },
};
