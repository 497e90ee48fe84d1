// Whether this person lets this device keep their books, and what the page shows of that. The rest is loaded where it is needed.
import { base } from '$/api/client';
import type { Day } from '$/days/days';

/** Where the service worker and the database of this installation are. */
export const scope = base.href;
const keyOf = (user: string): string => `keep:${user}`;
const dayKeyOf = (place: string): string => `kept-day:${place}`;

/** Browsers offer service workers, and locks between tabs, only where nobody can change what is sent. */
export const canKeep = (): boolean =>
  typeof navigator !== 'undefined' && 'serviceWorker' in navigator && 'locks' in navigator && isSecureContext;

class Device {
  /** What the user has answered; null before they were asked. */
  answer: 'yes' | 'no' | null = $state(null);
  /** When the oldest answer on the page was read, if it does not come from the server. */
  asOf: number | null = $state(null);
  /** The day of what is kept, where the app was opened without a network: pages show that day, forms the real one. */
  day: Day | null = $state(null);
  /** How many entries wait to be sent, and how many of them the server has refused. */
  waiting = $state(0);
  refused = $state(0);
  /** The question whether to keep the books is shown. */
  isAsking = $state(false);
  /** Starts the new version of the app that is ready, if there is one. */
  takeOver: (() => void) | null = $state.raw(null);
  #user = '';

  get isKept(): boolean {
    return this.answer === 'yes';
  }

  /** Reads what this user has answered. */
  follow(user: string): void {
    this.#user = user;
    this.answer = canKeep() ? (localStorage.getItem(keyOf(user)) as Device['answer']) : 'no';
  }

  choose(answer: 'yes' | 'no'): void {
    [this.answer, this.isAsking] = [answer, false];
    localStorage.setItem(keyOf(this.#user), answer);
  }

  /** Asked once: where the app is installed, or when the network was missing. */
  ask(): void {
    if (canKeep() && this.answer === null) this.isAsking = true;
  }

  showsKept(at: number): void {
    this.asOf = Math.min(this.asOf ?? at, at);
  }

  dayOf(place: string): Day | null {
    return localStorage.getItem(dayKeyOf(place));
  }

  noteDay(place: string, day: Day): void {
    localStorage.setItem(dayKeyOf(place), day);
  }

  /** Whether books of somebody else may be here, whose session has ended. */
  hasOthers(user: string): boolean {
    return Object.keys(localStorage).some((key) => key.startsWith(keyOf('')) && key !== keyOf(user));
  }

  /** After somebody has signed out, nothing says that they were here. */
  forget(user: string): void {
    for (const key of Object.keys(localStorage))
      if (key === keyOf(user) || key.startsWith(dayKeyOf(user))) localStorage.removeItem(key);
    [this.answer, this.asOf, this.day, this.waiting, this.refused] = [null, null, null, 0, 0];
  }
}

export const device = new Device();
