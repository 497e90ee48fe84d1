// Messages of second factors and passkeys.
import { plural } from './text';

export const factors = {
  title: 'Connexion en deux étapes',
  lead: 'Avec une deuxième étape, quelqu’un qui connaît votre mot de passe ne peut toujours pas se connecter. Une clé d’accès peut aussi remplacer le mot de passe.',
  none: 'Aucune deuxième étape pour l’instant.',
  kinds: { totp: 'Application d’authentification', passkey: 'Clé d’accès' } as Record<string, string>,
  added: 'Ajoutée',
  addApp: 'Ajouter une application',
  addPasskey: 'Ajouter une clé d’accès',
  rename: 'Renommer',
  renameNamed: (name: string) => `Renommer ${name}`,
  renamed: 'Nom modifié.',
  remove: 'Retirer',
  removeNamed: (name: string) => `Retirer ${name}`,
  removed: (name: string) => `« ${name} » : deuxième étape retirée.`,
  removeLast:
    'C’est votre seule deuxième étape. Sans elle, votre mot de passe seul suffit pour se connecter, et vos codes de secours cessent de fonctionner.',
  removeOne: (name: string) => `Vous ne pourrez plus vous connecter avec ${name}.`,
  prove: 'Code',
  proveHint: 'De votre application d’authentification, ou un code de secours.',
  proveRecovery: 'Code de secours',
  proveRecoveryHint: 'L’un des codes de secours que vous avez conservés.',
  usePasskey: 'Utiliser une clé d’accès',
  proveInstead: 'Utiliser plutôt une clé d’accès',
  name: 'Nom',
  appNameHint: 'Par exemple le téléphone où elle se trouve.',
  passkeyNameHint: 'Par exemple l’appareil ou la clé où elle se trouve.',
  appName: 'Téléphone',
  passkeyName: 'Clé d’accès',
  next: 'Suivant',
  scan: 'Scannez cette image avec votre application d’authentification, puis saisissez les six chiffres qu’elle affiche.',
  picture: 'L’image à scanner',
  secret: 'Si vous ne pouvez pas la scanner, saisissez cette clé dans l’application :',
  secretLabel: 'La clé pour l’application',
  digits: 'Six chiffres',
  confirm: 'Activer',
  appAdded: 'Application d’authentification ajoutée.',
  passkeyAdded: 'Clé d’accès ajoutée.',
  create: 'Créer une clé d’accès',
  passkeyLead:
    'Votre navigateur vous demandera ensuite où conserver la clé d’accès : sur cet appareil, sur un téléphone ou sur une clé de sécurité.',
  waiting: 'Suivez les instructions de votre navigateur…',
  recovery: 'Codes de secours',
  recoveryLeft: (left: number) =>
    left
      ? `Il vous reste ${plural(left, 'code de secours', 'codes de secours')}. Chacun vous permet de vous connecter une fois si vous avez perdu tout le reste.`
      : 'Il ne vous reste aucun code de secours. Créez-en de nouveaux pour pouvoir vous connecter si vous perdez tout le reste.',
  newCodes: 'Nouveaux codes de secours',
  newCodesLead: 'Vous recevez dix nouveaux codes. Ceux que vous avez maintenant cessent de fonctionner.',
  makeCodes: 'Créer de nouveaux codes',
  codesLead:
    'Conservez ces codes en lieu sûr, par exemple sur papier. Chacun remplace une fois votre deuxième étape. Ils ne seront plus affichés.',
  codesLoss: {
    title: 'Avez-vous conservé les codes ?',
    text: 'Ils ne seront plus affichés. Sans eux et sans votre deuxième étape, vous ne pourrez pas vous connecter.',
  },
  copyCodes: 'Copier',
  copied: 'Copié',
  downloadCodes: 'Télécharger',
  printCodes: 'Imprimer',
  codesFile: 'farthing-codes-de-secours.txt',
  codesHead: (email: string, address: string) => `Codes de secours pour ${email} sur ${address}`,
  kept: 'Je les ai conservés',
  passkeys: {
    cancelled:
      'Aucune clé d’accès n’a été utilisée : la demande a été annulée, a pris trop de temps, ou il n’y en a pas pour cette adresse.',
    exists: 'Cet appareil ou cette clé contient déjà une clé d’accès pour vous ici.',
    elsewhere:
      'Les clés d’accès de cette installation appartiennent à une autre adresse que celle de votre navigateur.',
    unsupported: 'Ce navigateur ou cet appareil ne permet pas d’utiliser des clés d’accès.',
    failed: 'Le navigateur n’a pas pu utiliser de clé d’accès. Réessayez, ou choisissez un autre moyen.',
    needName: 'Les clés d’accès exigent une adresse avec un nom ; celle-ci est un nombre.',
    openAt: 'Ouvrez plutôt Farthing ici :',
    needHttps: 'Les clés d’accès exigent une adresse avec un nom et https, par exemple https://argent.example.org.',
    ownerHint: 'La personne qui gère cette installation règle cela avec FARTHING_BASE_URL.',
  },
};
