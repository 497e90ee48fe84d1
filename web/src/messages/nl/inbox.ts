// Messages of the inbox.
import { plural } from './text';

const transactions = (count: number): string => plural(count, 'transactie', 'transacties');

export const inbox = {
  title: 'Inbox',
  waiting: (count: number, more: boolean) =>
    more ? `${transactions(count)} of meer wachten` : plural(count, 'transactie wacht', 'transacties wachten'),
  badge: (count: number) => `${count} in afwachting`,
  withoutBudget: 'Ook zonder budget',
  empty: 'Er wacht niets',
  emptyText:
    'Transacties zonder categorie en rijen van geïmporteerde bestanden staan hier totdat je ernaar hebt gekeken.',
  keys: 'J en K of de pijltoetsen verplaatsen, A accepteert, W toont waarom, E kiest een andere categorie, X wijst af.',
  list: 'In afwachting, per tegenpartij',
  from: (count: number, payee: string) => (count > 1 ? `${count} van ${payee}` : payee),
  part: (count: number) => `(${count} in totaal)`,
  imported: 'geïmporteerd',
  acceptOf: (what: string, payee: string) => `${what} accepteren voor ${payee}`,
  other: 'Andere',
  otherOf: (payee: string) => `Andere categorie voor ${payee}`,
  choose: 'Categorie kiezen',
  chooseOf: (payee: string) => `Categorie kiezen voor ${payee}`,
  reject: 'Afwijzen',
  rejectOf: (what: string, payee: string) => `${what} afwijzen voor ${payee}`,
  rejected: 'Afgewezen. Kies een andere categorie of laat het zo.',
  right: 'Klopt zo',
  rightOf: (payee: string) => `${payee} klopt zo`,
  budget: (name: string) => `Budget ${name}`,
  sure: (percent: string) => `${percent} zeker`,
  why: 'Vanwege',
  noReason: 'Geen eerdere transactie lijkt hierop.',
  payee: (name: string) => `Tegenpartij “${name}” noemen`,
  merge: (name: string) => `Samenvoegen met “${name}”`,
  payeeDone: (name: string) => `De tegenpartij is nu “${name}”.`,
  refund: (purchase: string) => `Terugbetaling van “${purchase}”`,
  done: (count: number) => `${transactions(count)} ingedeeld.`,
  seen: (count: number) => `${transactions(count)} bekeken.`,
  all: 'Alles accepteren …',
  allTitle: 'Voorstellen accepteren',
  allText: 'Er verandert niets totdat je accepteert. Afgewezen voorstellen doen niet mee.',
  atLeast: 'Minstens zo zeker',
  wouldChange: 'Wat er zou veranderen',
  nothing: 'Geen voorstel op deze pagina is zo zeker.',
  left: (count: number) => `${plural(count, 'transactie zou', 'transacties zouden')} in de inbox blijven.`,
  submit: (count: number) => `Accepteren voor ${transactions(count)}`,
  columns: { date: 'Datum', what: 'Transactie', becomes: 'Wordt' },
  rule: {
    title: 'Hier een regel van maken?',
    text: (payee: string, category: string) =>
      `Je hebt “${payee}” drie keer de categorie “${category}” gegeven. Een regel doet dat voor nieuwe transacties.`,
    starts: (text: string, category: string) =>
      `Drie transacties die met “${text}” beginnen, kregen de categorie “${category}”. Een regel doet dat voor nieuwe.`,
    create: 'Regel aanmaken',
    edit: 'Eerst bewerken',
    later: 'Niet nu',
  },
};
