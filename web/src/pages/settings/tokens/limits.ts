// What a token is limited to, as it is chosen and as it is shown.
import { t } from '$/messages';

/** The scopes of the chosen levels; those that only write stay out of a token that may only read. */
export function toScopes(levels: Record<string, string>, canWrite: boolean): string[] {
  return Object.entries(levels)
    .filter(([, level]) => level)
    .map(([group, level]) => `${group}:${canWrite ? level : 'read'}`);
}

export function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** `Bills (See)` for `bills:read`. */
export function describeScope(scope: string): string {
  const [group = '', level = ''] = scope.split(':');
  return t.scopes.area(t.scopes.groups[group] ?? group, t.scopes.levels[level] ?? level);
}
