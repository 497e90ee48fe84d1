// Replaces the API's names of fields, such as `first date`, with their labels on the screen.

/** `labels` by name. A name of one word is left alone: `date` may be meant as such. */
export function replaceNames(said: string, labels: Iterable<[string, string]>): string {
  const byWords = new Map(
    [...labels]
      .filter(([name, label]) => label && /^[a-z]+(_[a-z]+)+$/.test(name))
      .map(([name, label]) => [name.replaceAll('_', ' '), label]),
  );
  // The longest first: an opening balance date is no opening balance.
  const words = [...byWords.keys()].sort((one, other) => other.length - one.length).join('|');
  return words
    ? said.replace(
        new RegExp(`\\b(?:The )?(${words})(?: field)?\\b`, 'g'),
        (_, name: string) => `“${byWords.get(name)}”`,
      )
    : said;
}
