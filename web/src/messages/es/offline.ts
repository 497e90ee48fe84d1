// Messages of what is kept on this device, and of what waits to be sent.
import { plural } from './text';

const entries = (count: number): string => plural(count, 'anotación', 'anotaciones');

export const offline = {
  title: 'Pendiente de envío',
  lead: 'Estas anotaciones solo están en este dispositivo. Se envían en este orden en cuanto el servidor responde.',
  none: 'No hay nada pendiente',
  noneText: 'Todo lo que has anotado en este dispositivo está en tus cuentas.',
  asOf: (at: string) => `Sin conexión. Ves tus cuentas tal como estaban: ${at}.`,
  waits: (count: number) => `${entries(count)} ${count === 1 ? 'pendiente' : 'pendientes'} de envío`,
  refused: (count: number) => `${entries(count)} ${count === 1 ? 'necesita' : 'necesitan'} tu atención`,
  kept: (text: string) => `«${text}» se guarda en este dispositivo y se envía cuando el servidor responda.`,
  sent: (count: number) =>
    count === 1
      ? `Se ha enviado ${entries(count)} de este dispositivo.`
      : `Se han enviado ${entries(count)} de este dispositivo.`,
  sentMeanwhile: 'Esta anotación se ha enviado entretanto. La encuentras entre tus movimientos.',
  unsure:
    'Puede que esta anotación llegara hace dos días o más. Mira entre tus movimientos antes de volver a enviarla.',
  change: 'Un cambio',
  files: (count: number) => plural(count, 'archivo', 'archivos'),
  open: 'Abrir',
  openNamed: (text: string) => `Abrir ${text}`,
  retry: 'Enviar de nuevo',
  discard: 'Descartar',
  discardNamed: (text: string) => `Descartar ${text}`,
  discardTitle: '¿Descartar esta anotación?',
  discardText: 'No se ha guardado, y sus archivos se borran de este dispositivo.',
  discardFilesText: 'El movimiento está guardado. Los archivos que no se han enviado se borran de este dispositivo.',
  mayHaveArrived: 'Puede que ya haya llegado; el servidor lo dirá cuando responda.',
  sendNow: 'Enviar ahora',
  signOut: {
    title: '¿Cerrar sesión y perder lo pendiente?',
    text: 'Hay anotaciones en este dispositivo que no se han enviado. Al cerrar sesión se borran.',
  },
  ask: {
    title: '¿Guardar tus cuentas en este dispositivo?',
    text: 'Así puedes leerlas y anotar movimientos sin conexión. Lo que anotes se envía más tarde. Al cerrar sesión se borra todo de este dispositivo. Hazlo solo en un dispositivo tuyo.',
    yes: 'Guardar en este dispositivo',
    no: 'En este dispositivo no',
  },
  setting: 'Guardar mis cuentas en este dispositivo, para leer y anotar sin conexión',
  settingHint: 'Al cerrar sesión se borran de él.',
  update: 'Hay una nueva versión de Farthing.',
  reload: 'Usarla ahora',
};
