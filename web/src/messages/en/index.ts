// All messages in English, by area. A message with parameters is a function.
import { dashboard } from './dashboard';
import { accounts } from './accounts';
import { transactions } from './transactions';
import { attachments } from './attachments';
import { bills } from './bills';
import { imports } from './imports';
import { recurrences } from './recurrences';
import { budgets } from './budgets';
import { piggyBanks } from './piggy-banks';
import { settings } from './settings';
import { common } from './common';
import { typed } from './entry';
import { signInPages } from './sign-in';

export const en = {
  ...common,
  ...typed,
  ...signInPages,
  dashboard,
  accounts,
  transactions,
  attachments,
  bills,
  imports,
  recurrences,
  budgets,
  piggyBanks,
  settings,
};
