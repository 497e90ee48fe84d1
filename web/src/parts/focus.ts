// Puts the focus on a dialog's first field, or else on the button that changes nothing.
const FIELD = ':is(input, select, textarea):enabled';
const SAFE = '.row button:not(.danger, .primary)';

export function focusFirst(within: Element): void {
  const first = within.querySelector<HTMLElement>(FIELD) ?? within.querySelector<HTMLElement>(SAFE);
  first?.focus();
}
