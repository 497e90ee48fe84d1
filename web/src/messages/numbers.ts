// Writes numbers and lists with words, for a language and the person's region.
let region = 'en';

export function setRegion(locale: string): void {
  region = locale;
}

/** A number as the person's region writes it: `1,419`. */
export const whole = (count: number): string => new Intl.NumberFormat(region).format(count);

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Chooses the form of a word that a number asks for in a language. */
export function pluralIn(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}

export function listIn(language: string, type: Intl.ListFormatType = 'conjunction'): (parts: string[]) => string {
  const format = new Intl.ListFormat(language, { type });
  return (parts) => format.format(parts);
}

/** A size as the person's region writes it: `1.4 MB`. */
export function fileSize(bytes: number): string {
  const [size, unit] = bytes < 1000 ? [bytes, 'B'] : bytes < 1e6 ? [bytes / 1000, 'kB'] : [bytes / 1e6, 'MB'];
  const decimals = unit === 'MB' ? 1 : 0;
  const format = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${new Intl.NumberFormat(region, format).format(size)} ${unit}`;
}
