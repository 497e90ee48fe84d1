// Messages of shared books, invitations, the activity at the user's doors, and scopes of tokens.
import { de, plural, whole } from './text';
import { meanings, roles } from './roles';

export const books = {
  title: 'Comptabilités',
  yours: 'Votre propre comptabilité',
  of: (email: string) => `Comptabilité ${de(email)}`,
  current: 'ouverte',
  switch: 'Changer de comptabilité',
  here: 'Comptabilité :',
  roles,
  onlyLook: 'Vous pouvez seulement consulter cette comptabilité',
  onlyLookText: (email: string) =>
    `Pour saisir ou modifier quelque chose ici, demandez à ${email} de vous donner le rôle « Saisie ».`,
  needsFull: 'Seule une personne ayant l’accès complet à cette comptabilité peut modifier cela.',
  needsFullToExport: 'Seule une personne ayant l’accès complet à cette comptabilité peut l’exporter.',
  gone: 'Cette comptabilité n’est plus partagée avec vous. Vous êtes revenu dans la vôtre.',
  back: 'Retour au tableau de bord',
};

export const invitation = {
  title: 'Invitation',
  text: (email: string) =>
    `${email} vous invite à travailler dans sa comptabilité Farthing, où cette personne suit son argent.`,
  handOver: (email: string) => `${email} souhaite vous céder sa comptabilité.`,
  asRole: 'Votre rôle :',
  meaning: {
    ...meanings,
    owner: 'Cette comptabilité remplace la vôtre, qui doit être vide. Le propriétaire actuel garde l’accès complet.',
  } as Record<string, string>,
  accept: 'Accepter',
  takeOver: 'Reprendre cette comptabilité',
  acceptAs: (email: string) => `Vous êtes connecté en tant que ${email}.`,
  signIn: 'Se connecter pour accepter',
  register: 'Nouveau ici ? Créez un utilisateur',
  registerText: 'Vous recevez aussi votre propre comptabilité, vide.',
  create: 'Créer l’utilisateur et accepter',
  noRegister:
    'Si vous n’avez pas encore d’utilisateur ici, demandez à la personne qui gère cette installation d’en créer un.',
  failed: 'Cette invitation a déjà servi, a été retirée ou a expiré. Demandez-en une nouvelle.',
  missing: 'Ce lien est incomplet. Copiez-le en entier.',
  own: 'Cette invitation concerne votre propre comptabilité. Envoyez le lien à la personne à qui il est destiné.',
  home: 'Aller à votre comptabilité',
  toSignIn: 'Aller à la page de connexion',
  accepted: (email: string) => `Vous travaillez maintenant dans la comptabilité ${de(email)}.`,
};

export const newDevice = {
  title: 'Était-ce vous ?',
  text: (device: string, address: string, when: string) =>
    `Nouvelle connexion avec ${device}${address ? ` depuis ${address}` : ''}, le ${when}.`,
  others: (count: number) => `${whole(count)} de plus`,
  yes: 'Oui, c’était moi',
  no: 'Non : déconnecter tous les autres appareils',
  signedOut: 'Toutes les autres sessions sont terminées. Changez maintenant votre mot de passe et vérifiez vos jetons.',
};

export const scopes = {
  legend: 'Domaines',
  all: 'Tous les domaines',
  some: 'Certains domaines seulement',
  group: 'Domaine',
  levels: { '': 'Aucun accès', read: 'Voir', write: 'Modifier' } as Record<string, string>,
  groups: {
    accounts: 'Comptes et tirelires',
    transactions: 'Opérations et recherche',
    attachments: 'Pièces jointes',
    bills: 'Factures et opérations récurrentes',
    budgets: 'Budgets',
    labels: 'Catégories et étiquettes',
    rules: 'Règles',
    reports: 'Rapports, graphiques, tableau de bord',
    imports: 'Imports',
    exports: 'Exports',
    settings: 'Paramètres, devises, taux de change',
    notices: 'Notifications',
    webhooks: 'Webhooks',
    changes: 'Historique et annulation',
    users: 'Utilisateurs de cette installation',
  } as Record<string, string>,
  choose: 'Choisissez au moins un domaine.',
  networks: 'Seulement depuis ces réseaux',
  networksHint:
    'Par exemple 192.168.1.0/24. Séparez-les par des virgules s’il y en a plusieurs. Laissez vide pour tout autoriser.',
  books: 'Dans quelle comptabilité ?',
  limited: (count: number) => `Limité à ${plural(count, 'domaine', 'domaines')}`,
  list: (areas: string[]) => areas.join(', '),
  area: (group: string, level: string) => `${group} (${level})`,
  from: (networks: string[]) => `Seulement depuis ${networks.join(', ')}`,
  inBooks: (email: string) => `Dans la comptabilité ${de(email)}`,
  inLostBooks: 'Dans une comptabilité qui n’est plus partagée avec vous',
};
