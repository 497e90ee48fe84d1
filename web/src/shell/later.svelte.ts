// What the first page does not need comes after it: the numbers in the menu and on the bell, and the stream of changes.
const LATER_MS = 1500;

class Later {
  isReady = $state(false);
  readonly ready = new Promise<void>((resolve) => setTimeout(resolve, LATER_MS)).then(() => {
    this.isReady = true;
  });
}

export const later = new Later();
