// Messages of shared books and invitations.

const roles: Record<string, string> = {
  owner: 'Owner',
  full: 'Full access',
  bookkeeper: 'Bookkeeper',
  viewer: 'Viewer',
};

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

export const sharing = {
  membersOf: (email: string) => `Who can open the books of ${email}`,
  members: 'Who can open your books',
  hint: 'Everyone signs in as themselves. Settings › Changes shows who did what.',
  nobody: 'Nobody else has access to these books yet.',
  role: 'Role',
  since: 'Since',
  meaning: {
    viewer: 'Sees everything, but cannot change anything.',
    bookkeeper: 'Records and corrects everything, but cannot delete accounts, export, invite or change settings.',
    full: 'Can do everything that the owner can, except hand the books over.',
  } as Record<string, string>,
  roleOf: (email: string) => `Role of ${email}`,
  roleChanged: (email: string, role: string) => `${email} is now: ${roles[role] ?? role}.`,
  end: 'Remove',
  endNamed: (email: string) => `Remove ${email}`,
  endAsk: (email: string) => `${email} loses access to these books at once. What they recorded stays.`,
  ended: (email: string) => `${email} no longer has access to these books.`,
  invite: 'Invite somebody',
  name: 'Who is it for?',
  nameHint: 'A name for your own list, such as Sam.',
  makeLink: 'Create invitation link',
  linkMade: (name: string, until: string) =>
    `Send this link to ${name}. It works once and expires on ${until}. It is not shown again.`,
  link: 'Invitation link',
  open: 'Open invitations',
  until: (when: string) => `link expires on ${when}`,
  takeBack: 'Withdraw',
  takeBackNamed: (name: string) => `Withdraw the invitation for ${name}`,
  takenBack: 'Invitation withdrawn.',
  handOver: 'Hand over these books',
  handOverOpen: 'Choose a new owner',
  handOverText:
    'Whoever opens the link and accepts becomes the owner of these books. You keep full access. They need a user here whose own books are empty.',
  handOverWarning: 'Once it is accepted, only the new owner can give the books back to you.',
  handOverLink: 'Create handover link',
  handOverName: 'Who is the new owner?',
  withMe: 'Books shared with you',
  withMeNone:
    'Nobody shares books with you yet. When somebody sends you an invitation link, open it to work in their books.',
  go: 'Open',
  goNamed: (email: string) => `Open the books of ${email}`,
  leave: 'Leave',
  leaveNamed: (email: string) => `Leave the books of ${email}`,
  leaveAsk: (email: string) => `You will not be able to open the books of ${email} again unless they invite you.`,
  left: (email: string) => `You have left the books of ${email}.`,
};

export const invitation = {
  title: 'Invitation',
  text: (email: string) =>
    `${email} invites you to work in their books in Farthing, where they keep track of their money.`,
  handOver: (email: string) => `${email} wants to hand over their books to you.`,
  asRole: 'Your role:',
  meaning: {
    ...sharing.meaning,
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
