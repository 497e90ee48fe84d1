// How does it look on this screen? Theme and hidden amounts belong to the device, not to the user.
export type Theme = 'auto' | 'light' | 'dark';

const stored = (name: string): string | null => (typeof localStorage === 'undefined' ? null : localStorage.getItem(name));

class Look {
  theme: Theme = $state((stored('theme') as Theme | null) ?? 'auto');
  hidden = $state(stored('hidden') === '1');

  apply(): void {
    document.documentElement.dataset.theme = this.theme;
  }

  choose(theme: Theme): void {
    this.theme = theme;
    localStorage.setItem('theme', theme);
    this.apply();
  }

  toggleAmounts(): void {
    this.hidden = !this.hidden;
    localStorage.setItem('hidden', this.hidden ? '1' : '0');
  }
}

export const look = new Look();
