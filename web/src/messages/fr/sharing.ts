// Messages of shared books and invitations.
import { de, whole } from './text';

const roles: Record<string, string> = {
  owner: 'Propriétaire',
  full: 'Accès complet',
  bookkeeper: 'Saisie',
  viewer: 'Consultation',
};

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

export const sharing = {
  membersOf: (email: string) => `Qui peut ouvrir la comptabilité ${de(email)}`,
  members: 'Qui peut ouvrir votre comptabilité',
  hint: 'Chacun se connecte avec son propre compte d’utilisateur. Paramètres › Historique montre qui a fait quoi.',
  nobody: 'Personne d’autre n’a encore accès à cette comptabilité.',
  role: 'Rôle',
  since: 'Depuis le',
  meaning: {
    viewer: 'Voit tout, mais ne peut rien modifier.',
    bookkeeper:
      'Saisit et corrige tout, mais ne peut ni supprimer de compte, ni exporter, ni inviter, ni modifier les paramètres.',
    full: 'Peut tout faire comme le propriétaire, sauf céder la comptabilité.',
  } as Record<string, string>,
  roleOf: (email: string) => `Rôle ${de(email)}`,
  roleChanged: (email: string, role: string) => `Nouveau rôle ${de(email)} : ${roles[role] ?? role}.`,
  end: 'Retirer',
  endNamed: (email: string) => `Retirer ${email}`,
  endAsk: (email: string) =>
    `${email} perd aussitôt l’accès à cette comptabilité. Ce que cette personne a saisi est conservé.`,
  ended: (email: string) => `${email} n’a plus accès à cette comptabilité.`,
  invite: 'Inviter quelqu’un',
  name: 'Pour qui ?',
  nameHint: 'Un nom pour votre propre liste, par exemple Camille.',
  makeLink: 'Créer un lien d’invitation',
  linkMade: (name: string, until: string) =>
    `Envoyez ce lien à ${name}. Il fonctionne une seule fois et expire le ${until}. Il ne sera plus affiché.`,
  link: 'Lien d’invitation',
  open: 'Invitations en attente',
  until: (when: string) => `le lien expire le ${when}`,
  takeBack: 'Retirer',
  takeBackNamed: (name: string) => `Retirer l’invitation pour ${name}`,
  takenBack: 'Invitation retirée.',
  handOver: 'Céder cette comptabilité',
  handOverOpen: 'Choisir un nouveau propriétaire',
  handOverText:
    'La personne qui ouvre le lien et accepte devient propriétaire de cette comptabilité. Vous gardez l’accès complet. Elle doit être utilisateur ici, et sa propre comptabilité doit être vide.',
  handOverWarning: 'Une fois la cession acceptée, seul le nouveau propriétaire peut vous rendre la comptabilité.',
  handOverLink: 'Créer un lien de cession',
  handOverName: 'Qui est le nouveau propriétaire ?',
  withMe: 'Comptabilités partagées avec vous',
  withMeNone:
    'Personne ne partage encore de comptabilité avec vous. Quand quelqu’un vous envoie un lien d’invitation, ouvrez-le pour travailler dans la sienne.',
  go: 'Ouvrir',
  goNamed: (email: string) => `Ouvrir la comptabilité ${de(email)}`,
  leave: 'Quitter',
  leaveNamed: (email: string) => `Quitter la comptabilité ${de(email)}`,
  leaveAsk: (email: string) => `Vous ne pourrez plus ouvrir la comptabilité ${de(email)}, sauf nouvelle invitation.`,
  left: (email: string) => `Vous avez quitté la comptabilité ${de(email)}.`,
};

export const invitation = {
  title: 'Invitation',
  text: (email: string) =>
    `${email} vous invite à travailler dans sa comptabilité Farthing, où cette personne suit son argent.`,
  handOver: (email: string) => `${email} souhaite vous céder sa comptabilité.`,
  asRole: 'Votre rôle :',
  meaning: {
    ...sharing.meaning,
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
