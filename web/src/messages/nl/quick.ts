// Messages of the keypad, and of what other apps share.
export const quick = {
  title: 'Snelle invoer',
  keypad: 'Bedrag',
  erase: 'Laatste cijfer wissen',
  payees: 'Opslaan als uitgave bij',
  other: 'Anders …',
  share: {
    title: 'Gedeelde bestanden',
    record: 'Nieuwe transactie met deze bestanden',
    bring: 'Importeren',
    none: 'Er is niets gedeeld',
    noneText: 'Deel een bonnetje of een bankbestand met Farthing vanuit een andere app.',
    missed: 'Farthing was nog niet klaar. Deel het bestand nog een keer.',
  },
};
