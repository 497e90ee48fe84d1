// Everything the app says, in English. A text with something to fill in is a function.
const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const en = {
  app: { name: 'Farthing', skip: 'Skip to the page', menu: 'Menu', loading: 'Loading …', newTransaction: 'New transaction' },
  nav: {
    dashboard: 'Dashboard',
    accounts: 'Accounts',
    transactions: 'Transactions',
    bills: 'Bills',
    recurrences: 'Recurring',
    budgets: 'Budgets',
    piggyBanks: 'Piggy banks',
    settings: 'Settings',
    signOut: 'Sign out',
  },
  actions: {
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    delete: 'Delete',
    edit: 'Edit',
    add: 'Add',
    undo: 'Undo',
    retry: 'Try again',
    dismiss: 'Dismiss',
    copy: 'Copy',
    copied: 'Copied',
    more: 'More',
    search: 'Search',
    next: 'Next',
    previous: 'Previous',
    showTable: 'Show as table',
    hideTable: 'Hide table',
  },
  notices: { undone: 'Undone.', nothingToUndo: 'There is nothing to undo any more.', region: 'Notices' },
  errors: {
    unreachable: 'Farthing does not answer. Check the connection; nothing you typed is lost.',
    unknown: 'Something went wrong. Reload the page and try again.',
    conflict: 'Someone changed this since you opened it. Reload to see the change, then edit again.',
    tooMany: (seconds: number) => `Too many tries. Wait ${seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.max(seconds, 1)} seconds`}, then try again.`,
    busy: 'Farthing is busy for a moment. Try again.',
    crash: (id: string) => `Farthing stumbled over this. It is in the log as request ${id}.`,
    notFound: 'There is no such page.',
    notFoundWhat: 'It may have been deleted. Changes lists what was done, and can take it back.',
    hidden: 'Amount hidden',
  },
  pages: { of: (page: number, pages: number) => `Page ${page} of ${pages}`, total: (count: number) => plural(count, 'entry', 'entries'), label: 'Pages' },
  help: {
    title: 'Keyboard',
    search: 'Search',
    newTransaction: 'New transaction',
    hideAmounts: 'Hide or show amounts',
    help: 'This sheet',
    goTo: (page: string) => `Go to ${page}`,
  },
  look: { theme: 'Theme', auto: 'As the system', light: 'Light', dark: 'Dark', hideAmounts: 'Hide amounts', showAmounts: 'Show amounts' },
  signIn: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    withLink: 'Signing in with your link …',
    linkFailed: 'This link no longer works. Sign in with your password, or make a new link with `farthing user link`.',
    expired: 'You were signed out. Sign in to go on where you were.',
  },
  firstRun: {
    title: 'Welcome to Farthing',
    lead: 'Nobody lives here yet. Choose how you sign in; you will own this installation.',
    openLink: 'To make the first user, open the link that the server printed when it started. It looks like this:',
    email: 'E-mail',
    password: 'Password',
    passwordHint: 'At least 8 characters.',
    currency: 'Currency of your daily life',
    submit: 'Begin',
  },

  dashboard: {
    title: 'Dashboard',
  },

  accounts: {
    title: 'Accounts',
  },

  transactions: {
    title: 'Transactions',
  },

  bills: {
    title: 'Bills',
  },

  recurrences: {
    title: 'Recurring transactions',
  },

  budgets: {
    title: 'Budgets',
  },

  piggyBanks: {
    title: 'Piggy banks',
  },

  settings: {
    title: 'Settings',
  },
};
