// Who is signed in, and how do they like things? Known before any page is shown.
import { authority, get, post, Refused, remove } from '$/api/client';
import * as days from '$/days/days';
import type { Currency } from '$/money/money';

type Standing = 'unknown' | 'signed out' | 'first run' | 'signed in';

/** The cookie itself is out of sight. Whoever has not been here need not be asked whether they are signed in. */
const BEEN_HERE = 'been-here';

class Session {
  standing: Standing = $state('unknown');
  id = $state('');
  email = $state('');
  role: string | null = $state(null);
  /** By name, as the API gives them. */
  preferences: Record<string, unknown> = $state.raw({});
  currencies: Currency[] = $state.raw([]);

  /** BCP 47, as the browser's own formats want it. */
  get locale(): string {
    return String(this.preferences.language ?? 'en_US').replace('_', '-');
  }

  get today(): days.Day {
    return days.today(String(this.preferences.timezone ?? 'UTC'));
  }

  get currency(): string {
    return String(this.preferences.currencyPreference ?? 'EUR');
  }

  decimalsOf(code: string): number {
    return this.currencies.find((currency) => currency.code === code)?.decimals ?? 2;
  }

  async begin(): Promise<void> {
    authority.onSignedOut = () => this.#leave();
    if (localStorage.getItem(BEEN_HERE) && (await this.#resumed())) return;
    const { needed } = (await get('/api/v1/first_run')).data;
    this.standing = needed ? 'first run' : 'signed out';
  }

  /** False when the session has ended meanwhile. */
  async #resumed(): Promise<boolean> {
    try {
      await this.#enter((await get('/api/v1/session')).data.attributes);
      return true;
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return false;
      throw error;
    }
  }

  async signIn(given: { email: string; password: string } | { code: string }): Promise<void> {
    const answer = await post('/api/v1/session', given);
    await this.#enter(answer.data.data.attributes);
  }

  async firstRun(given: { code: string; email: string; password: string; currency_code: string; timezone: string; language: string }): Promise<void> {
    const answer = await post('/api/v1/first_run', given);
    await this.#enter(answer.data.data.attributes);
  }

  async signOut(everywhere = false): Promise<void> {
    if (everywhere) await remove('/api/v1/sessions');
    else await remove('/api/v1/session');
    this.#leave();
  }

  async #enter(given: { csrf_token: string; email: string; role: string | null }): Promise<void> {
    authority.csrf = given.csrf_token;
    localStorage.setItem(BEEN_HERE, '1');
    [this.email, this.role] = [given.email, given.role];
    await this.refresh();
    this.standing = 'signed in';
  }

  /** What every page needs: two requests, together. */
  async refresh(): Promise<void> {
    const [preferences, currencies] = await Promise.all([get('/api/v1/preferences'), get('/api/v1/currencies', { query: { limit: 1000 } })]);
    this.preferences = Object.fromEntries(preferences.data.map(({ attributes }) => [attributes.name, attributes.data]));
    this.currencies = currencies.data.map(({ attributes }) => ({ code: attributes.code, decimals: attributes.decimal_places }));
    document.documentElement.lang = this.locale;
  }

  #leave(): void {
    if (this.standing === 'signed in') this.standing = 'signed out';
    authority.csrf = '';
    localStorage.removeItem(BEEN_HERE);
  }
}

export const session = new Session();
