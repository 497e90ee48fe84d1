// All messages in English, by area. A message with parameters is a function.
import { commands } from './commands';
import { dashboard } from './dashboard';
import { accounts } from './accounts';
import { transactions } from './transactions';
import { attachments } from './attachments';
import { bills } from './bills';
import { inbox } from './inbox';
import { occasions } from './occasions';
import { offline } from './offline';
import { quick } from './quick';
import { reports } from './reports';
import { rates } from './rates';
import { budgets } from './budgets';
import { calendar } from './calendar';
import { charts } from './charts';
import { labels } from './labels';
import { piggyBanks } from './piggy-banks';
import { settings } from './settings';
import { books, invitation, newDevice, scopes } from './sharing';
import { common } from './common';
import { frequent } from './frequent';
import { typed } from './entry';
import { signInPages } from './sign-in';
import { changes, fieldNames, versions } from './changes';

export const en = {
  ...common,
  ...frequent,
  ...typed,
  ...signInPages,
  commands,
  dashboard,
  accounts,
  transactions,
  attachments,
  bills,
  inbox,
  occasions,
  offline,
  quick,
  rates,
  reports,
  budgets,
  calendar,
  charts,
  labels,
  piggyBanks,
  settings,
  books,
  invitation,
  newDevice,
  scopes,
  changes,
  fieldNames,
  versions,
};
