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
  parent: 'Stands under',
  noParent: 'No other category',
  hasChildren: 'This category has sub-categories, so it cannot stand under another.',
  budget: 'Budget by default',
  budgetHint: 'Withdrawals with this category get this budget when they name none.',
  noBudget: 'None',
  recent: 'Last 12 months',
  search: 'Find by name',
  hideUnused: (count: number) => `Hide ${count} unused`,
  nothingFound: 'Nothing has this name.',
  more: (shown: number, total: number) => `The first ${shown} of ${total} are shown.`,
  subOf: (name: string) => `under ${name}`,
  overTime: 'Month by month',
  chart: (name: string) => `${name}, month by month`,
  noMonths: 'Nothing was spent or earned in this time.',
  booked: 'Transactions',
  showAll: 'Show 20 years',
  noneBooked: 'No transactions in this time.',
  children: 'Sub-categories',
  childrenHint: 'Their amounts are not included here.',
  details: 'Details',
  newTransaction: 'New transaction',
  edit: (name: string) => `Edit ${name}`,
  saved: (name: string) => `${name} saved.`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (count: number) =>
    `${transactions(count)} will be kept, but lose this label. Recurrences lose it as well. You can undo this.`,
  freed: (count: number) => `${plural(count, 'sub-category stands', 'sub-categories stand')} alone afterwards.`,
  deleted: (name: string) => `${name} deleted. Its transactions are kept.`,
  merge: 'Merge',
  mergeTitle: (name: string) => `Merge ${name} into another`,
  mergeInto: 'Merge into',
  choose: 'Choose …',
  mergeText: (name: string, count: number, into: string) =>
    `${transactions(count)} will move from ${name} to ${into}, and ${name} will be deleted.`,
  mergeFollows: 'Rules and recurrences that name it follow. You can undo this.',
  merged: (name: string, into: string) => `${name} merged into ${into}.`,
  kinds: { expense: 'Expense', revenue: 'Revenue' },
};
