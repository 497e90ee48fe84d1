// Names an import, and tells the files of banks from the books of other programs.
import type { ImportJob } from '$/api/types';
import { seldom } from '$/messages/seldom';

/** The first file; the page lists the others. */
export function nameOf({ attributes }: ImportJob): string {
  const { files, format } = attributes;
  const first = files[0]?.filename ?? (format ? (seldom.imports.formats[format] ?? format) : seldom.imports.nameless);
  return files.length > 1 ? `${first} ${seldom.imports.more(files.length - 1)}` : first;
}

const BANK_FORMATS = new Set(['csv', 'ofx', 'qif', 'camt', 'mt940']);

/** The books of another program have several accounts, and are taken over whole. */
export function isProgram({ attributes }: ImportJob): boolean {
  return attributes.format !== null && !BANK_FORMATS.has(attributes.format);
}

/** It is being fetched from a running program: its file is still to come. */
export function isFetching({ attributes }: ImportJob): boolean {
  return attributes.state === 'uploaded' && !attributes.files.length && 'url' in attributes.detected;
}
