// Parses JSON without losing digits: numbers with a fraction, or too large for a float, stay text.

/** A whole number that a float holds exactly, or else the digits as the server wrote them. Only money.ts counts with it. */
export type ExactNumber = number | string;

// A string (kept as it is), or a number outside of one. A string always wins, because it begins first.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function keepDigits(token: string): string {
  if (token.startsWith('"')) return token;
  const isWhole = !/[.eE]/.test(token) && Number.isSafeInteger(Number(token));
  return isWhole ? token : `"${token}"`;
}

export function parse(text: string): unknown {
  return JSON.parse(text.replace(TOKEN, keepDigits));
}
