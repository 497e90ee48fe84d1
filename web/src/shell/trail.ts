// How many steps is it from one address to the next, and which way? The browser does not say: each step carries its number.
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
  // A link to where one is already takes the number away.
  addEventListener('popstate', () => location.hash === address && write());
}

/** Since it was asked last; back is below zero. What has no number yet is new, and one step ahead. */
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
