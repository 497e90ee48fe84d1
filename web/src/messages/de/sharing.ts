// Messages of shared books and invitations.
import type { Messages } from '../loading';
import { whole } from './text';

const roles: Record<string, string> = {
  owner: 'Eigentümer',
  full: 'Voller Zugriff',
  bookkeeper: 'Buchhalter',
  viewer: 'Leser',
};

export const books: Messages['books'] = {
  title: 'Bücher',
  yours: 'Ihre eigenen Bücher',
  of: (email) => `Bücher von ${email}`,
  current: 'jetzt geöffnet',
  switch: 'Bücher wechseln',
  here: 'Bücher von',
  roles,
  onlyLook: 'Sie können diese Bücher nur ansehen',
  onlyLookText: (email) =>
    `Um hier etwas zu erfassen oder zu ändern, bitten Sie ${email}, Sie zum Buchhalter zu machen.`,
  needsFull: 'Nur wer vollen Zugriff auf diese Bücher hat, kann das ändern.',
  needsFullToExport: 'Nur wer vollen Zugriff auf diese Bücher hat, kann sie exportieren.',
  gone: 'Jene Bücher werden nicht mehr mit Ihnen geteilt. Sie sind zurück in Ihren eigenen.',
  back: 'Zurück zur Übersicht',
};

export const sharing: Messages['sharing'] = {
  membersOf: (email) => `Wer die Bücher von ${email} öffnen kann`,
  members: 'Wer Ihre Bücher öffnen kann',
  hint: 'Jeder meldet sich als er selbst an. Unter Einstellungen › Änderungen steht, wer was getan hat.',
  nobody: 'Noch hat niemand sonst Zugriff auf diese Bücher.',
  role: 'Rolle',
  since: 'Seit',
  meaning: {
    viewer: 'Sieht alles, kann aber nichts ändern.',
    bookkeeper:
      'Erfasst und berichtigt alles, kann aber keine Konten löschen, nichts exportieren, niemanden einladen und keine Einstellungen ändern.',
    full: 'Kann alles, was der Eigentümer kann, nur nicht die Bücher übergeben.',
  },
  roleOf: (email) => `Rolle von ${email}`,
  roleChanged: (email, role) => `${email} ist jetzt: ${roles[role] ?? role}.`,
  end: 'Entfernen',
  endNamed: (email) => `Entfernen: ${email}`,
  endAsk: (email) => `${email} verliert sofort den Zugriff auf diese Bücher. Was dort erfasst wurde, bleibt.`,
  ended: (email) => `${email} hat keinen Zugriff auf diese Bücher mehr.`,
  invite: 'Jemanden einladen',
  name: 'Für wen ist es?',
  nameHint: 'Ein Name für Ihre eigene Liste, etwa Sam.',
  makeLink: 'Einladungslink erstellen',
  linkMade: (name, until) =>
    `Senden Sie diesen Link an ${name}. Er gilt einmal und läuft am ${until} ab. Er wird nicht noch einmal angezeigt.`,
  link: 'Einladungslink',
  open: 'Offene Einladungen',
  until: (when) => `Link läuft am ${when} ab`,
  takeBack: 'Zurückziehen',
  takeBackNamed: (name) => `Zurückziehen: Einladung für ${name}`,
  takenBack: 'Einladung zurückgezogen.',
  handOver: 'Diese Bücher übergeben',
  handOverOpen: 'Neuen Eigentümer wählen',
  handOverText:
    'Wer den Link öffnet und annimmt, wird Eigentümer dieser Bücher. Sie behalten vollen Zugriff. Nötig ist ein Benutzer hier, dessen eigene Bücher leer sind.',
  handOverWarning: 'Nach der Annahme kann nur der neue Eigentümer Ihnen die Bücher zurückgeben.',
  handOverLink: 'Übergabelink erstellen',
  handOverName: 'Wer ist der neue Eigentümer?',
  withMe: 'Mit Ihnen geteilte Bücher',
  withMeNone:
    'Noch teilt niemand Bücher mit Ihnen. Wenn Ihnen jemand einen Einladungslink sendet, öffnen Sie ihn, um in dessen Büchern zu arbeiten.',
  go: 'Öffnen',
  goNamed: (email) => `Öffnen: Bücher von ${email}`,
  leave: 'Verlassen',
  leaveNamed: (email) => `Verlassen: Bücher von ${email}`,
  leaveAsk: (email) => `Sie können die Bücher von ${email} dann erst nach einer neuen Einladung wieder öffnen.`,
  left: (email) => `Sie haben die Bücher von ${email} verlassen.`,
};

export const invitation: Messages['invitation'] = {
  title: 'Einladung',
  text: (email) => `${email} lädt Sie ein, in Farthing in den eigenen Haushaltsbüchern mitzuarbeiten.`,
  handOver: (email) => `${email} möchte Ihnen die eigenen Bücher übergeben.`,
  asRole: 'Ihre Rolle:',
  meaning: {
    ...sharing.meaning,
    owner: 'Diese Bücher ersetzen Ihre eigenen, die leer sein müssen. Der bisherige Eigentümer behält vollen Zugriff.',
  },
  accept: 'Annehmen',
  takeOver: 'Diese Bücher übernehmen',
  acceptAs: (email) => `Sie sind als ${email} angemeldet.`,
  signIn: 'Zum Annehmen anmelden',
  register: 'Neu hier? Benutzer anlegen',
  registerText: 'Sie erhalten auch eigene, leere Bücher.',
  create: 'Benutzer anlegen und annehmen',
  noRegister:
    'Wenn Sie hier noch keinen Benutzer haben, bitten Sie den Betreiber dieser Installation, einen für Sie anzulegen.',
  failed: 'Diese Einladung wurde schon benutzt, zurückgezogen oder ist abgelaufen. Bitten Sie um eine neue.',
  missing: 'Dieser Link ist unvollständig. Kopieren Sie ihn ganz.',
  own: 'Diese Einladung gilt Ihren eigenen Büchern. Senden Sie den Link an die Person, für die er ist.',
  home: 'Zu Ihren Büchern',
  toSignIn: 'Zur Anmeldung',
  accepted: (email) => `Sie arbeiten jetzt in den Büchern von ${email}.`,
};

export const newDevice: Messages['newDevice'] = {
  title: 'Waren Sie das?',
  text: (device, address, when) =>
    address ? `Neue Anmeldung mit ${device} von ${address}, ${when}.` : `Neue Anmeldung mit ${device}, ${when}.`,
  others: (count) => `${whole(count)} weitere`,
  yes: 'Ja, das war ich',
  no: 'Nein: überall sonst abmelden',
  signedOut: 'Alle anderen Sitzungen sind beendet. Ändern Sie jetzt Ihr Passwort, und prüfen Sie Ihre Token.',
};
