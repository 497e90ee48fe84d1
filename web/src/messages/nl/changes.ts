// Messages of what a change did, and of choosing between two versions.
import { imports } from './imports';
import { plural } from './text';

export const changes = {
  show: 'Tonen wat er veranderde',
  showNamed: (change: string) => `Tonen wat er veranderde: ${change}`,
  field: 'Veld',
  before: 'Voor',
  after: 'Na',
  nothing: 'Er zijn geen zichtbare verschillen.',
  empty: 'leeg',
  yes: 'ja',
  no: 'nee',
  part: (name: string, part: number) => `${name} (${part})`,
  alike: (names: string[], count: number) =>
    count > names.length ? `${names.join(', ')} en nog ${count - names.length}` : names.join(', '),
  by: (email: string) => `door ${email}`,
  othersTitle: 'Ongedaan maken wat iemand anders deed?',
  others: (email: string, summary: string) =>
    `${email} deed dit: ${summary}. Diegene kan zien dat jij het ongedaan hebt gemaakt.`,
  undo: {
    title: 'Dit ongedaan maken?',
    later: (count: number) =>
      `${plural(count, 'latere wijziging bouwt', 'latere wijzigingen bouwen')} hierop voort. Alles wordt samen ongedaan gemaakt, in deze volgorde:`,
    kinds: {
      ...imports.result.kinds,
      transactions: (count: number) => plural(count, 'transactie', 'transacties'),
      attachments: (count: number) => plural(count, 'bijlage', 'bijlagen'),
      preferences: (count: number) => plural(count, 'instelling', 'instellingen'),
      exchange_rates: (count: number) => plural(count, 'wisselkoers', 'wisselkoersen'),
    } as Record<string, (count: number) => string>,
    deleted: (what: string) => `Verwijderd: ${what}`,
    made: (what: string) => `Hersteld: ${what}`,
    changed: (what: string) => `Teruggezet: ${what}`,
    actions: { deleted: 'wordt verwijderd', made: 'komt terug', changed: 'wordt teruggezet' } as Record<string, string>,
    sum: (count: number) => (count === 1 ? 'De transactie bedraagt' : `${count} transacties bedragen samen`),
    list: 'Waar dit over gaat',
    first: (count: number) => `Dit zijn de eerste ${count}.`,
    import: 'Import tonen',
    together: (count: number) => `Alle ${count} ongedaan maken`,
    anyway: 'Ongedaan maken en ook deze verwijderen',
    /** Without what only programs can do. */
    forPeople: (reason: string) => reason.replace(/ (Undo with force=1|With `with_later=1`)[^.]*\./g, ''),
  },
};

export const versions = {
  title: 'Iemand anders heeft dit gewijzigd',
  text: 'Kies per veld welke versie je wilt houden en sla dan op. Als maar één van jullie een veld heeft gewijzigd, is die versie al gekozen.',
  yours: 'Van jou',
  theirs: 'Van de ander',
  same: 'De opgeslagen versie is gelijk aan die van jou. Sla opnieuw op om ze te houden.',
  save: 'Deze opslaan',
  chooseYours: 'Alles van jou houden',
  chooseTheirs: 'Alles van de ander houden',
};

/** Where a field's own name would not be understood. */
export const fieldNames: Record<string, string> = {
  own: 'Rekening',
  to: 'Naar rekening',
  other: 'Tegenpartij',
  source: 'Van rekening',
  destination: 'Naar rekening',
  data: 'Waarde',
  match: 'Woorden op het afschrift',
  skip: 'Overgeslagen periodes',
  automatch: 'Betalingen automatisch herkennen',
  include_net_worth: 'Meetellen in het vermogen',
  iban: 'IBAN',
  bic: 'BIC',
  splits: 'Delen',
  triggers: 'Voorwaarden',
  budget_percentages: 'Delen van budgetten, in procent',
  account_id: 'Rekening',
  parent: 'Hoofdcategorie',
  carry: 'Meenemen naar de volgende maand',
  weekend: 'Als het in een weekend valt',
  holidays: 'Feestdagen als weekend behandelen',
  mime: 'Bestandstype',
  size: 'Grootte in bytes',
  md5: 'Controlegetal',
};
