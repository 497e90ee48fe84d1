// All messages in Dutch, by area. The same keys as in English.
//
// The words of this language. Whoever adds a message uses them, and none of the last column.
//
// English                 | Dutch                                      | not
// account                 | rekening                                   | account
// bill                    | vaste last                                 | rekening, factuur
// recurring transaction   | terugkerende transactie                    | herhaling
// transaction             | transactie                                 | boeking, mutatie
// split                   | deel (splitsen)                            | split
// expense, income         | uitgave, inkomst (mostly: inkomsten)       | opname, storting
// transfer                | overboeking                                | overschrijving
// payee, in general       | tegenpartij                                | begunstigde
// payee you pay, payer    | begunstigde, betaler                       | crediteur, debiteur
// source of income        | inkomstenbron                              |
// budget, limit           | budget, limiet                             | begroting
// to budget               | verdelen (available: beschikbaar)          | budgetteren
// left to spend           | nog te besteden                            |
// piggy bank, target      | spaarpot, doelbedrag                       | spaarvarken
// category, sub-category  | categorie, subcategorie                    |
// parent category         | hoofdcategorie                             | ouder
// tag, rule               | tag, regel                                 | label
// condition, action       | voorwaarde, actie                          | trigger
// net worth               | vermogen                                   | nettowaarde
// balance                 | saldo (saldi)                              | balans
// statement               | afschrift                                  |
// reconcile               | afstemmen                                  | afletteren
// due, overdue            | te betalen, te laat                        | vervallen
// upcoming, expected      | verwacht                                   |
// primary currency, rate  | hoofdvaluta, koers                         | munt
// foreign amount          | vreemd bedrag                              |
// books                   | boekhouding                                | boeken
// bookkeeper, viewer      | boekhouder, meekijker                      |
// notice                  | melding                                    | notificatie
// attachment              | bijlage                                    | aanhangsel
// bank holiday            | feestdag                                   |
// card of the dashboard   | tegel                                      | kaart
// sign in, sign out       | inloggen, uitloggen                        | aanmelden
// second step, passkey    | tweede stap, passkey                       | toegangssleutel
// delete, remove          | verwijderen (a filter: weghalen)           | wissen
// undo, change            | ongedaan maken, wijziging                  | verandering
// until, to (with the day)| tot en met                                 | tot
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

export const nl = {
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
} satisfies Everyday;
