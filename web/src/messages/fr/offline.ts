// Messages of what is kept on this device, and of what waits to be sent.
import { isSingular, plural } from './text';

const entries = (count: number): string => plural(count, 'saisie', 'saisies');

export const offline = {
  title: 'En attente d’envoi',
  lead: 'Ces saisies ne sont que sur cet appareil. Elles partent dans cet ordre dès que le serveur répond.',
  none: 'Rien en attente',
  noneText: 'Tout ce que vous avez saisi sur cet appareil est dans votre comptabilité.',
  asOf: (at: string) => `Pas de connexion. Vous voyez votre comptabilité telle qu’elle était : ${at}.`,
  waits: (count: number) => `${entries(count)} en attente d’envoi`,
  refused: (count: number) => `${entries(count)} ${isSingular(count) ? 'demande' : 'demandent'} votre attention`,
  kept: (text: string) => `« ${text} » est conservé sur cet appareil et part dès que le serveur répond.`,
  sent: (count: number) =>
    `${entries(count)} de cet appareil ${isSingular(count) ? 'a été envoyée' : 'ont été envoyées'}.`,
  sentMeanwhile: 'Cette saisie a été envoyée entre-temps. Vous la trouvez parmi vos opérations.',
  unsure:
    'Cette saisie est peut-être arrivée il y a deux jours ou plus. Regardez parmi vos opérations avant de la renvoyer.',
  change: 'Une modification',
  files: (count: number) => plural(count, 'fichier', 'fichiers'),
  open: 'Ouvrir',
  openNamed: (text: string) => `Ouvrir ${text}`,
  retry: 'Renvoyer',
  discard: 'Abandonner',
  discardNamed: (text: string) => `Abandonner ${text}`,
  discardTitle: 'Abandonner cette saisie ?',
  discardText: 'Elle n’est pas enregistrée, et ses fichiers sont supprimés de cet appareil.',
  discardFilesText: 'L’opération est enregistrée. Ses fichiers non envoyés sont supprimés de cet appareil.',
  mayHaveArrived: 'Elle est peut-être arrivée ; le serveur le dira quand il répondra.',
  sendNow: 'Envoyer maintenant',
  signOut: {
    title: 'Se déconnecter et perdre ce qui attend ?',
    text: 'Des saisies de cet appareil n’ont pas été envoyées. La déconnexion les supprime.',
  },
  ask: {
    title: 'Conserver votre comptabilité sur cet appareil ?',
    text: 'Vous pourrez alors la lire et saisir des opérations sans connexion. Vos saisies partent plus tard. La déconnexion supprime tout de cet appareil. Ne le faites que sur un appareil à vous.',
    yes: 'Conserver sur cet appareil',
    no: 'Pas sur cet appareil',
  },
  setting: 'Conserver ma comptabilité sur cet appareil, pour lire et saisir sans connexion',
  settingHint: 'La déconnexion l’en supprime.',
  update: 'Une nouvelle version de Farthing est prête.',
  reload: 'L’utiliser maintenant',
};
