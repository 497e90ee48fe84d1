// Messages of the keypad, and of what other apps share.
export const quick = {
  title: 'Quick entry',
  keypad: 'Amount',
  erase: 'Erase the last digit',
  payees: 'Save as an expense with',
  other: 'Other …',
  share: {
    title: 'Shared files',
    record: 'New transaction with these files',
    bring: 'Import',
    none: 'Nothing was shared',
    noneText: 'Share a receipt or a bank file with Farthing from another app.',
    missed: 'Farthing was not ready yet. Share the file once more.',
  },
};
