// All messages in German, by area. "Sie", as banks do; quotation marks are „ and “.
//
// English                  | German                           | not
// ------------------------ | -------------------------------- | -----------------------------
// account, balance         | Konto, Saldo                     | Kontostand
// opening balance          | Anfangssaldo                     |
// transaction              | Buchung                          | Transaktion
// expense, income          | Ausgabe, Einnahme                | Abhebung, Einzahlung
// transfer                 | Umbuchung                        | Überweisung
// split                    | Teilbuchung                      | Split
// payee, payer             | Zahlungsempfänger, Zahler        | Händler
// bill                     | (wiederkehrende) Rechnung        | Gesetz, Abo
// recurring transaction    | Dauerbuchung                     | Dauerauftrag
// budget, limit            | Budget, Grenze                   | Limit
// piggy bank               | Sparziel                         | Sparschwein
// category, tag            | Kategorie, Schlagwort            | Tag
// rule, condition          | Regel, Bedingung                 | Auslöser
// to reconcile, to tick    | abgleichen, abhaken              | abstimmen
// statement                | Kontoauszug                      |
// net worth                | Nettovermögen                    | Reinvermögen
// inbox                    | Eingang                          | Posteingang
// notice                   | Mitteilung (Meldung: das kurze Fenster) | Benachrichtigung
// dashboard                | Übersicht                        | Dashboard
// owner (of the server)    | Betreiber                        | Besitzer
// books                    | Bücher                           |
// undo                     | rückgängig machen                |
import type { Everyday } from '../loading';
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

export const de: Everyday = {
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
