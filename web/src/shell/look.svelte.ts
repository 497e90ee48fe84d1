// Theme, hidden amounts and shortcuts: settings of the device, not of the user.
export type Theme = 'auto' | 'light' | 'dark';

const readStored = (name: string): string | null =>
  typeof localStorage === 'undefined' ? null : localStorage.getItem(name);

class Look {
  theme: Theme = $state((readStored('theme') as Theme | null) ?? 'auto');
  hidden = $state(readStored('hidden') === '1');
  /** Can be turned off for voice control, or against accidental key presses. */
  keys = $state(readStored('keys') !== '0');

  apply(): void {
    document.documentElement.dataset.theme = this.theme;
    document.documentElement.dataset.amounts = this.hidden ? 'hidden' : 'shown';
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
    this.apply();
  }
}

export const look = new Look();
