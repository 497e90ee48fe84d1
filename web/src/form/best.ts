// Which of the suggestions fits what was typed best.

interface Named {
  text: string;
}

const fold = (text: string): string => text.trim().toLowerCase();
/** Without accents, as the server compares names: `muller` finds `Müller`. */
const plain = (text: string): string => fold(text).normalize('NFD').replace(/\p{M}/gu, '');
const LETTER = /[\p{L}\p{N}]/u;

export function isExact({ text }: Named, typed: string): boolean {
  return fold(text) === fold(typed);
}

/** True if a word of the name begins as typed: `markt` begins a word of `REWE Markt`, and not of `Biomarkt`. */
export function beginsWord({ text }: Named, typed: string): boolean {
  const [name, beginning] = [plain(text), plain(typed)];
  for (let at = name.indexOf(beginning); at >= 0; at = name.indexOf(beginning, at + 1))
    if (at === 0 || !LETTER.test(name[at - 1]!)) return true;
  return false;
}

/**
 * The row to highlight; −1 is none. Where a new name may be made, which is the row after the suggestions, letters in the middle of a
 * word do not make a name the best match: `art` is not meant to be `REWE Markt`.
 */
export function bestOf(suggestions: Named[], typed: string, canMake: boolean): number {
  const exact = suggestions.findIndex((suggestion) => isExact(suggestion, typed));
  if (exact >= 0) return exact;
  const first = suggestions.findIndex((suggestion) => beginsWord(suggestion, typed));
  if (first >= 0) return first;
  return canMake ? suggestions.length : Math.min(0, suggestions.length - 1);
}
