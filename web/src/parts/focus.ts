// Puts the focus on a dialog's first field, or else on the button that changes nothing.
const FIELD = ':is(input, select, textarea):enabled';
const SAFE = '.row button:not(.danger, .primary)';

/** True after what had the focus has gone. */
export function isFocusLost(): boolean {
  return [document.body, document.getElementById('page')].includes(document.activeElement as HTMLElement | null);
}

/** If what had the focus is gone, it goes to the page, where the next Tab goes on from its top. */
export function keepFocus(): void {
  if (isFocusLost()) document.getElementById('page')?.focus({ preventScroll: true });
}

export function focusFirst(within: Element): void {
  const first = within.querySelector<HTMLElement>(FIELD) ?? within.querySelector<HTMLElement>(SAFE);
  first?.focus();
}
