// What every page says of imports, rules and recurring transactions; the other texts of these come with their pages.

export const frequent = {
  imports: {
    title: 'Import',
    bring: {
      title: 'Bring your data',
      text: 'Files from your bank: CSV, OFX, QFX, QIF, CAMT or MT940. You can check every row before anything is booked.',
      programs:
        'Or all your data from another program: Firefly III, Actual, GnuCash, YNAB, hledger, Beancount, Mint or Lunch Money.',
      choose: 'Choose files',
      drop: 'or drop them anywhere in Farthing',
      dropNow: 'Drop to import',
      uploading: (name: string, percent: number) => `Uploading ${name}, ${percent}%`,
      cancel: 'Cancel the upload',
      tooLarge: (name: string) => `“${name}” is larger than this installation allows.`,
      partly: (name: string, reason: string) => `“${name}” was not added: ${reason}`,
    },
  },
  rules: {
    title: 'Rules',
    newTitle: 'New rule',
    editTitle: 'Edit rule',
    tryTitle: 'Try a rule',
    tryGroupTitle: 'Try a group of rules',
  },
  recurrences: {
    title: 'Recurring transactions',
    newTitle: 'New recurring transaction',
    editTitle: 'Edit recurring transaction',
    noAccount: 'Add an account of your own first.',
    makeAccount: 'Add an account',
  },
};
