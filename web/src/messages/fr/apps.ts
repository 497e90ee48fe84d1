// Messages of apps of others: asking for access, and what has access.
import { de } from './text';

export const apps = {
  consent: {
    title: (name: string) => `Donner à ${name} accès à votre comptabilité ?`,
    waiting: 'Une application demande un accès',
    signedInAs: (email: string) => `Vous êtes connecté en tant que ${email}.`,
    allows: (name: string) => `${name} demande cet accès :`,
    mine: 'Vous avez vous-même déclaré cette application.',
    notMine: 'Le propriétaire de cette installation a déclaré cette application.',
    leadsTo: {
      site: (host: string) => `Vous reviendrez ensuite sur ${host}.`,
      open_site: (host: string) =>
        `Vous reviendrez ensuite sur ${host}. Cette adresse n’est pas chiffrée : d’autres personnes du même réseau pourraient lire ce qui lui est envoyé.`,
      device: (host: string) => `Vous reviendrez ensuite à un programme sur cet appareil (${host}).`,
      app: (scheme: string) => `Vous reviendrez ensuite à une application sur cet appareil (${scheme}:).`,
    } as Record<string, (name: string) => string>,
    readOnly: 'Autoriser seulement la lecture',
    books: 'Dans cette comptabilité',
    ownBooks: (email: string) => `La vôtre (${email})`,
    password: 'Votre mot de passe',
    passwordHint: 'Votre connexion date de plus de dix minutes.',
    signInAgain:
      'Votre connexion date de plus de dix minutes et vous n’avez pas de mot de passe. Reconnectez-vous d’abord.',
    allow: 'Autoriser',
    deny: 'Refuser',
    later: 'Vous pouvez y mettre fin à tout moment dans les paramètres, sous Applications.',
    leaving: 'Retour à l’application…',
    left: 'Si rien ne se passe, ouvrez-la vous-même. Vous pourrez ensuite fermer cette page.',
    open: 'Ouvrir l’application',
    otherUser: 'Changer d’utilisateur',
    wrong: 'Impossible de donner accès à cette application',
    wrongHint:
      'L’application n’a reçu aucun accès. Prévenez ses auteurs, ou vérifiez comment elle est déclarée dans les paramètres, sous Applications.',
    repeated: (name: string) => `La demande de l’application contient ${name} deux fois.`,
    home: 'Aller à votre comptabilité',
  },
  access: 'Applications ayant accès',
  accessHint: 'Ces applications peuvent utiliser votre comptabilité sans votre mot de passe.',
  noAccess: 'Aucune application n’a accès.',
  allowsNamed: 'Elle peut',
  since: 'Depuis',
  otherBooks: (email: string) => `Dans la comptabilité ${de(email)}`,
  confirmRevoke: (name: string) =>
    `Mettre fin à l’accès ${de(name)} ? L’effet est immédiat. L’application pourra refaire une demande plus tard.`,
  endAccess: 'Mettre fin à l’accès',
  endNamed: (name: string) => `Mettre fin à l’accès ${de(name)}`,
  ended: 'Accès terminé.',
  registered: 'Applications que vous avez déclarées',
  registeredHint:
    'Une application doit être déclarée avant de pouvoir demander un accès. Sa documentation indique ce qu’il faut saisir ci-dessous.',
  noneRegistered: 'Vous n’avez déclaré aucune application.',
  clientId: 'Identifiant client',
  addresses: 'Adresses de retour',
  addressesOf: (name: string) => `Adresses ${de(name)}`,
  addressesHint:
    'Là où l’application reçoit votre réponse (redirect URIs). Une par ligne, exactement comme l’application les utilise.',
  kind: 'Où elle s’exécute',
  kinds: {
    public: 'Sur un appareil ou dans un navigateur',
    confidential: 'Sur un serveur, avec un secret',
  } as Record<string, string>,
  versionHint:
    'La plupart des applications actuelles utilisent la version 6. À une adresse sous /v6, toutes reçoivent la version 6.',
  kindHint: 'Seul un programme sur un serveur peut garder un secret. Tous les autres utilisent PKCE.',
  everybody: 'Pour tous les utilisateurs de cette installation',
  forEverybody: 'pour tous',
  newApp: 'Déclarer une application',
  appName: 'Nom de l’application',
  register: 'Déclarer',
  made: 'L’application est déclarée. Saisissez-y ceci :',
  secret: 'Secret client',
  secretOnce: 'Il n’est affiché qu’une fois. Conservez-le en lieu sûr.',
  delete: 'Supprimer',
  deleteNamed: (name: string) => `Supprimer ${name}`,
  confirmDelete: (name: string) =>
    `Supprimer ${name} ? Tous les accès qu’elle possède prennent fin immédiatement, pour tout le monde.`,
  deleted: 'Application supprimée.',
};
