// The messages of the app: one file per language with the same keys, defined by English.
import { en } from './en';

export type Messages = typeof en;
export const t: Messages = en;
