// Messages of what a change did, and of choosing between two versions.
import { imports } from './imports';
import { plural } from './text';

export const changes = {
  show: 'Mostrar qué cambió',
  showNamed: (change: string) => `Mostrar qué cambió: ${change}`,
  field: 'Campo',
  before: 'Antes',
  after: 'Después',
  nothing: 'No hay diferencias visibles.',
  empty: 'vacío',
  yes: 'sí',
  no: 'no',
  part: (name: string, part: number) => `${name} (${part})`,
  alike: (names: string[], count: number) =>
    count > names.length ? `${names.join(', ')} y ${count - names.length} más` : names.join(', '),
  by: (email: string) => `por ${email}`,
  othersTitle: '¿Deshacer lo que hizo otra persona?',
  others: (email: string, summary: string) => `${email} hizo esto: ${summary}. Podrá ver que lo has deshecho.`,
  undo: {
    title: '¿Deshacer esto?',
    later: (count: number) =>
      `${plural(count, 'cambio posterior depende', 'cambios posteriores dependen')} de esto. Se deshace todo junto, en este orden:`,
    kinds: {
      ...imports.result.kinds,
      transactions: (count: number) => plural(count, 'movimiento', 'movimientos'),
      attachments: (count: number) => plural(count, 'archivo', 'archivos'),
      preferences: (count: number) => plural(count, 'ajuste', 'ajustes'),
      exchange_rates: (count: number) => plural(count, 'tipo de cambio', 'tipos de cambio'),
    } as Record<string, (count: number) => string>,
    deleted: (what: string) => `Se elimina: ${what}`,
    made: (what: string) => `Se recupera: ${what}`,
    changed: (what: string) => `Vuelve a como estaba: ${what}`,
    actions: { deleted: 'se elimina', made: 'se recupera', changed: 'vuelve a como estaba' } as Record<string, string>,
    sum: (count: number) => (count === 1 ? 'El movimiento es de' : `Los ${count} movimientos suman`),
    list: 'A qué afecta',
    first: (count: number) => (count === 1 ? 'Este es el primero.' : `Estos son los ${count} primeros.`),
    import: 'Mostrar la importación',
    together: (count: number) => `Deshacer los ${count}`,
    anyway: 'Deshacer y eliminar también estos',
    /** Without what only programs can do. */
    forPeople: (reason: string) => reason.replace(/ (Undo with force=1|With `with_later=1`)[^.]*\./g, ''),
  },
};

export const versions = {
  title: 'Otra persona ha cambiado esto',
  text: 'Elige en cada campo la versión que quieres conservar y guarda. Si solo uno de los dos ha cambiado un campo, esa versión ya está elegida.',
  yours: 'La tuya',
  theirs: 'La otra',
  same: 'La versión guardada es igual que la tuya. Vuelve a guardar para conservarla.',
  save: 'Guardar estas',
  chooseYours: 'Conservar todo lo tuyo',
  chooseTheirs: 'Conservar todo lo de la otra',
};

/** Where a field's own name would not be understood. */
export const fieldNames: Record<string, string> = {
  own: 'Cuenta',
  to: 'Cuenta de destino',
  other: 'Beneficiario u ordenante',
  source: 'Cuenta de origen',
  destination: 'Cuenta de destino',
  data: 'Valor',
  match: 'Palabras en el extracto',
  skip: 'Periodos omitidos',
  automatch: 'Reconocer los pagos automáticamente',
  include_net_worth: 'Incluir en el patrimonio neto',
  iban: 'IBAN',
  bic: 'BIC',
  splits: 'Partes',
  triggers: 'Condiciones',
  budget_percentages: 'Partes de presupuestos, en tanto por ciento',
  account_id: 'Cuenta',
  parent: 'Categoría principal',
  carry: 'Pasar al mes siguiente',
  weekend: 'Si cae en fin de semana',
  holidays: 'Tratar los festivos como fines de semana',
  mime: 'Tipo de archivo',
  size: 'Tamaño en bytes',
  md5: 'Suma de comprobación',
};
