// Which books this tab works in: the user's own, or those of somebody who shares them.

const keyOf = (user: string): string => `books:${user}`;
const GONE = 'books-gone';

/** The choice of this tab, else the last one on this device; empty means one's own. */
export function recallBooks(user: string): string {
  return sessionStorage.getItem(keyOf(user)) ?? localStorage.getItem(keyOf(user)) ?? '';
}

/** Whether the user has ever chosen books on this device. */
export function hasChosenBooks(user: string): boolean {
  return (sessionStorage.getItem(keyOf(user)) ?? localStorage.getItem(keyOf(user))) !== null;
}

export function chooseBooks(user: string, books: string): void {
  sessionStorage.setItem(keyOf(user), books);
  localStorage.setItem(keyOf(user), books);
}

/** The books are no longer shared; said after the app has started over. */
export function loseBooks(user: string): void {
  chooseBooks(user, '');
  sessionStorage.setItem(GONE, '1');
}

/** True once after the books were lost. */
export function wereBooksLost(): boolean {
  const lost = sessionStorage.getItem(GONE) !== null;
  sessionStorage.removeItem(GONE);
  return lost;
}
