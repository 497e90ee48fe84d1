// In which words does the app speak? One file per language, each with the same keys; English is the measure.
import { en } from './en';

export type Messages = typeof en;
export const t: Messages = en;
