// Where does the keyboard begin in a dialog? In its first field; where there is none, on the button that changes nothing.
const FIELD = ':is(input, select, textarea):enabled';
const SAFE = '.row button:not(.danger, .primary)';

export function begin(within: Element): void {
  const first = within.querySelector<HTMLElement>(FIELD) ?? within.querySelector<HTMLElement>(SAFE);
  first?.focus();
}
