// What the first page does not need comes after it: the numbers in the menu and on the bell.
const LATER_MS = 1500;

class Later {
  isReady = $state(false);

  constructor() {
    setTimeout(() => (this.isReady = true), LATER_MS);
  }
}

export const later = new Later();
