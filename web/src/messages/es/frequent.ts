// What every page says of imports, rules and recurring transactions; the other texts of these come with their pages.
import { percent } from './text';

export const frequent = {
  imports: {
    title: 'Importar',
    bring: {
      title: 'Trae tus datos',
      text: 'Archivos de tu banco: CSV, OFX, QFX, QIF, CAMT o MT940. Puedes comprobar cada fila antes de que se anote nada.',
      programs:
        'O todos tus datos de otro programa: Firefly III, Actual, GnuCash, YNAB, hledger, Beancount, Mint o Lunch Money.',
      choose: 'Elegir archivos',
      drop: 'o suéltalos en cualquier parte de Farthing',
      dropNow: 'Suelta para importar',
      uploading: (name: string, share: number) => `Subiendo ${name}, ${percent(share)}`,
      cancel: 'Cancelar la subida',
      tooLarge: (name: string) => `«${name}» es mayor de lo que permite esta instalación.`,
      partly: (name: string, reason: string) => `«${name}» no se ha añadido: ${reason}`,
    },
  },
  rules: {
    title: 'Reglas',
    newTitle: 'Nueva regla',
    editTitle: 'Editar regla',
    tryTitle: 'Probar una regla',
    tryGroupTitle: 'Probar un grupo de reglas',
  },
  recurrences: {
    title: 'Movimientos recurrentes',
    newTitle: 'Nuevo movimiento recurrente',
    editTitle: 'Editar movimiento recurrente',
    noAccount: 'Añade primero una cuenta propia.',
    makeAccount: 'Añadir una cuenta',
  },
};
