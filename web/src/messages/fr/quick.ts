// Messages of the keypad, and of what other apps share.
export const quick = {
  title: 'Saisie rapide',
  keypad: 'Montant',
  erase: 'Effacer le dernier chiffre',
  payees: 'Enregistrer comme dépense chez',
  other: 'Autre …',
  share: {
    title: 'Fichiers partagés',
    record: 'Nouvelle opération avec ces fichiers',
    bring: 'Importer',
    none: 'Rien n’a été partagé',
    noneText: 'Partagez un reçu ou un fichier bancaire avec Farthing depuis une autre application.',
    missed: 'Farthing n’était pas encore prêt. Partagez le fichier une nouvelle fois.',
  },
};
