// Parses JSON without losing digits: numbers with a fraction, or too large for a float, stay text.

/** A number if a float holds it exactly, otherwise the digits from the server. Only money.ts calculates with it. */
export type ExactNumber = number | string;

// A string, which stays unchanged, or a number outside strings. The string alternative comes first, so numbers inside strings are skipped.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function keepDigits(token: string): string {
  if (token.startsWith('"')) return token;
  const isWhole = !/[.eE]/.test(token) && Number.isSafeInteger(Number(token));
  return isWhole ? token : `"${token}"`;
}

export function parse(text: string): unknown {
  return JSON.parse(text.replace(TOKEN, keepDigits));
}
