// Messages of the pages of categories, tags and payees.
import { plural } from './text';

const transactions = (count: number): string => plural(count, 'transaction', 'transactions');

export const labels = {
  categories: {
    title: 'Categories',
    one: 'Category',
    new: 'New category',
    emptyTitle: 'No categories yet',
    emptyText:
      'A category says what money was spent on, or where it came from. Name one in a transaction, or create it here.',
    chooseText: 'Which category',
  },
  tags: {
    title: 'Tags',
    one: 'Tag',
    new: 'New tag',
    emptyTitle: 'No tags yet',
    emptyText:
      'Tags mark transactions that belong together, such as a holiday. Name one in a transaction, or create it here.',
    chooseText: 'Which tag',
  },
  payees: {
    title: 'Payees',
    one: 'Payee',
    new: 'New payee',
    emptyTitle: 'No payees yet',
    emptyText:
      'A payee is whoever you pay, or whoever pays you. One is created with the first transaction that names it.',
    chooseText: 'Which payee',
  },
  name: 'Name',
  spent: 'Spent',
  earned: 'Earned',
  parent: 'Parent category',
  noParent: 'None',
  hasChildren: 'This category has sub-categories, so it cannot have a parent itself.',
  budget: 'Default budget',
  budgetHint: 'Expenses in this category get this budget unless you choose another.',
  noBudget: 'None',
  recent: 'Last 12 months',
  search: 'Find by name',
  fold: 'Parents include sub-categories',
  hideUnused: (count: number) => `Hide ${count} unused`,
  nothingFound: 'Nothing found with this name.',
  more: (shown: number, total: number) => `The first ${shown} of ${total} are shown.`,
  subOf: (name: string) => `under ${name}`,
  overTime: 'Month by month',
  chart: (name: string) => `${name}, month by month`,
  noMonths: 'Nothing was spent or earned in this time.',
  booked: 'Transactions',
  showAll: 'Show 20 years',
  noneBooked: 'No transactions in this time.',
  children: 'Sub-categories',
  withChildren: 'Include sub-categories',
  account: { expense: 'Account you pay', revenue: 'Account that pays you' },
  newTransaction: 'New transaction',
  edit: (name: string) => `Edit ${name}`,
  saved: (name: string) => `${name} saved.`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (count: number) =>
    `${transactions(count)} will be kept without it. Recurring transactions lose it, too. You can undo this.`,
  freed: (count: number) => `${plural(count, 'sub-category stays', 'sub-categories stay')} without a parent.`,
  deleted: (name: string) => `${name} deleted. Its transactions are kept.`,
  merge: 'Merge',
  mergeTitle: (name: string) => `Merge ${name} into another`,
  mergeInto: 'Merge into',
  choose: 'Choose …',
  mergeText: (name: string, count: number, into: string) =>
    `${transactions(count)} will move from ${name} to ${into}, and ${name} will be deleted.`,
  mergeFollows: 'Rules and recurring transactions that use it change with it. You can undo this.',
  merged: (name: string, into: string) => `${name} merged into ${into}.`,
  kinds: { expense: 'You pay', revenue: 'Pays you' },
};
