// Messages of the keypad, and of what other apps share.
export const quick = {
  title: 'Schnelle Eingabe',
  keypad: 'Betrag',
  erase: 'Letzte Ziffer löschen',
  payees: 'Als Ausgabe speichern bei',
  other: 'Andere …',
  share: {
    title: 'Geteilte Dateien',
    record: 'Neue Buchung mit diesen Dateien',
    bring: 'Importieren',
    none: 'Es wurde nichts geteilt',
    noneText: 'Teilen Sie aus einer anderen App einen Beleg oder eine Bankdatei mit Farthing.',
    missed: 'Farthing war noch nicht bereit. Teilen Sie die Datei noch einmal.',
  },
};
