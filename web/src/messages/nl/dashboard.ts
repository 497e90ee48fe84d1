// Messages of the dashboard.
import { plural } from './text';

export const dashboard = {
  title: 'Dashboard',
  loading: 'Het dashboard wordt geladen …',
  unknownProxy: {
    title: 'Een proxy wordt nog niet vertrouwd',
    text: (address: string) =>
      `Aanvragen komen binnen via ${address}, maar de server vertrouwt dat adres niet. Daardoor deelt iedereen erachter één limiet voor inlogpogingen, en een vreemde kan die opmaken. Is dit jouw proxy, voeg dan deze instelling toe en herstart de server:`,
    otherwise:
      'Zo niet, dan heeft iemand valse proxyheaders gestuurd. Die zijn genegeerd, en deze melding verdwijnt na een week.',
  },
  figures: {
    label: 'Deze periode',
    earned: 'Inkomsten',
    spent: 'Uitgaven',
    balance: 'Verschil',
    used: (code: string) => `Uitgegeven deel van het te besteden bedrag in ${code}`,
  },
  lead: {
    label: 'In één oogopslag',
    canSpend: 'Je kunt nog',
    until: (day: string) => `uitgeven tot en met ${day}`,
    over: 'Je hebt meer uitgegeven dan gepland:',
    wasLeft: (day: string) => `over van wat tot en met ${day} was gepland`,
    wasOver: (day: string) => `meer uitgegeven dan tot en met ${day} was gepland`,
    more: (first: string) => `meer binnengekomen dan uitgegeven sinds ${first}`,
    less: (first: string) => `meer uitgegeven dan binnengekomen sinds ${first}`,
    setBudget: 'Plan wat je kunt uitgeven',
  },
  cards: {
    figures: 'Inkomsten en uitgaven',
    net_worth: 'Vermogen',
    bills: 'Te betalen vaste lasten',
    recent: 'Laatste transacties',
    accounts: 'Rekeningen',
    coming: 'De komende weken',
    report: 'Rapport',
  },
  arrange: {
    title: 'Dashboard indelen',
    cards: 'Tegels',
    show: (name: string) => `${name} tonen`,
    saved: 'Indeling van het dashboard opgeslagen.',
    reports: 'Sla een rapport op om er een eigen tegel van te maken.',
    toReports: 'Naar de rapporten',
    none: 'Alle tegels zijn verborgen.',
  },
  worth: {
    title: 'Vermogen',
    chart: (code: string) => `Verloop van het vermogen in ${code}`,
    in: (code: string) => `Vermogen in ${code}`,
    nothing: 'Je vermogen verschijnt hier zodra een rekening een saldo heeft.',
  },
  balances: {
    title: 'Rekeningen',
    all: 'Alle rekeningen',
    nothing: 'Nog geen rekeningen.',
    more: (count: number) => `En nog ${plural(count, 'rekening', 'rekeningen')}.`,
  },
  bills: {
    title: 'Te betalen vaste lasten',
    all: 'Alle vaste lasten',
    due: 'Vandaag te betalen',
    late: (days: number) => `${plural(days, 'dag', 'dagen')} te laat`,
    longAgo: (count: number, days: number) =>
      `${plural(count, 'betaling is', 'betalingen zijn')} meer dan ${days} dagen te laat`,
    more: (count: number) => `En nog ${plural(count, 'betaling', 'betalingen')} te doen`,
    nothing: 'Er hoeft niets betaald te worden.',
  },
  timeline: {
    title: (days: number) => `De komende ${days} dagen`,
    today: 'vandaag',
    kinds: { bill: 'Vaste last', recurrence: 'Terugkerend' },
    paidBy: (recurrence: string, day: string) => `betaald door “${recurrence}” op ${day}`,
    willPay: (recurrence: string, day: string) => `wordt betaald door “${recurrence}” op ${day}`,
    pays: (bill: string) => `betaalt de vaste last “${bill}”`,
    moved: { hand: 'verschoven', weekend: 'verschoven: weekend', holiday: 'verschoven: feestdag' },
    nothing: 'Er staat niets gepland.',
    begin: 'Terugkerende transactie toevoegen',
    more: (count: number) => `Nog ${count} tonen`,
    less: 'Minder tonen',
  },
  recent: { title: 'Laatste transacties', all: 'Alle transacties', nothing: 'Nog geen transacties.' },
  firstSteps: {
    title: 'In drie stappen op weg',
    done: 'klaar',
    account: {
      title: 'Je eerste rekening',
      text: 'De rekening die je elke dag gebruikt, met het huidige saldo.',
      action: 'Rekening toevoegen',
    },
    transaction: {
      title: 'Je eerste transactie',
      text: 'Je laatste aankoop. Een bedrag en een winkel zijn genoeg.',
      action: 'Transactie invoeren',
    },
    bring: {
      title: 'Je gegevens meenemen',
      text: 'Of begin met bestanden van je bank of uit een ander programma.',
      action: 'Bestanden importeren',
    },
    bill: {
      title: 'Je eerste vaste last',
      text: 'Huur, telefoon of verzekering. Farthing zegt wanneer je moet betalen en herkent de betaling.',
      action: 'Vaste last toevoegen',
    },
  },
};
