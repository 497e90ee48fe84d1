// Keyboard shortcuts: single letters, ignored while somebody is typing.
export interface Shortcut {
  keys: string;
  text: string;
  run: () => void;
}

const TYPING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';

/** Two letters in a row, such as `g a`, are one shortcut; the first waits this long for the second. */
const SECOND_KEY_MS = 2_000;

export function listen(shortcuts: () => Shortcut[]): () => void {
  let first = '';
  let since = 0;
  const handleKey = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.closest?.(TYPING) ||
      document.querySelector('dialog[open]')
    )
      return;
    const both = event.timeStamp - since < SECOND_KEY_MS ? `${first} ${event.key}` : '';
    const found = shortcuts().find(({ keys }) => keys === both || keys === event.key);
    [first, since] = [event.key, event.timeStamp];
    if (!found) return;
    event.preventDefault();
    first = '';
    found.run();
  };
  addEventListener('keydown', handleKey);
  return () => removeEventListener('keydown', handleKey);
}

/** Ctrl+K or ⌘K, also while somebody is typing; not over another dialog, which would be lost behind it. */
export function listenForSearch(open: () => void): () => void {
  const handleKey = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    if (!document.querySelector('dialog[open]')) open();
  };
  addEventListener('keydown', handleKey);
  return () => removeEventListener('keydown', handleKey);
}
