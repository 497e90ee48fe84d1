// Messages of what is kept on this device, and of what waits to be sent.
import { plural } from './text';

const entries = (count: number): string => plural(count, 'entry', 'entries');

export const offline = {
  title: 'Waiting to be sent',
  lead: 'These entries are on this device only. They are sent in this order as soon as the server answers.',
  none: 'Nothing is waiting',
  noneText: 'Everything you recorded on this device is in your books.',
  asOf: (at: string) => `No connection. You see your books as of ${at}.`,
  waits: (count: number) => `${entries(count)} ${count === 1 ? 'waits' : 'wait'} to be sent`,
  refused: (count: number) => `${entries(count)} ${count === 1 ? 'needs' : 'need'} you`,
  kept: (text: string) => `“${text}” is kept on this device and sent when the server answers.`,
  sent: (count: number) =>
    `${plural(count, 'entry', 'entries')} from this device ${count === 1 ? 'was' : 'were'} sent.`,
  sentMeanwhile: 'This entry was sent in the meantime. You find it among your transactions.',
  unsure: 'This entry may have arrived two days ago or earlier. Look among your transactions before you send it again.',
  change: 'A change',
  files: (count: number) => plural(count, 'file', 'files'),
  open: 'Open',
  openNamed: (text: string) => `Open ${text}`,
  retry: 'Send again',
  discard: 'Discard',
  discardNamed: (text: string) => `Discard ${text}`,
  discardTitle: 'Discard this entry?',
  discardText: 'It was not saved, and its files are deleted from this device.',
  discardFilesText: 'The transaction was saved. Its files that were not sent are deleted from this device.',
  mayHaveArrived: 'It may have arrived; the server will say when it answers.',
  sendNow: 'Send now',
  signOut: {
    title: 'Sign out and lose what waits?',
    text: 'Some entries on this device have not been sent. Signing out deletes them.',
  },
  ask: {
    title: 'Keep your books on this device?',
    text: 'Then you can read them and record transactions without a connection. What you record is sent later. Signing out deletes everything from this device. Do this only on a device of your own.',
    yes: 'Keep on this device',
    no: 'Not on this device',
  },
  setting: 'Keep my books on this device, to read and record without a connection',
  settingHint: 'Signing out deletes them from it.',
  update: 'A new version of Farthing is ready.',
  reload: 'Use it now',
};
