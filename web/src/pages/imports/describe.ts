// Names an import by its files.
import type { ImportJob } from '$/api/types';
import { t } from '$/messages';

/** The first file; the page lists the others. */
export function nameOf({ attributes }: ImportJob): string {
  const { files, format } = attributes;
  const first = files[0]?.filename ?? (format ? (t.imports.formats[format] ?? format) : t.imports.nameless);
  return files.length > 1 ? `${first} ${t.imports.more(files.length - 1)}` : first;
}
