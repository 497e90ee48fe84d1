// Replaces the API's names of fields, such as `first date`, with their labels on the screen.
import { t } from '$/messages';

/** A field's name as a label: `foreign_amount` and `foreignAmount` become `Foreign amount`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return t.fieldNames[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** `labels` are by field name. Single words stay, because `date` may simply mean a date. */
export function replaceNames(text: string, labels: Iterable<[string, string]>): string {
  const byWords = new Map(
    [...labels]
      .filter(([name, label]) => label && /^[a-z]+(_[a-z]+)+$/.test(name))
      .map(([name, label]) => [name.replaceAll('_', ' '), label]),
  );
  // Longest first, so that `opening balance date` is not read as `opening balance`.
  const words = [...byWords.keys()].sort((one, other) => other.length - one.length).join('|');
  return words
    ? text.replace(
        new RegExp(`\\b(?:The )?(${words})(?: field)?\\b`, 'g'),
        (_, name: string) => `“${byWords.get(name)}”`,
      )
    : text;
}

/**
 * In the error of a field itself, its name can only mean the field: `The title` is the “Name”. A label that begins with the
 * name explains itself.
 */
export function replaceOwnName(text: string, name: string, label: string): string {
  if (isMissing(text, name)) return t.form.required;
  if (!label || !/^[a-z]+$/.test(name) || label.toLowerCase().startsWith(name)) return text;
  return text.replace(new RegExp(`^The ${name}(?: field)?\\b`), `“${label}”`);
}

/** Also where the API takes another name of the same field instead: `The source_id field is required, or source_name.` */
function isMissing(text: string, name: string): boolean {
  const said = /^The (.+) field is required(?:, or \w+| when .+ is not present)?\.$/.exec(text)?.[1];
  return said === name || said === name.replaceAll('_', ' ');
}
