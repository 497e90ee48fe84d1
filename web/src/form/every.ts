// Converts between "every 2 months", which people say, and the number of months to skip each time, which the API takes.

/** The API's number of skipped periods as the number that follows "every". */
export function toEvery(skip: string | number | null | undefined): string {
  const number = Number(String(skip ?? '').trim() || '0');
  return Number.isInteger(number) ? String(number + 1) : String(skip);
}

/** The reverse. Null when it is not a whole number from 1 to `max`; an empty field means every time. */
export function toSkip(every: string | number | null | undefined, max: number): string | null {
  const text = String(every ?? '').trim() || '1';
  const number = Number(text);
  return /^\d+$/.test(text) && number >= 1 && number <= max ? String(number - 1) : null;
}
