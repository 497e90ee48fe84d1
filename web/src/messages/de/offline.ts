// Messages of what is kept on this device, and of what waits to be sent.
import { plural } from './text';

const entries = (count: number): string => plural(count, 'Eingabe', 'Eingaben');

export const offline = {
  title: 'Wartet auf das Senden',
  lead: 'Diese Eingaben sind nur auf diesem Gerät. Sie werden in dieser Reihenfolge gesendet, sobald der Server antwortet.',
  none: 'Nichts wartet',
  noneText: 'Alles, was Sie auf diesem Gerät eingegeben haben, ist in Ihren Büchern.',
  asOf: (at: string) => `Keine Verbindung. Sie sehen Ihre Bücher vom Stand ${at}.`,
  waits: (count: number) => `${entries(count)} ${count === 1 ? 'wartet' : 'warten'} auf das Senden`,
  refused: (count: number) => `${entries(count)} ${count === 1 ? 'braucht' : 'brauchen'} Sie`,
  kept: (text: string) => `„${text}“ ist auf diesem Gerät und wird gesendet, sobald der Server antwortet.`,
  sent: (count: number) => `${entries(count)} von diesem Gerät ${count === 1 ? 'wurde' : 'wurden'} gesendet.`,
  sentMeanwhile: 'Diese Eingabe wurde inzwischen gesendet. Sie finden sie bei Ihren Buchungen.',
  unsure:
    'Diese Eingabe ist vor zwei Tagen oder früher vielleicht angekommen. Sehen Sie bei Ihren Buchungen nach, bevor Sie sie noch einmal senden.',
  change: 'Eine Änderung',
  files: (count: number) => plural(count, 'Datei', 'Dateien'),
  open: 'Öffnen',
  openNamed: (text: string) => `${text} öffnen`,
  retry: 'Noch einmal senden',
  discard: 'Verwerfen',
  discardNamed: (text: string) => `${text} verwerfen`,
  discardTitle: 'Diese Eingabe verwerfen?',
  discardText: 'Sie wurde nicht gespeichert, und ihre Dateien werden von diesem Gerät gelöscht.',
  discardFilesText: 'Die Buchung wurde gespeichert. Ihre nicht gesendeten Dateien werden von diesem Gerät gelöscht.',
  mayHaveArrived: 'Sie ist vielleicht schon angekommen; der Server sagt es, wenn er antwortet.',
  sendNow: 'Jetzt senden',
  signOut: {
    title: 'Abmelden und verlieren, was wartet?',
    text: 'Auf diesem Gerät sind Eingaben, die nicht gesendet wurden. Beim Abmelden werden sie gelöscht.',
  },
  ask: {
    title: 'Ihre Bücher auf diesem Gerät behalten?',
    text: 'Dann können Sie sie ohne Verbindung lesen und Buchungen eingeben. Was Sie eingeben, wird später gesendet. Beim Abmelden wird alles von diesem Gerät gelöscht. Tun Sie das nur auf einem eigenen Gerät.',
    yes: 'Auf diesem Gerät behalten',
    no: 'Nicht auf diesem Gerät',
  },
  setting: 'Meine Bücher auf diesem Gerät behalten, um ohne Verbindung zu lesen und einzugeben',
  settingHint: 'Beim Abmelden werden sie davon gelöscht.',
  update: 'Eine neue Version von Farthing ist da.',
  reload: 'Jetzt verwenden',
};
