// What every page says of imports, rules and recurring transactions; the other texts of these come with their pages.

export const frequent = {
  imports: {
    title: 'Importeren',
    bring: {
      title: 'Je gegevens meenemen',
      text: 'Bestanden van je bank: CSV, OFX, QFX, QIF, CAMT of MT940. Je kunt elke rij controleren voordat er iets wordt geboekt.',
      programs:
        'Of al je gegevens uit een ander programma: Firefly III, Actual, GnuCash, YNAB, hledger, Beancount, Mint of Lunch Money.',
      choose: 'Bestanden kiezen',
      drop: 'of zet ze waar dan ook in Farthing neer',
      dropNow: 'Loslaten om te importeren',
      uploading: (name: string, percent: number) => `${name} uploaden, ${percent}%`,
      cancel: 'Upload annuleren',
      tooLarge: (name: string) => `“${name}” is groter dan deze installatie toestaat.`,
      partly: (name: string, reason: string) => `“${name}” is niet toegevoegd: ${reason}`,
    },
  },
  rules: {
    title: 'Regels',
    newTitle: 'Nieuwe regel',
    editTitle: 'Regel bewerken',
    tryTitle: 'Regel uitproberen',
    tryGroupTitle: 'Groep regels uitproberen',
  },
  recurrences: {
    title: 'Terugkerende transacties',
    newTitle: 'Nieuwe terugkerende transactie',
    editTitle: 'Terugkerende transactie bewerken',
    noAccount: 'Voeg eerst een eigen rekening toe.',
    makeAccount: 'Rekening toevoegen',
  },
};
