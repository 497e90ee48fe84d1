// How does it look on this screen? Theme, hidden amounts and keys belong to the device, not to the user.
export type Theme = 'auto' | 'light' | 'dark';

const stored = (name: string): string | null => (typeof localStorage === 'undefined' ? null : localStorage.getItem(name));

class Look {
  theme: Theme = $state((stored('theme') as Theme | null) ?? 'auto');
  hidden = $state(stored('hidden') === '1');
  /** Whoever speaks to their device, or presses keys by accident, can do without shortcuts. */
  keys = $state(stored('keys') !== '0');

  apply(): void {
    document.documentElement.dataset.theme = this.theme;
  }

  choose(theme: Theme): void {
    this.theme = theme;
    localStorage.setItem('theme', theme);
    this.apply();
  }

  toggleKeys(): void {
    this.keys = !this.keys;
    localStorage.setItem('keys', this.keys ? '1' : '0');
  }

  toggleAmounts(): void {
    this.hidden = !this.hidden;
    localStorage.setItem('hidden', this.hidden ? '1' : '0');
  }
}

export const look = new Look();
