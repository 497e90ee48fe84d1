// Loads the texts in the person's language. Its file is small and comes first, so that they come along with the app.
import type { en } from './en';
import type { seldom } from './en/seldom';
import { firstOf, languageOf, type Language } from './languages';
import { setRegion } from './numbers';

export type Everyday = typeof en;
export type Seldom = typeof seldom;
/** All languages have the same keys; English defines them. */
export type Messages = Everyday & Seldom;

export const loaders: Record<Language, () => Promise<Everyday>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  fr: async () => (await import('./fr')).fr,
  nl: async () => (await import('./nl')).nl,
  es: async () => (await import('./es')).es,
};

export const seldomLoaders: Record<Language, () => Promise<Seldom>> = {
  en: async () => (await import('./en/seldom')).seldom,
  de: async () => (await import('./de/seldom')).seldom,
  fr: async () => (await import('./fr/seldom')).seldom,
  nl: async () => (await import('./nl/seldom')).seldom,
  es: async () => (await import('./es/seldom')).seldom,
};

const REMEMBERED = 'language';

/** The language of whoever used this device last, or else of the browser. */
function choose(): Language {
  const remembered = typeof localStorage === 'undefined' ? 'en' : localStorage.getItem(REMEMBERED);
  return remembered ? languageOf(remembered) : firstOf(navigator.languages);
}

/** Of the texts that this page has until it is reloaded. */
export const language = choose();
export const loading = loaders[language]();

/** Numbers are written for the person's region, for example `de-CH`. The document is in the language of its texts. */
export function writeFor(locale: string): void {
  setRegion(locale);
  if (typeof document === 'undefined') return;
  document.documentElement.lang = languageOf(locale) === language ? locale : language;
}

/** Remembers the language for the next start. False if this page has texts in another. */
export function remember(preference: string): boolean {
  const chosen = languageOf(preference);
  localStorage.setItem(REMEMBERED, chosen);
  return chosen === language;
}

writeFor(language);
