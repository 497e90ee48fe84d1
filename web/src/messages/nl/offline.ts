// Messages of what is kept on this device, and of what waits to be sent.
import { plural } from './text';

const entries = (count: number): string => plural(count, 'ingevoerde transactie', 'ingevoerde transacties');

export const offline = {
  title: 'Wacht op verzending',
  lead: 'Dit staat alleen op dit apparaat. Het wordt in deze volgorde verzonden zodra de server antwoordt.',
  none: 'Er wacht niets',
  noneText: 'Alles wat je op dit apparaat hebt ingevoerd, staat in je boekhouding.',
  asOf: (at: string) => `Geen verbinding. Je ziet je boekhouding van ${at}.`,
  waits: (count: number) => `${entries(count)} ${count === 1 ? 'wacht' : 'wachten'} op verzending`,
  refused: (count: number) => `${entries(count)} ${count === 1 ? 'vraagt' : 'vragen'} je aandacht`,
  kept: (text: string) => `“${text}” wordt op dit apparaat bewaard en verzonden zodra de server antwoordt.`,
  sent: (count: number) => `${entries(count)} van dit apparaat ${count === 1 ? 'is' : 'zijn'} verzonden.`,
  sentMeanwhile: 'Deze invoer is intussen verzonden. Je vindt hem bij je transacties.',
  unsure:
    'Deze invoer is twee dagen geleden of eerder misschien aangekomen. Kijk bij je transacties voor je hem opnieuw verzendt.',
  change: 'Een wijziging',
  files: (count: number) => plural(count, 'bestand', 'bestanden'),
  open: 'Openen',
  openNamed: (text: string) => `${text} openen`,
  retry: 'Opnieuw verzenden',
  discard: 'Weggooien',
  discardNamed: (text: string) => `${text} weggooien`,
  discardTitle: 'Deze invoer weggooien?',
  discardText: 'Hij is niet opgeslagen, en de bestanden worden van dit apparaat verwijderd.',
  discardFilesText:
    'De transactie is opgeslagen. De bestanden die niet zijn verzonden, worden van dit apparaat verwijderd.',
  mayHaveArrived: 'Misschien is hij al aangekomen; de server zegt het zodra die antwoordt.',
  sendNow: 'Nu verzenden',
  signOut: {
    title: 'Uitloggen en verliezen wat wacht?',
    text: 'Op dit apparaat staat invoer die niet is verzonden. Als je uitlogt, wordt die verwijderd.',
  },
  ask: {
    title: 'Je boekhouding op dit apparaat bewaren?',
    text: 'Dan kun je die zonder verbinding lezen en transacties invoeren. Wat je invoert, wordt later verzonden. Als je uitlogt, wordt alles van dit apparaat verwijderd. Doe dit alleen op een eigen apparaat.',
    yes: 'Op dit apparaat bewaren',
    no: 'Niet op dit apparaat',
  },
  setting: 'Mijn boekhouding op dit apparaat bewaren, om zonder verbinding te lezen en in te voeren',
  settingHint: 'Als je uitlogt, wordt die ervan verwijderd.',
  update: 'Er is een nieuwe versie van Farthing.',
  reload: 'Nu gebruiken',
};
