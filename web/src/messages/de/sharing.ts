// Messages of shared books, invitations, the activity at the user's doors, and scopes of tokens.
import type { Messages } from '../loading';
import { plural, whole } from './text';
import { meanings, roles } from './roles';

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

export const invitation: Messages['invitation'] = {
  title: 'Einladung',
  text: (email) => `${email} lädt Sie ein, in Farthing in den eigenen Haushaltsbüchern mitzuarbeiten.`,
  handOver: (email) => `${email} möchte Ihnen die eigenen Bücher übergeben.`,
  asRole: 'Ihre Rolle:',
  meaning: {
    ...meanings,
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

export const scopes: Messages['scopes'] = {
  legend: 'Bereiche',
  all: 'Alle Bereiche',
  some: 'Nur einige Bereiche',
  group: 'Bereich',
  levels: { '': 'Kein Zugriff', read: 'Ansehen', write: 'Ändern' },
  groups: {
    accounts: 'Konten und Sparziele',
    transactions: 'Buchungen und Suche',
    attachments: 'Angehängte Dateien',
    bills: 'Rechnungen und Dauerbuchungen',
    budgets: 'Budgets',
    labels: 'Kategorien und Schlagwörter',
    rules: 'Regeln',
    reports: 'Berichte, Diagramme, Übersicht',
    imports: 'Importe',
    exports: 'Exporte',
    settings: 'Einstellungen, Währungen, Wechselkurse',
    notices: 'Mitteilungen',
    webhooks: 'Webhooks',
    changes: 'Änderungen und ihr Rückgängigmachen',
    users: 'Benutzer dieser Installation',
  },
  choose: 'Wählen Sie mindestens einen Bereich.',
  networks: 'Nur aus diesen Netzen',
  networksHint: 'Zum Beispiel 192.168.1.0/24. Trennen Sie mehrere durch Kommas. Leer erlaubt alle.',
  books: 'In welchen Büchern?',
  limited: (count) => `Begrenzt auf ${plural(count, 'Bereich', 'Bereiche')}`,
  list: (areas) => areas.join(', '),
  area: (group, level) => `${group} (${level})`,
  from: (networks) => `Nur aus ${networks.join(', ')}`,
  inBooks: (email) => `In den Büchern von ${email}`,
  inLostBooks: 'In Büchern, die nicht mehr mit Ihnen geteilt werden',
};
