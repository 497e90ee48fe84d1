// Messages of the inbox.
import type { Messages } from '../loading';
import { plural, whole } from './text';

const transactions = (count: number): string => plural(count, 'Buchung', 'Buchungen');

export const inbox: Messages['inbox'] = {
  title: 'Eingang',
  waiting: (count, more) => (more ? `${transactions(count)} oder mehr zu prüfen` : `${transactions(count)} zu prüfen`),
  badge: (count) => `${whole(count)} zu prüfen`,
  withoutBudget: 'Auch ohne Budget',
  empty: 'Nichts zu prüfen',
  emptyText: 'Buchungen ohne Kategorie und Zeilen importierter Dateien erscheinen hier, bis Sie sie angesehen haben.',
  keys: 'J und K oder die Pfeiltasten bewegen, A übernimmt, W zeigt den Grund, E wählt eine andere Kategorie, X verwirft.',
  list: 'Zu prüfen, nach Zahlungsempfänger',
  from: (count, payee) => (count > 1 ? `${whole(count)} von ${payee}` : payee),
  part: (count) => `von ${whole(count)}`,
  imported: 'importiert',
  acceptOf: (what, payee) => `${what} für ${payee} übernehmen`,
  other: 'Andere',
  otherOf: (payee) => `Andere Kategorie für ${payee}`,
  choose: 'Kategorie wählen',
  chooseOf: (payee) => `Kategorie wählen für ${payee}`,
  reject: 'Verwerfen',
  rejectOf: (what, payee) => `Verwerfen: ${what} für ${payee}`,
  rejected: 'Verworfen. Wählen Sie eine andere Kategorie, oder lassen Sie es so.',
  right: 'Stimmt so',
  rightOf: (payee) => `Stimmt so: ${payee}`,
  budget: (name) => `Budget ${name}`,
  refund: (purchase: string) => `Erstattung von „${purchase}“`,
  sure: (percent) => `${percent} sicher`,
  why: 'Wegen',
  noReason: 'Keine frühere Buchung ist ähnlich.',
  payee: (name) => `Zahlungsempfänger „${name}“ nennen`,
  merge: (name) => `Mit „${name}“ zusammenführen`,
  payeeDone: (name) => `Der Zahlungsempfänger heißt jetzt „${name}“.`,
  done: (count) => `${plural(count, 'Buchung hat', 'Buchungen haben')} jetzt eine Kategorie.`,
  seen: (count) => `${transactions(count)} angesehen.`,
  all: 'Alle übernehmen …',
  allTitle: 'Vorschläge übernehmen',
  allText: 'Nichts ändert sich, bevor Sie übernehmen. Verworfene Vorschläge sind nicht dabei.',
  atLeast: 'Mindestens so sicher',
  wouldChange: 'Was sich ändern würde',
  nothing: 'Kein Vorschlag auf dieser Seite ist so sicher.',
  left: (count) => `${plural(count, 'Buchung bliebe', 'Buchungen blieben')} im Eingang.`,
  submit: (count) => `Für ${transactions(count)} übernehmen`,
  columns: { date: 'Datum', what: 'Buchung', becomes: 'Wird zu' },
  rule: {
    title: 'Daraus eine Regel machen?',
    text: (payee, category) =>
      `Sie haben „${payee}“ dreimal die Kategorie „${category}“ gegeben. Eine Regel tut das bei neuen Buchungen.`,
    starts: (text, category) =>
      `Drei Buchungen, die mit „${text}“ beginnen, haben die Kategorie „${category}“ erhalten. Eine Regel tut das bei neuen.`,
    create: 'Regel anlegen',
    edit: 'Erst bearbeiten',
    later: 'Nicht jetzt',
  },
};
