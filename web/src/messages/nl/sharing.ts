// Messages of shared books, invitations, the activity at the user's doors, and scopes of tokens.
import { plural } from './text';
import { meanings, roles } from './roles';

export const books = {
  title: 'Boekhoudingen',
  yours: 'Je eigen boekhouding',
  of: (email: string) => `Boekhouding van ${email}`,
  current: 'nu open',
  switch: 'Van boekhouding wisselen',
  here: 'Boekhouding van',
  roles,
  onlyLook: 'Je kunt deze boekhouding alleen bekijken',
  onlyLookText: (email: string) =>
    `Wil je hier iets invoeren of wijzigen, vraag ${email} dan om je boekhouder te maken.`,
  needsFull: 'Alleen iemand met volledige toegang tot deze boekhouding kan dit wijzigen.',
  needsFullToExport: 'Alleen iemand met volledige toegang kan deze boekhouding exporteren.',
  gone: 'Die boekhouding wordt niet meer met je gedeeld. Je bent terug in je eigen boekhouding.',
  back: 'Terug naar het dashboard',
};

export const invitation = {
  title: 'Uitnodiging',
  text: (email: string) =>
    `${email} nodigt je uit om mee te werken in zijn of haar boekhouding in Farthing, waar alle geldzaken worden bijgehouden.`,
  handOver: (email: string) => `${email} wil zijn of haar boekhouding aan jou overdragen.`,
  asRole: 'Jouw rol:',
  meaning: {
    ...meanings,
    owner:
      'Deze boekhouding komt in de plaats van je eigen boekhouding, die leeg moet zijn. De huidige eigenaar houdt volledige toegang.',
  } as Record<string, string>,
  accept: 'Accepteren',
  takeOver: 'Boekhouding overnemen',
  acceptAs: (email: string) => `Je bent ingelogd als ${email}.`,
  signIn: 'Inloggen om te accepteren',
  register: 'Nieuw hier? Maak een gebruiker aan',
  registerText: 'Je krijgt ook een eigen, lege boekhouding.',
  create: 'Gebruiker aanmaken en accepteren',
  noRegister: 'Heb je hier nog geen gebruiker, vraag er dan een aan degene die deze installatie beheert.',
  failed: 'Deze uitnodiging is al gebruikt, ingetrokken of verlopen. Vraag om een nieuwe.',
  missing: 'Deze link is niet volledig. Kopieer hem helemaal.',
  own: 'Deze uitnodiging is voor je eigen boekhouding. Stuur de link naar degene voor wie hij is.',
  home: 'Naar je boekhouding',
  toSignIn: 'Naar de inlogpagina',
  accepted: (email: string) => `Je werkt nu in de boekhouding van ${email}.`,
};

export const newDevice = {
  title: 'Was jij dat?',
  text: (device: string, address: string, when: string) =>
    `Er is ingelogd met ${device}${address ? ` vanaf ${address}` : ''}, ${when}.`,
  others: (count: number) => `nog ${count}`,
  yes: 'Ja, dat was ik',
  no: 'Nee: overal elders uitloggen',
  signedOut: 'Alle andere sessies zijn beëindigd. Wijzig nu je wachtwoord en controleer je tokens.',
};

export const scopes = {
  legend: 'Gebieden',
  all: 'Alle gebieden',
  some: 'Alleen sommige gebieden',
  group: 'Gebied',
  levels: { '': 'Geen', read: 'Zien', write: 'Wijzigen' } as Record<string, string>,
  groups: {
    accounts: 'Rekeningen en spaarpotten',
    transactions: 'Transacties en zoeken',
    attachments: 'Bijlagen',
    bills: 'Vaste lasten en terugkerende transacties',
    budgets: 'Budgetten',
    labels: 'Categorieën en tags',
    rules: 'Regels',
    reports: 'Rapporten, grafieken, dashboard',
    imports: 'Imports',
    exports: 'Exports',
    settings: 'Instellingen, valuta’s, wisselkoersen',
    notices: 'Meldingen',
    webhooks: 'Webhooks',
    changes: 'Wijzigingen en ongedaan maken',
    users: 'Gebruikers van deze installatie',
  } as Record<string, string>,
  choose: 'Kies minstens één gebied.',
  networks: 'Alleen vanuit deze netwerken',
  networksHint: 'Bijvoorbeeld 192.168.1.0/24. Scheid er meerdere met komma’s. Laat het leeg om alles toe te staan.',
  books: 'In welke boekhouding?',
  limited: (count: number) => `Beperkt tot ${plural(count, 'gebied', 'gebieden')}`,
  list: (areas: string[]) => areas.join(', '),
  area: (group: string, level: string) => `${group} (${level})`,
  from: (networks: string[]) => `Alleen vanuit ${networks.join(', ')}`,
  inBooks: (email: string) => `In de boekhouding van ${email}`,
  inLostBooks: 'In een boekhouding die niet meer met je wordt gedeeld',
};
