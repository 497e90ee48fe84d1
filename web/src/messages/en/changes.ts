// Messages of what a change did, and of choosing between two versions.
import { imports } from './imports';
import { plural } from './text';

export const changes = {
  show: 'Show what changed',
  showNamed: (change: string) => `Show what changed: ${change}`,
  field: 'Field',
  before: 'Before',
  after: 'After',
  nothing: 'There are no visible differences.',
  empty: 'empty',
  yes: 'yes',
  no: 'no',
  part: (name: string, part: number) => `${name} (${part})`,
  alike: (names: string[], count: number) =>
    count > names.length ? `${names.join(', ')} and ${count - names.length} more` : names.join(', '),
  by: (email: string) => `by ${email}`,
  othersTitle: 'Undo what somebody else did?',
  others: (email: string, summary: string) => `${email} did this: ${summary}. They can see that you undid it.`,
  undo: {
    title: 'Undo this?',
    later: (count: number) =>
      `${plural(count, 'later change rests', 'later changes rest')} on it. All of them are undone together, in this order:`,
    kinds: {
      ...imports.result.kinds,
      transactions: (count: number) => plural(count, 'transaction', 'transactions'),
      attachments: (count: number) => plural(count, 'file', 'files'),
      preferences: (count: number) => plural(count, 'setting', 'settings'),
      exchange_rates: (count: number) => plural(count, 'exchange rate', 'exchange rates'),
    } as Record<string, (count: number) => string>,
    objects: (count: number) => plural(count, 'object', 'objects'),
    deleted: (what: string) => `Deleted: ${what}`,
    made: (what: string) => `Restored: ${what}`,
    changed: (what: string) => `Changed back: ${what}`,
    actions: { deleted: 'will be deleted', made: 'comes back', changed: 'changes back' } as Record<string, string>,
    sum: (count: number) => `${count === 1 ? 'The transaction amounts' : `${count} transactions amount`} to`,
    list: 'What this affects',
    first: (count: number) => `These are the first ${count}.`,
    import: 'Show the import',
    together: (count: number) => `Undo all ${count}`,
    anyway: 'Undo and delete these, too',
    /** Without what only programs can do. */
    forPeople: (reason: string) => reason.replace(/ (Undo with force=1|With `with_later=1`)[^.]*\./g, ''),
  },
};

export const versions = {
  title: 'Someone else changed this',
  text: 'For each field, choose the version to keep, then save. If only one of you changed a field, that version is already chosen.',
  yours: 'Yours',
  theirs: 'Theirs',
  same: 'The saved version is the same as yours. Save again to keep it.',
  save: 'Save these',
  chooseYours: 'Keep all of yours',
  chooseTheirs: 'Keep all of theirs',
};

/** Where a field's own name would not be understood. */
export const fieldNames: Record<string, string> = {
  own: 'Account',
  to: 'To account',
  other: 'Payee or payer',
  source: 'From account',
  destination: 'To account',
  data: 'Value',
  match: 'Words on the statement',
  skip: 'Skipped periods',
  automatch: 'Recognise payments automatically',
  include_net_worth: 'Include in net worth',
  iban: 'IBAN',
  bic: 'BIC',
  splits: 'Splits',
  triggers: 'Conditions',
  budget_percentages: 'Shares of budgets, in percent',
  account_id: 'Account',
  parent: 'Parent category',
  carry: 'Carry over into the next month',
  weekend: 'If it falls on a weekend',
  holidays: 'Treat bank holidays like weekends',
  mime: 'File type',
  size: 'Size in bytes',
  md5: 'Checksum',
};
