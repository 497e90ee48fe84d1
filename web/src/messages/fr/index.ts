// All messages in French, by area. A message with parameters is a function.
//
// Before `; : ! ?` and inside « » stands a narrow no-break space (U+202F); the apostrophe is ’. Buttons are infinitives.
//
// English                  | French                           | not
// ------------------------ | -------------------------------- | -----------------------------
// account                  | compte                           |
// transaction              | opération                        | transaction, écriture
// expense, income          | dépense, revenu                  | retrait, dépôt
// transfer                 | virement interne                 | transfert
// split, to split          | ligne (d’une ventilation), ventiler | fractionnement
// description              | libellé                          | description
// payee (either direction) | tiers                            |
// payee (whom you pay)     | bénéficiaire                     | marchand
// payer                    | payeur                           | source
// bill                     | facture récurrente, then facture | abonnement
// period or payment of one | échéance                         | période
// recurring transaction    | opération récurrente             | périodique
// to book                  | enregistrer                      | comptabiliser, passer
// piggy bank               | tirelire                         | cagnotte
// limit of a budget        | plafond                          | limite
// available to budget      | montant à répartir               | budget disponible
// without a budget         | hors budget                      |
// tag                      | étiquette                        | tag, mot-clé
// rule                     | règle                            |
// to reconcile, to tick    | rapprocher, pointer              | réconcilier
// statement                | relevé                           |
// net worth                | patrimoine net                   | valeur nette
// owed                     | reste dû                         |
// inbox                    | à traiter                        | boîte de réception
// books                    | comptabilité                     | livres
// bookkeeper, viewer       | saisie, consultation (roles)     | comptable, lecteur
// link, unlink             | associer, dissocier              | lier, délier
// pause, resume            | suspendre, reprendre             | pause
// undo and cancel          | annuler                          | défaire
// changes (the list)       | historique                       |
// notice                   | notification                     | alerte
// passkey                  | clé d’accès                      | passkey
// recovery code            | code de secours                  | code de récupération
// token                    | jeton                            | token
// to register an app       | déclarer                         | enregistrer
// attachment               | pièce jointe, fichier            |
// rate                     | taux                             | cours
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
import type { Everyday } from '../loading';
import { changes, fieldNames, versions } from './changes';

export const fr: Everyday = {
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
