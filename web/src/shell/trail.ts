// Counts the steps between two entries of the browser's history. The browser does not tell, so each entry carries its number.
let at = 0;
let address = '';
/** The addresses of the entries since the app was loaded, by number. */
const addresses = new Map<number, string>();

const readNumber = (): number | null => (history.state as { at?: number } | null)?.at ?? null;

/** The number of the current entry. */
export const currentNumber = (): number => at;

function write(): void {
  addresses.set(at, (address = location.hash));
  if (readNumber() !== at) history.replaceState({ at }, '');
}

export function begin(): void {
  at = readNumber() ?? 0;
  write();
  // A link to the current address removes the number.
  addEventListener('popstate', () => location.hash === address && write());
}

/** True when the current entry is one that the user has visited before, by Back or Forward. */
export const isVisited = (): boolean => readNumber() !== null;

/** Steps since the last call; negative means back. An entry without a number is new, one step ahead. */
export function countSteps(): number {
  const before = at;
  at = readNumber() ?? before + 1;
  write();
  return at - before;
}

/** The address of the entry before; null when it is not known. */
export const addressBefore = (): string | null => addresses.get(at - 1) ?? null;

/** Changes the address without a new step. */
export function rename(hash: string): void {
  history.replaceState({ at }, '', hash);
  addresses.set(at, (address = location.hash));
}
