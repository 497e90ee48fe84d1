// Counts the steps between two entries of the browser's history. The browser does not tell, so each entry carries its number.
let at = 0;
let address = '';

const numbered = (): number | null => (history.state as { at?: number } | null)?.at ?? null;

function write(): void {
  address = location.hash;
  if (numbered() !== at) history.replaceState({ at }, '');
}

export function begin(): void {
  at = numbered() ?? 0;
  write();
  // A link to the current address removes the number.
  addEventListener('popstate', () => location.hash === address && write());
}

/** Steps since the last call; negative means back. An entry without a number is new, one step ahead. */
export function walked(): number {
  const before = at;
  at = numbered() ?? before + 1;
  write();
  return at - before;
}

/** Another address for the same step. */
export function rename(hash: string): void {
  history.replaceState({ at }, '', hash);
  address = location.hash;
}
