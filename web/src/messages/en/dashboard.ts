// Messages of the dashboard.
import { plural } from './text';

export const dashboard = {
  title: 'Dashboard',
  loading: 'The dashboard is loading …',
  unknownProxy: {
    title: 'A proxy is not trusted yet',
    text: (address: string) =>
      `Requests come through ${address}, but the server does not trust it. So everybody behind it shares one limit on sign-ins, and a stranger can use it up. If this is your proxy, add this setting and restart the server:`,
    otherwise:
      'If it is not, somebody sent false proxy headers. They were ignored, and this notice disappears after a week.',
  },
  figures: {
    label: 'This period',
    earned: 'Income',
    spent: 'Expenses',
    balance: 'Difference',
    used: (code: string) => `Share of the amount to spend in ${code} that is spent`,
  },
  lead: {
    label: 'At a glance',
    canSpend: 'You can still spend',
    until: (day: string) => `until ${day}`,
    over: 'You have spent more than planned, by',
    wasLeft: (day: string) => `of what was planned until ${day} was left`,
    wasOver: (day: string) => `more than planned was spent until ${day}`,
    more: (first: string) => `more came in than went out since ${first}`,
    less: (first: string) => `more went out than came in since ${first}`,
    setBudget: 'Plan what you can spend',
  },
  cards: {
    figures: 'Income and expenses',
    net_worth: 'Net worth',
    bills: 'Bills to pay',
    recent: 'Latest transactions',
    accounts: 'Accounts',
    coming: 'The next weeks',
    report: 'Report',
  },
  arrange: {
    title: 'Arrange the dashboard',
    cards: 'Cards',
    show: (name: string) => `Show ${name}`,
    saved: 'Dashboard arranged.',
    reports: 'Save a report to make it a card of its own.',
    toReports: 'Go to the reports',
    none: 'All cards are hidden.',
  },
  worth: {
    title: 'Net worth',
    chart: (code: string) => `Net worth in ${code} over time`,
    in: (code: string) => `Net worth in ${code}`,
    nothing: 'Your net worth appears here once an account has a balance.',
  },
  balances: {
    title: 'Accounts',
    all: 'All accounts',
    nothing: 'No accounts yet.',
    more: (count: number) => `And ${plural(count, 'more account', 'more accounts')}.`,
  },
  bills: {
    title: 'Bills to pay',
    all: 'All bills',
    due: 'Due today',
    late: (days: number) => `${plural(days, 'day', 'days')} overdue`,
    longAgo: (count: number, days: number) =>
      `${plural(count, 'payment is', 'payments are')} more than ${days} days overdue`,
    more: (count: number) => `And ${plural(count, 'more payment', 'more payments')} to pay`,
    nothing: 'Nothing is due.',
  },
  timeline: {
    title: (days: number) => `The next ${days} days`,
    today: 'today',
    kinds: { bill: 'Bill', recurrence: 'Recurring' },
    paidBy: (recurrence: string, day: string) => `paid by “${recurrence}” on ${day}`,
    willPay: (recurrence: string, day: string) => `will be paid by “${recurrence}” on ${day}`,
    pays: (bill: string) => `pays the bill “${bill}”`,
    moved: { hand: 'moved', weekend: 'moved: weekend', holiday: 'moved: bank holiday' },
    nothing: 'Nothing is planned.',
    begin: 'Add a recurring transaction',
    more: (count: number) => `Show ${plural(count, 'more', 'more')}`,
    less: 'Show less',
  },
  recent: { title: 'Latest transactions', all: 'All transactions', nothing: 'No transactions yet.' },
  firstSteps: {
    title: 'Three steps to get started',
    done: 'done',
    account: {
      title: 'Your first account',
      text: 'The account you use every day, and its current balance.',
      action: 'Add an account',
    },
    transaction: {
      title: 'Your first transaction',
      text: 'Your latest purchase. All it needs is an amount and a shop.',
      action: 'Enter a transaction',
    },
    bring: {
      title: 'Bring your data',
      text: 'Or begin with files from your bank or from another program.',
      action: 'Import files',
    },
    bill: {
      title: 'Your first bill',
      text: 'Rent, phone or insurance. Farthing tells you when it is due and recognises the payment.',
      action: 'Add a bill',
    },
  },
};
