// The languages that have texts, and which of them a person gets.

/** By their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', nl: 'Nederlands', es: 'Español' };
export type Language = keyof typeof LANGUAGES;

const find = (tag: string): Language | undefined => {
  const language = tag.split(/[-_]/)[0]!.toLowerCase();
  return language in LANGUAGES ? (language as Language) : undefined;
};

/** The language of the texts for a preference such as `de_CH`: English, if there are none. */
export const languageOf = (preference: string): Language => find(preference) ?? 'en';

/** The first language that has texts, of those that the browser's user prefers. */
export function firstOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = find(tag);
    if (language) return language;
  }
  return 'en';
}
