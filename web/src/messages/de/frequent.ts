// What every page says of imports, rules and recurring transactions; the other texts of these come with their pages.

export const frequent = {
  imports: {
    title: 'Import',
    bring: {
      title: 'Bringen Sie Ihre Daten mit',
      text: 'Dateien Ihrer Bank: CSV, OFX, QFX, QIF, CAMT oder MT940. Sie können jede Zeile prüfen, bevor etwas gebucht wird.',
      programs:
        'Oder alle Ihre Daten aus einem anderen Programm: Firefly III, Actual, GnuCash, YNAB, hledger, Beancount, Mint oder Lunch Money.',
      choose: 'Dateien wählen',
      drop: 'oder irgendwo in Farthing ablegen',
      dropNow: 'Zum Importieren loslassen',
      uploading: (name: string, percent: number) => `${name} wird hochgeladen, ${percent} %`,
      cancel: 'Hochladen abbrechen',
      tooLarge: (name: string) => `„${name}“ ist größer, als diese Installation erlaubt.`,
      partly: (name: string, reason: string) => `„${name}“ wurde nicht hinzugefügt: ${reason}`,
    },
  },
  rules: {
    title: 'Regeln',
    newTitle: 'Neue Regel',
    editTitle: 'Regel bearbeiten',
    tryTitle: 'Regel ausprobieren',
    tryGroupTitle: 'Regelgruppe ausprobieren',
  },
  recurrences: {
    title: 'Dauerbuchungen',
    newTitle: 'Neue Dauerbuchung',
    editTitle: 'Dauerbuchung bearbeiten',
    noAccount: 'Legen Sie zuerst ein eigenes Konto an.',
    makeAccount: 'Konto anlegen',
  },
};
