// Messages of the keypad, and of what other apps share.
export const quick = {
  title: 'Entrada rápida',
  keypad: 'Importe',
  erase: 'Borrar la última cifra',
  payees: 'Guardar como gasto en',
  other: 'Otro …',
  share: {
    title: 'Archivos compartidos',
    record: 'Nuevo movimiento con estos archivos',
    bring: 'Importar',
    none: 'No se ha compartido nada',
    noneText: 'Comparte un recibo o un archivo del banco con Farthing desde otra aplicación.',
    missed: 'Farthing aún no estaba listo. Comparte el archivo otra vez.',
  },
};
