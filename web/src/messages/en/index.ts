// All messages in English, by area. A message with parameters is a function.
import { commands } from './commands';
import { dashboard } from './dashboard';
import { accounts } from './accounts';
import { transactions } from './transactions';
import { attachments } from './attachments';
import { bills } from './bills';
import { imports } from './imports';
import { inbox } from './inbox';
import { occasions } from './occasions';
import { offline } from './offline';
import { quick } from './quick';
import { reports } from './reports';
import { rates } from './rates';
import { recurrences } from './recurrences';
import { budgets } from './budgets';
import { calendar } from './calendar';
import { charts } from './charts';
import { labels } from './labels';
import { piggyBanks } from './piggy-banks';
import { rules } from './rules';
import { settings } from './settings';
import { activity, books, invitation, newDevice, scopes, sharing } from './sharing';
import { common } from './common';
import { typed } from './entry';
import { signInPages } from './sign-in';
import { changes, fieldNames, versions } from './changes';

export const en = {
  ...common,
  ...typed,
  ...signInPages,
  commands,
  dashboard,
  accounts,
  transactions,
  attachments,
  bills,
  imports,
  inbox,
  occasions,
  offline,
  quick,
  rates,
  recurrences,
  reports,
  budgets,
  calendar,
  charts,
  labels,
  piggyBanks,
  rules,
  settings,
  activity,
  books,
  invitation,
  newDevice,
  scopes,
  sharing,
  changes,
  fieldNames,
  versions,
};
