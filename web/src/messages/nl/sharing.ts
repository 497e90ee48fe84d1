// Messages of shared books and invitations.

const roles: Record<string, string> = {
  owner: 'Eigenaar',
  full: 'Volledige toegang',
  bookkeeper: 'Boekhouder',
  viewer: 'Meekijker',
};

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

export const sharing = {
  membersOf: (email: string) => `Wie de boekhouding van ${email} kan openen`,
  members: 'Wie je boekhouding kan openen',
  hint: 'Iedereen logt in onder de eigen naam. Onder Instellingen › Wijzigingen zie je wie wat deed.',
  nobody: 'Niemand anders heeft nog toegang tot deze boekhouding.',
  role: 'Rol',
  since: 'Sinds',
  meaning: {
    viewer: 'Ziet alles, maar kan niets wijzigen.',
    bookkeeper:
      'Voert alles in en verbetert alles, maar kan geen rekeningen verwijderen, niet exporteren of uitnodigen en geen instellingen wijzigen.',
    full: 'Kan alles wat de eigenaar kan, behalve de boekhouding overdragen.',
  } as Record<string, string>,
  roleOf: (email: string) => `Rol van ${email}`,
  roleChanged: (email: string, role: string) => `Nieuwe rol van ${email}: ${roles[role] ?? role}.`,
  end: 'Verwijderen',
  endNamed: (email: string) => `${email} verwijderen`,
  endAsk: (email: string) =>
    `${email} verliest meteen de toegang tot deze boekhouding. Wat diegene heeft ingevoerd, blijft.`,
  ended: (email: string) => `${email} heeft geen toegang meer tot deze boekhouding.`,
  invite: 'Iemand uitnodigen',
  name: 'Voor wie is het?',
  nameHint: 'Een naam voor je eigen lijst, zoals Sam.',
  makeLink: 'Uitnodigingslink maken',
  linkMade: (name: string, until: string) =>
    `Stuur deze link naar ${name}. De link werkt één keer en verloopt op ${until}. Je krijgt hem niet nog eens te zien.`,
  link: 'Uitnodigingslink',
  open: 'Open uitnodigingen',
  until: (when: string) => `link verloopt op ${when}`,
  takeBack: 'Intrekken',
  takeBackNamed: (name: string) => `Uitnodiging voor ${name} intrekken`,
  takenBack: 'Uitnodiging ingetrokken.',
  handOver: 'Deze boekhouding overdragen',
  handOverOpen: 'Nieuwe eigenaar kiezen',
  handOverText:
    'Wie de link opent en accepteert, wordt eigenaar van deze boekhouding. Jij houdt volledige toegang. De nieuwe eigenaar moet hier gebruiker zijn, met een lege eigen boekhouding.',
  handOverWarning: 'Als de overdracht is geaccepteerd, kan alleen de nieuwe eigenaar je de boekhouding teruggeven.',
  handOverLink: 'Overdrachtslink maken',
  handOverName: 'Wie is de nieuwe eigenaar?',
  withMe: 'Met jou gedeelde boekhoudingen',
  withMeNone:
    'Nog niemand deelt een boekhouding met je. Krijg je een uitnodigingslink, open die dan om in iemands boekhouding te werken.',
  go: 'Openen',
  goNamed: (email: string) => `Boekhouding van ${email} openen`,
  leave: 'Verlaten',
  leaveNamed: (email: string) => `Boekhouding van ${email} verlaten`,
  leaveAsk: (email: string) =>
    `Je kunt de boekhouding van ${email} daarna alleen weer openen met een nieuwe uitnodiging.`,
  left: (email: string) => `Je hebt de boekhouding van ${email} verlaten.`,
};

export const invitation = {
  title: 'Uitnodiging',
  text: (email: string) =>
    `${email} nodigt je uit om mee te werken in zijn of haar boekhouding in Farthing, waar alle geldzaken worden bijgehouden.`,
  handOver: (email: string) => `${email} wil zijn of haar boekhouding aan jou overdragen.`,
  asRole: 'Jouw rol:',
  meaning: {
    ...sharing.meaning,
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
