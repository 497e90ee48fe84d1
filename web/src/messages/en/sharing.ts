// Messages of shared books, invitations, the activity at the user's doors, and scopes of tokens.
import { plural } from './text';
import { meanings, roles } from './roles';

export const books = {
  title: 'Books',
  yours: 'Your own books',
  of: (email: string) => `Books of ${email}`,
  current: 'open now',
  switch: 'Switch books',
  here: 'Books of',
  roles,
  onlyLook: 'You can only view these books',
  onlyLookText: (email: string) => `To record or change something here, ask ${email} to make you a bookkeeper.`,
  needsFull: 'Only somebody with full access to these books can change this.',
  needsFullToExport: 'Only somebody with full access to these books can export them.',
  gone: 'Those books are no longer shared with you. You are back in your own.',
  back: 'Back to the dashboard',
};

export const invitation = {
  title: 'Invitation',
  text: (email: string) =>
    `${email} invites you to work in their books in Farthing, where they keep track of their money.`,
  handOver: (email: string) => `${email} wants to hand over their books to you.`,
  asRole: 'Your role:',
  meaning: {
    ...meanings,
    owner: 'These books replace your own, which must be empty. The present owner keeps full access.',
  } as Record<string, string>,
  accept: 'Accept',
  takeOver: 'Take over these books',
  acceptAs: (email: string) => `You are signed in as ${email}.`,
  signIn: 'Sign in to accept',
  register: 'New here? Create a user',
  registerText: 'You also get empty books of your own.',
  create: 'Create user and accept',
  noRegister: 'If you have no user here yet, ask the person who runs this installation to create one for you.',
  failed: 'This invitation was used before, was withdrawn, or has expired. Ask for a new one.',
  missing: 'This link is incomplete. Copy all of it.',
  own: 'This invitation is to your own books. Send the link to the person it is for.',
  home: 'Go to your books',
  toSignIn: 'Go to the sign-in page',
  accepted: (email: string) => `You now work in the books of ${email}.`,
};

export const newDevice = {
  title: 'Was that you?',
  text: (device: string, address: string, when: string) =>
    `New sign-in with ${device}${address ? ` from ${address}` : ''}, ${when}.`,
  others: (count: number) => `${count} more`,
  yes: 'Yes, that was me',
  no: 'No: sign out everywhere else',
  signedOut: 'All other sessions have ended. Change your password now, and check your tokens.',
};

export const scopes = {
  legend: 'Areas',
  all: 'All areas',
  some: 'Only some areas',
  group: 'Area',
  levels: { '': 'None', read: 'See', write: 'Change' } as Record<string, string>,
  groups: {
    accounts: 'Accounts and piggy banks',
    transactions: 'Transactions and search',
    attachments: 'Attached files',
    bills: 'Bills and recurring transactions',
    budgets: 'Budgets',
    labels: 'Categories and tags',
    rules: 'Rules',
    reports: 'Reports, charts, dashboard',
    imports: 'Imports',
    exports: 'Exports',
    settings: 'Settings, currencies, exchange rates',
    notices: 'Notices',
    webhooks: 'Webhooks',
    changes: 'Changes and undoing them',
    users: 'Users of this installation',
  } as Record<string, string>,
  choose: 'Choose at least one area.',
  networks: 'Only from these networks',
  networksHint: 'For example 192.168.1.0/24. Separate several with commas. Leave it empty to allow all.',
  books: 'In which books?',
  limited: (count: number) => `Limited to ${plural(count, 'area', 'areas')}`,
  list: (areas: string[]) => areas.join(', '),
  area: (group: string, level: string) => `${group} (${level})`,
  from: (networks: string[]) => `Only from ${networks.join(', ')}`,
  inBooks: (email: string) => `In the books of ${email}`,
  inLostBooks: 'In books that are no longer shared with you',
};
