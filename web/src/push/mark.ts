// Remembers that notices are shown in this browser, so that nothing else has to be loaded to find out.
const KEY = 'push';

interface Mark {
  user: string;
  /** When the session began that the subscription belongs to. */
  beganAt: string;
  endpoint: string;
}

export const mark = {
  get(): Mark | null {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Mark | null;
  },
  set(value: Mark): void {
    localStorage.setItem(KEY, JSON.stringify(value));
  },
  clear(): void {
    localStorage.removeItem(KEY);
  },
};
