// Textes du calendrier.
export const calendar = {
  title: 'Calendrier',
  views: { label: 'Affichage', month: 'Mois', week: 'Semaine', agenda: 'Liste' },
  hint: 'Faites glisser une opération récurrente vers un autre jour, ou appuyez sur Alt et une flèche. Cliquez sur un jour pour ajouter une opération. En gris, votre patrimoine net en fin de journée.',
  add: 'Ajouter',
  addOn: (day: string) => `Ajouter une opération le ${day}`,
  moveWhat: (name: string) => `Déplacer ${name}`,
  limitEnds: (name: string) => `Fin de la limite de ${name}`,
  nothing: 'Rien ne s’est passé ce mois-ci et rien n’est prévu.',
  today: 'Aujourd’hui',
  earned: 'Entrées : ',
  spent: 'Sorties : ',
  worth: 'Patrimoine net : ',
  states: { due: 'à payer', overdue: 'en retard', paid: 'payée', probable: 'probablement payée' },
  subscribe: 'S’abonner…',
  subscribeText:
    'Une application de calendrier sur votre téléphone ou votre ordinateur peut afficher vos échéances et vos opérations récurrentes. Il lui faut une adresse, qui ne montre rien d’autre.',
  makeAddress: 'Créer l’adresse',
  addressMade: 'Copiez maintenant l’adresse dans votre application de calendrier. Elle ne sera plus affichée.',
  address: 'Adresse du calendrier',
  tokenName: 'Application de calendrier',
  revokeText:
    'Toute personne qui a cette adresse voit ce qui est prévu. Pour mettre fin à l’abonnement, révoquez son jeton :',
  revokeLink: 'Jetons d’API',
};
