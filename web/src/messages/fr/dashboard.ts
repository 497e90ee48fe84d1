// Messages of the dashboard.
import { plural, whole } from './text';

export const dashboard = {
  title: 'Tableau de bord',
  loading: 'Chargement du tableau de bord…',
  unknownProxy: {
    title: 'Un proxy n’est pas encore reconnu',
    text: (address: string) =>
      `Des requêtes passent par ${address}, mais le serveur ne lui fait pas confiance. Tous ceux qui sont derrière partagent donc une même limite de connexions, qu’un inconnu peut épuiser. Si c’est votre proxy, ajoutez ce réglage et redémarrez le serveur :`,
    otherwise:
      'Sinon, quelqu’un a envoyé de faux en-têtes de proxy. Ils ont été ignorés, et cet avis disparaît au bout d’une semaine.',
  },
  figures: {
    label: 'Cette période',
    earned: 'Revenus',
    spent: 'Dépenses',
    balance: 'Différence',
    used: (code: string) => `Part dépensée du montant à dépenser en ${code}`,
  },
  lead: {
    label: 'En bref',
    canSpend: 'Vous pouvez encore dépenser',
    until: (day: string) => `jusqu’au ${day}`,
    over: 'Vous avez dépassé le montant prévu de',
    wasLeft: (day: string) => `de reste sur le montant prévu jusqu’au ${day}`,
    wasOver: (day: string) => `de dépassement sur le montant prévu jusqu’au ${day}`,
    more: (first: string) => `d’excédent des revenus sur les dépenses depuis le ${first}`,
    less: (first: string) => `d’excédent des dépenses sur les revenus depuis le ${first}`,
    setBudget: 'Prévoir ce que vous pouvez dépenser',
  },
  cards: {
    figures: 'Revenus et dépenses',
    net_worth: 'Patrimoine net',
    bills: 'Factures à payer',
    recent: 'Dernières opérations',
    accounts: 'Comptes',
    coming: 'Les prochaines semaines',
    report: 'Rapport',
  },
  arrange: {
    title: 'Réorganiser le tableau de bord',
    cards: 'Cartes',
    show: (name: string) => `Afficher ${name}`,
    saved: 'Tableau de bord réorganisé.',
    reports: 'Enregistrez un rapport pour en faire une carte.',
    toReports: 'Aller aux rapports',
    none: 'Toutes les cartes sont masquées.',
  },
  worth: {
    title: 'Patrimoine net',
    chart: (code: string) => `Évolution du patrimoine net en ${code}`,
    in: (code: string) => `Patrimoine net en ${code}`,
    nothing: 'Votre patrimoine net s’affiche ici dès qu’un compte a un solde.',
  },
  balances: {
    title: 'Comptes',
    all: 'Tous les comptes',
    nothing: 'Aucun compte pour l’instant.',
    more: (count: number) => `Et ${plural(count, 'autre compte', 'autres comptes')}.`,
  },
  bills: {
    title: 'Factures à payer',
    all: 'Toutes les factures',
    due: 'À payer aujourd’hui',
    late: (days: number) => `${plural(days, 'jour', 'jours')} de retard`,
    longAgo: (count: number, days: number) =>
      `${plural(count, 'échéance', 'échéances')} en retard de plus de ${whole(days)} jours`,
    more: (count: number) => `Et ${plural(count, 'autre échéance', 'autres échéances')} à payer`,
    nothing: 'Rien à payer.',
  },
  timeline: {
    title: (days: number) => `Les ${whole(days)} prochains jours`,
    today: 'aujourd’hui',
    kinds: { bill: 'Facture', recurrence: 'Récurrente' },
    paidBy: (recurrence: string, day: string) => `payée par « ${recurrence} » le ${day}`,
    willPay: (recurrence: string, day: string) => `sera payée par « ${recurrence} » le ${day}`,
    pays: (bill: string) => `paie la facture « ${bill} »`,
    moved: { hand: 'date déplacée', weekend: 'date déplacée : week-end', holiday: 'date déplacée : jour férié' },
    nothing: 'Rien n’est prévu.',
    begin: 'Ajouter une opération récurrente',
    more: (count: number) => `Afficher ${plural(count, 'autre', 'autres')}`,
    less: 'Afficher moins',
  },
  recent: {
    title: 'Dernières opérations',
    all: 'Toutes les opérations',
    nothing: 'Aucune opération pour l’instant.',
  },
  firstSteps: {
    title: 'Trois étapes pour commencer',
    done: 'fait',
    account: {
      title: 'Votre premier compte',
      text: 'Le compte que vous utilisez tous les jours, et son solde actuel.',
      action: 'Ajouter un compte',
    },
    transaction: {
      title: 'Votre première opération',
      text: 'Votre dernier achat. Il suffit d’un montant et d’un magasin.',
      action: 'Saisir une opération',
    },
    bring: {
      title: 'Apportez vos données',
      text: 'Ou commencez par les fichiers de votre banque ou d’un autre programme.',
      action: 'Importer des fichiers',
    },
    bill: {
      title: 'Votre première facture récurrente',
      text: 'Loyer, téléphone ou assurance. Farthing vous prévient de l’échéance et reconnaît le paiement.',
      action: 'Ajouter une facture',
    },
  },
};
