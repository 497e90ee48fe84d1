// Messages of the inbox.
import { isSingular, plural, whole } from './text';

const transactions = (count: number): string => plural(count, 'opération', 'opérations');

export const inbox = {
  title: 'À traiter',
  waiting: (count: number, more: boolean) => `${transactions(count)} ${more ? 'ou plus ' : ''}à traiter`,
  badge: (count: number) => `${whole(count)} à traiter`,
  withoutBudget: 'Aussi sans budget',
  empty: 'Rien à traiter',
  emptyText:
    'Les opérations sans catégorie et les lignes des fichiers importés apparaissent ici jusqu’à ce que vous les ayez vues.',
  keys: 'J et K ou les flèches déplacent, A accepte, W montre pourquoi, E choisit une autre catégorie, X refuse.',
  list: 'À traiter, par tiers',
  from: (count: number, payee: string) => (count > 1 ? `${payee} (${whole(count)})` : payee),
  part: (count: number) => `sur ${whole(count)}`,
  imported: 'importée',
  acceptOf: (what: string, payee: string) => `Accepter ${what} pour ${payee}`,
  other: 'Autre',
  otherOf: (payee: string) => `Autre catégorie pour ${payee}`,
  choose: 'Choisir une catégorie',
  chooseOf: (payee: string) => `Choisir une catégorie pour ${payee}`,
  reject: 'Refuser',
  rejectOf: (what: string, payee: string) => `Refuser ${what} pour ${payee}`,
  rejected: 'Refusée. Choisissez une autre catégorie, ou laissez l’opération telle quelle.',
  right: 'C’est juste',
  rightOf: (payee: string) => `${payee} : c’est juste`,
  budget: (name: string) => `Budget ${name}`,
  refund: (purchase: string) => `Remboursement de « ${purchase} »`,
  sure: (percent: string) => `sûr à ${percent}`,
  why: 'D’après',
  noReason: 'Aucune opération antérieure ne ressemble à celle-ci.',
  payee: (name: string) => `Nommer le tiers « ${name} »`,
  merge: (name: string) => `Fusionner avec « ${name} »`,
  payeeDone: (name: string) => `Le tiers est maintenant « ${name} ».`,
  done: (count: number) => plural(count, 'opération classée.', 'opérations classées.'),
  seen: (count: number) => plural(count, 'opération vue.', 'opérations vues.'),
  all: 'Tout accepter…',
  allTitle: 'Accepter les suggestions',
  allText: 'Rien ne change avant que vous n’acceptiez. Les suggestions refusées ne sont pas comprises.',
  atLeast: 'Certitude minimale',
  wouldChange: 'Ce qui changerait',
  nothing: 'Aucune suggestion de cette page n’est aussi sûre.',
  left: (count: number) => `${transactions(count)} ${isSingular(count) ? 'resterait' : 'resteraient'} à traiter.`,
  submit: (count: number) => `Accepter pour ${transactions(count)}`,
  columns: { date: 'Date', what: 'Opération', becomes: 'Devient' },
  rule: {
    title: 'En faire une règle ?',
    text: (payee: string, category: string) =>
      `Vous avez classé trois fois « ${payee} » dans la catégorie « ${category} ». Une règle le fera pour les nouvelles opérations.`,
    starts: (text: string, category: string) =>
      `Trois opérations commençant par « ${text} » ont été classées dans la catégorie « ${category} ». Une règle le fera pour les nouvelles.`,
    create: 'Créer la règle',
    edit: 'Modifier d’abord',
    later: 'Pas maintenant',
  },
};
