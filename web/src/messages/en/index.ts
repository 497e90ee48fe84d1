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
import { signInPages } from './sign-in';
import { changes, fieldNames, versions } from './changes';

export const en = {
  ...common,
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
  changes,
  fieldNames,
  versions,
};
