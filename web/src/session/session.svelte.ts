// The signed-in user and their preferences, loaded before any page is shown.
import { authority, get, post, Refused, remove } from '$/api/client';
import * as days from '$/days/days';
import type { View } from '$/days/period';
import type { Currency } from '$/money/money';
import { setNumberFormat } from '$/money/parse';
import { retryFailed } from '$/shell/load.svelte';
import { forget } from '$/shell/unsaved';
import { signedOut } from './signed-out';

type SessionState = 'unknown' | 'signed out' | 'first run' | 'signed in';

/** Scripts cannot see the session cookie. This mark saves a request for new visitors and tells other tabs. */
const BEEN_HERE = 'been-here';

interface SessionAttributes {
  csrf_token: string;
  user_id: string;
  email: string;
  role: string | null;
  undo_days: number;
  unknown_proxy: string | null;
  has_password: boolean;
  sign_out_url: string | null;
}

/** Reloads, so that nothing of the previous user stays on the screen. The address changes silently: its page would request data of the other user. */
function startOver(): void {
  forget();
  history.replaceState(history.state, '', '#/');
  location.reload();
}

class Session {
  state: SessionState = $state('unknown');
  /** The user's id. */
  id = $state('');
  email = $state('');
  role: string | null = $state(null);
  /** For how many days a change can be undone, as this server is configured. */
  undoDays = $state(0);
  /** For the owner: the address of a proxy that the server does not trust. */
  unknownProxy: string | null = $state(null);
  /** Whoever signs in with a provider may have none. */
  hasPassword = $state(true);
  /** Where one signs out of the provider, after signing in with it. */
  #signOutUrl: string | null = null;
  /** By name, as the API gives them. */
  preferences: Record<string, unknown> = $state.raw({});
  currencies: (Currency & { name: string })[] = $state.raw([]);
  /** The currencies that the first owner can choose from. */
  offered: { code: string; name: string }[] = $state.raw([]);

  /** BCP 47, as the browser's formats need it. */
  get locale(): string {
    return String(this.preferences.language ?? 'en_US').replace('_', '-');
  }

  get today(): days.Day {
    return days.today(String(this.preferences.timezone ?? 'UTC'));
  }

  get view(): View {
    const { viewRange = '1M', customFiscalYear, fiscalYearStart } = this.preferences;
    return { range: String(viewRange), newYear: customFiscalYear ? String(fiscalYearStart) : '01-01' };
  }

  get currency(): string {
    return String(this.preferences.currencyPreference ?? 'EUR');
  }

  async begin(): Promise<void> {
    authority.onSignedOut = () => this.#leave();
    authority.renewToken = () => this.#renewToken();
    onstorage = (event) => event.key === BEEN_HERE && this.#followOtherTab(event.newValue);
    if (localStorage.getItem(BEEN_HERE) && (await this.#resume())) return;
    const { needed, currencies } = (await get('/api/v1/first_run')).data;
    this.offered = currencies;
    this.state = needed ? 'first run' : 'signed out';
  }

  /** False when the session has ended meanwhile. */
  async #resume(): Promise<boolean> {
    try {
      // At the same time, so that the first page is shown one answer earlier.
      const [{ data }] = await Promise.all([get('/api/v1/session'), this.refresh()]);
      this.#enter(data.attributes);
      return true;
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return false;
      throw error;
    }
  }

  /** Another tab may have signed in again. If it is another user, this page must not write to their books. */
  async #renewToken(): Promise<boolean> {
    const { user_id, csrf_token } = (await get('/api/v1/session')).data.attributes;
    if (user_id !== this.id) this.#followOtherTab(user_id);
    authority.csrf = csrf_token;
    return user_id === this.id;
  }

  /** Another tab signed out, signed in again, or signed in as another user. */
  #followOtherTab(who: string | null): void {
    if (who === null) this.#leave();
    else if (this.id && who !== this.id) startOver();
    else if (this.state === 'signed out') this.#resume().catch(() => {});
  }

  async signIn(given: ({ email: string; password: string } | { code: string }) & { otp?: string }): Promise<void> {
    const answer = await post('/api/v1/session', given);
    await this.refresh();
    this.#enter(answer.data.data.attributes);
  }

  /** With what the provider has answered. */
  async signInWithProvider(given: {
    state: string;
    code?: string;
    iss?: string;
    error?: string;
    otp?: string;
  }): Promise<void> {
    const answer = await post('/api/v1/providers/session', given);
    await this.refresh();
    this.#enter(answer.data.data.attributes);
  }

  /** As whom the proxy in front of the server names. */
  async signInByProxy(given: { otp?: string }): Promise<void> {
    const answer = await post('/api/v1/providers/remote_user', given);
    await this.refresh();
    this.#enter(answer.data.data.attributes);
  }

  async firstRun(given: {
    code: string;
    email: string;
    password: string;
    currency_code: string;
    timezone: string;
    language: string;
  }): Promise<void> {
    const answer = await post('/api/v1/first_run', given);
    await this.refresh();
    this.#enter(answer.data.data.attributes);
  }

  async signOut(everywhere = false): Promise<void> {
    if (everywhere) await remove('/api/v1/sessions');
    else await remove('/api/v1/session');
    signedOut.note(this.#signOutUrl);
    this.#leave();
    startOver();
  }

  /** Continues with a new CSRF token, for example after a password change. */
  goOn(given: SessionAttributes): void {
    authority.csrf = given.csrf_token;
    [this.hasPassword, this.#signOutUrl] = [given.has_password, given.sign_out_url];
    signedOut.forget();
    localStorage.setItem(BEEN_HERE, given.user_id);
  }

  #enter(given: SessionAttributes): void {
    this.goOn(given);
    if (this.id && this.id !== given.user_id) return startOver();
    [this.id, this.email, this.role] = [given.user_id, given.email, given.role];
    [this.undoDays, this.unknownProxy] = [given.undo_days, given.unknown_proxy];
    this.state = 'signed in';
    retryFailed();
  }

  /** Loads what every page needs, with two parallel requests. */
  async refresh(): Promise<void> {
    const [preferences, currencies] = await Promise.all([
      get('/api/v1/preferences'),
      get('/api/v1/currencies', { query: { limit: 1000 } }),
    ]);
    this.preferences = Object.fromEntries(preferences.data.map(({ attributes }) => [attributes.name, attributes.data]));
    this.currencies = currencies.data
      .map(({ attributes }) => ({
        code: attributes.code,
        name: attributes.name,
        decimals: attributes.decimal_places,
      }))
      .sort((one, other) => (one.code < other.code ? -1 : 1));
    document.documentElement.lang = this.locale;
    setNumberFormat(this.locale, this.currencies);
  }

  #leave(): void {
    if (this.state === 'signed in') this.state = 'signed out';
    authority.csrf = '';
    localStorage.removeItem(BEEN_HERE);
  }
}

export const session = new Session();
