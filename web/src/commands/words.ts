// Compares names with what was typed: beginnings of words, ignoring case and accents.
const WORD = /[\p{L}\p{N}]+/gu;

export function wordsIn(text: string): string[] {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(WORD) ?? [];
}

/** Every typed word begins a word of the name. */
export function fits(typed: string[], name: string): boolean {
  const words = wordsIn(name);
  return typed.every((one) => words.some((word) => word.startsWith(one)));
}
