// All messages in Spanish, by area. The same keys as in English.
//
// The words of this language. Whoever adds a message uses them, and none of the last column.
//
// English                 | Spanish                                    | not
// account                 | cuenta                                     |
// bill                    | recibo                                     | factura
// receipt of a shop       | tique                                      | recibo
// recurring transaction   | movimiento recurrente                      | periódico
// transaction             | movimiento                                 | transacción, apunte
// split                   | parte (dividir)                            | desglose
// expense, income         | gasto, ingreso                             | retirada, depósito
// transfer                | traspaso                                   | transferencia
// to book, to record      | anotar                                     | contabilizar
// payee, payer            | beneficiario, ordenante                    | tercero
// source of income        | fuente de ingresos                         |
// budget, limit           | presupuesto, límite                        |
// to budget               | repartir (available: disponible)           | presupuestar
// left to spend           | queda por gastar                           |
// piggy bank, target      | hucha, objetivo                            | alcancía
// category, sub-category  | categoría, subcategoría                    |
// parent category         | categoría principal                        | padre
// tag, rule               | etiqueta, regla                            |
// condition, action       | condición, acción                          | disparador
// net worth               | patrimonio neto                            | valor neto
// balance                 | saldo                                      | balance
// statement               | extracto                                   |
// reconcile               | conciliar                                  | cuadrar (to match)
// due, overdue            | vence, vencido                             | atrasado
// upcoming, expected      | próximo, previsto                          |
// currency, primary one   | moneda, moneda principal                   | divisa
// exchange rate           | tipo de cambio (columns: cambio)           | tasa
// foreign amount          | importe en otra moneda                     | extranjero
// amount                  | importe                                    | monto, cantidad
// books                   | contabilidad                               | libros
// bookkeeper, viewer      | contable, observador                       |
// role                    | papel                                      | rol
// inbox                   | por revisar                                | bandeja
// notice                  | aviso                                      | notificación
// attachment              | archivo, adjunto                           | fichero
// bank holiday            | festivo                                    | feriado
// dashboard, its cards    | panel, tarjetas                            | tablero
// settings                | ajustes                                    | configuración
// app                     | aplicación                                 | app
// sign in, sign out       | iniciar sesión, cerrar sesión              | conectarse
// second step, passkey    | segundo paso, llave de acceso              | clave de acceso
// delete, remove          | eliminar, quitar                           | borrar
// undo, change            | deshacer, cambio                           | modificación
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

export const es = {
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
