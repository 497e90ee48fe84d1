// What every page says of imports, rules and recurring transactions; the other texts of these come with their pages.

export const frequent = {
  imports: {
    title: 'Importer',
    bring: {
      title: 'Apportez vos données',
      text: 'Fichiers de votre banque : CSV, OFX, QFX, QIF, CAMT ou MT940. Vous pouvez vérifier chaque ligne avant que rien ne soit enregistré.',
      programs:
        'Ou toutes vos données d’un autre programme : Firefly III, Actual, GnuCash, YNAB, hledger, Beancount, Mint ou Lunch Money.',
      choose: 'Choisir des fichiers',
      drop: 'ou déposez-les n’importe où dans Farthing',
      dropNow: 'Déposez pour importer',
      uploading: (name: string, percent: number) => `Envoi de ${name}, ${percent} %`,
      cancel: 'Interrompre l’envoi',
      tooLarge: (name: string) => `« ${name} » dépasse la taille permise par cette installation.`,
      partly: (name: string, reason: string) => `« ${name} » n’a pas été ajouté : ${reason}`,
    },
  },
  rules: {
    title: 'Règles',
    newTitle: 'Nouvelle règle',
    editTitle: 'Modifier la règle',
    tryTitle: 'Essayer une règle',
    tryGroupTitle: 'Essayer un groupe de règles',
  },
  recurrences: {
    title: 'Opérations récurrentes',
    newTitle: 'Nouvelle opération récurrente',
    editTitle: 'Modifier l’opération récurrente',
    noAccount: 'Ajoutez d’abord un compte à vous.',
    makeAccount: 'Ajouter un compte',
  },
};
