// The signed-in user and their preferences, loaded before any page is shown.
import { authority, get, post, Refused, remove, type Answer } from '$/api/client';
import * as days from '$/days/days';
import type { View } from '$/days/period';
import { remember, writeFor } from '$/messages';
import type { Currency } from '$/money/money';
import { setNumberFormat } from '$/money/parse';
import { device } from '$/offline/device.svelte';
import { leavePushes } from '$/push/follow';
import { retryFailed } from '$/shell/load.svelte';
import { forget } from '$/shell/unsaved';
import { chooseBooks, hasChosenBooks, loseBooks, recallBooks } from './books';
import type { NewDevice } from './devices';
import type { Signed } from './passkeys';
import { signedOut } from './signed-out';

type SessionState = 'unknown' | 'signed out' | 'first run' | 'signed in';

/** Scripts cannot see the session cookie. This mark saves a request for new visitors and tells other tabs. */
const BEEN_HERE = 'been-here';

export interface SecondFactor {
  otp?: string;
  passkey?: Signed;
}

/** A password or a link, with a second factor if there is one; or a passkey alone. */
type Credentials = (({ email: string; password: string } | { code: string }) & SecondFactor) | { passkey: Signed };

/** What a provider adds to the address that it sends the browser back to. */
export interface ProviderAnswer {
  state: string;
  code?: string;
  iss?: string;
  error?: string;
}

interface FirstOwner {
  code: string;
  email: string;
  password: string;
  currency_code: string;
  timezone: string;
  language: string;
}
type Region = Pick<FirstOwner, 'timezone' | 'language'>;

interface SessionAttributes {
  csrf_token: string;
  user_id: string;
  email: string;
  role: string | null;
  undo_days: number;
  unknown_proxy: string | null;
  created_at: string;
  has_password: boolean;
  sign_out_url: string | null;
  revision: number;
  is_shared: boolean;
  shared_books: Books[];
  new_devices: NewDevice[];
  language: string;
  home_books_id: string;
}

export type BooksRole = 'owner' | 'full' | 'bookkeeper' | 'viewer';

/** Books that somebody may work in: `id` and `email` are those of their owner. */
export interface Books {
  id: string;
  email: string;
  role: string;
}

/** Reloads, so that nothing of the previous user stays on the screen. The address changes silently: its page would request data of the other user. */
function startOver(comesBack = false): void {
  forget();
  if (!comesBack) history.replaceState(history.state, '', '#/');
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
  /** The books that this tab works in, and what the user may do there. */
  books: Books = $state.raw({ id: '', email: '', role: 'owner' });
  /** Several people work in these books. */
  isShared = $state(false);
  /** The books of others that the user may work in. */
  sharedBooks: Books[] = $state.raw([]);
  /** Recent sign-ins on devices that were new then. */
  newDevices: NewDevice[] = $state.raw([]);
  /** The user's own language, also in the books of another. */
  #language = $state('');
  /** When this session began. */
  beganAt = $state('');
  /** The revision of the books when this tab loaded them. */
  revision = 0;
  #isLooking = false;

  /** BCP 47, as the browser's formats need it. */
  get locale(): string {
    const own = this.isElsewhere ? this.#language : '';
    return (own || String(this.preferences.language ?? 'en_US')).replace('_', '-');
  }

  /** The day that pages show; without a network, the day of what is kept. */
  get today(): days.Day {
    return device.day ?? this.realToday;
  }

  /** The day on which somebody records something. */
  get realToday(): days.Day {
    return days.today(String(this.preferences.timezone ?? 'UTC'));
  }

  get view(): View {
    const { viewRange = '1M', customFiscalYear, fiscalYearStart } = this.preferences;
    return { range: String(viewRange), newYear: customFiscalYear ? String(fiscalYearStart) : '01-01' };
  }

  get currency(): string {
    return String(this.preferences.currencyPreference ?? 'EUR');
  }

  /** Whether these are the books of another. */
  get isElsewhere(): boolean {
    return this.books.id !== this.id;
  }

  get mayWrite(): boolean {
    return this.books.role !== 'viewer';
  }

  /** Whether the user may do here what the owner of the books may. */
  get hasFullAccess(): boolean {
    return this.books.role === 'owner' || this.books.role === 'full';
  }

  /** The user and the books, to keep apart what this device remembers. */
  get place(): string {
    return authority.books ? `${this.id}/${authority.books}` : this.id;
  }

  async begin(): Promise<void> {
    authority.onSignedOut = () => this.#leave();
    authority.onNotFound = () => void this.#checkBooks();
    authority.renewToken = () => this.#renewToken();
    onstorage = (event) => event.key === BEEN_HERE && this.#followOtherTab(event.newValue);
    const user = localStorage.getItem(BEEN_HERE);
    if (user) await this.#followKept(user);
    if (user && (await this.#resume())) return;
    const { needed, currencies } = (await get('/api/v1/first_run')).data;
    this.offered = currencies;
    this.state = needed ? 'first run' : 'signed out';
  }

  /** Reads and keeps the books on this device, if this user wants that. */
  async #followKept(user: string): Promise<void> {
    device.follow(user);
    if (!device.isKept) return;
    const { KeptAnswers } = await import('$/offline/answers');
    authority.kept = new KeptAnswers(user, () => void this.#comeBack().catch(() => {}));
  }

  /** From now on, the books are kept on this device or no longer. */
  async keepHere(wanted: boolean): Promise<void> {
    device.choose(wanted ? 'yes' : 'no');
    this.#stopKeeping();
    if (wanted) return this.#followKept(this.id);
    const { forgetAnswers } = await import('$/offline/answers');
    await forgetAnswers();
  }

  #stopKeeping(): void {
    authority.kept?.end();
    authority.kept = null;
  }

  /** The server answers again: what was opened from this device gets a session that may write. */
  async #comeBack(): Promise<void> {
    const { user_id, csrf_token } = (await get('/api/v1/session')).data.attributes;
    if (user_id !== this.id) return startOver();
    authority.csrf = csrf_token;
  }

  /** False when the session has ended meanwhile. */
  async #resume(): Promise<boolean> {
    const user = localStorage.getItem(BEEN_HERE) ?? '';
    try {
      // At the same time, so that the first page is shown one answer earlier.
      const [{ data }] = await Promise.all([get('/api/v1/session'), this.#loadBooks(user)]);
      // Somebody else is signed in by now, and these may be the wrong books for them.
      if (data.attributes.user_id !== user && authority.books) [this.id] = [user];
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

  async signIn(credentials: Credentials): Promise<void> {
    await this.#begin(await post('/api/v1/session', credentials));
  }

  async signInWithProvider(answer: ProviderAnswer & SecondFactor): Promise<void> {
    await this.#begin(await post('/api/v1/providers/session', answer));
  }

  /** Signs in as the user whom the proxy in front of the server names. */
  async signInByProxy(second: SecondFactor): Promise<void> {
    await this.#begin(await post('/api/v1/providers/remote_user', second));
  }

  async firstRun(owner: FirstOwner): Promise<void> {
    await this.#begin(await post('/api/v1/first_run', owner));
  }

  /** Creates a user for an invitation, and opens the books that it is for. */
  async register(user: { code: string; email: string; password: string } & Region): Promise<void> {
    const answer = await post('/api/v1/invitation', user);
    const { user_id, shared_books } = answer.data.data.attributes;
    chooseBooks(user_id, shared_books[0]?.id ?? '');
    await this.#begin(answer);
  }

  async #begin({ data }: Answer<{ data: { attributes: SessionAttributes } }>): Promise<void> {
    const { user_id, home_books_id } = data.data.attributes;
    if (home_books_id !== user_id && !hasChosenBooks(user_id)) chooseBooks(user_id, home_books_id);
    await this.#loadBooks(data.data.attributes.user_id);
    this.#enter(data.data.attributes);
  }

  /** Starts over in other books: nothing of these stays on the screen. */
  switchBooks(id: string): void {
    chooseBooks(this.id, id === this.id ? '' : id);
    startOver();
  }

  /** After the books were handed over, or whatever else changes who is who. */
  startOver(): void {
    startOver();
  }

  /** `comesBack`: to the same address, for whoever signs in next. */
  async signOut(everywhere = false, comesBack = false): Promise<void> {
    await leavePushes();
    await this.#forgetKept();
    if (everywhere) await remove('/api/v1/sessions');
    else await remove('/api/v1/session');
    signedOut.note(this.#signOutUrl);
    this.#leave();
    startOver(comesBack);
  }

  /** Nothing of this user stays on this device, whether the server answers or not. */
  async #forgetKept(): Promise<void> {
    const wasKept = device.answer === 'yes' || device.waiting > 0;
    this.#stopKeeping();
    device.forget(this.id);
    if (wasKept) await (await import('$/offline/forget')).forgetEverything(this.id);
  }

  /** Continues with a new CSRF token, for example after a password change. */
  goOn(attributes: SessionAttributes): void {
    authority.csrf = attributes.csrf_token;
    [this.hasPassword, this.#signOutUrl] = [attributes.has_password, attributes.sign_out_url];
    signedOut.forget();
    localStorage.setItem(BEEN_HERE, attributes.user_id);
  }

  #enter(attributes: SessionAttributes): void {
    this.goOn(attributes);
    const { user_id, email, role } = attributes;
    if (this.id && this.id !== user_id) return startOver();
    // Whoever signs in again finds what they had typed: it is not reloaded for the sake of another language.
    if (!remember(attributes.language) && !this.id) return location.reload();
    [this.id, this.email, this.role] = [user_id, email, role];
    [this.undoDays, this.unknownProxy] = [attributes.undo_days, attributes.unknown_proxy];
    if (!authority.books) {
      this.#open({ id: user_id, email, role: 'owner' }, attributes.is_shared);
      this.revision = attributes.revision;
    }
    [this.sharedBooks, this.newDevices] = [attributes.shared_books, attributes.new_devices];
    [this.beganAt, this.#language] = [attributes.created_at, attributes.language];
    this.#useLocale();
    this.state = 'signed in';
    if (!authority.kept) void this.#followKept(user_id);
    if (device.hasOthers(user_id)) void import('$/offline/forget').then(({ forgetOthers }) => forgetOthers(user_id));
    retryFailed();
  }

  /** Loads the chosen books, or the user's own if they are no longer shared. */
  async #loadBooks(user: string): Promise<void> {
    authority.books = recallBooks(user);
    if (!authority.books) return this.refresh();
    try {
      [this.revision] = await Promise.all([this.look(), this.refresh()]);
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404)) throw error;
      loseBooks(user);
      authority.books = '';
      await this.refresh();
    }
  }

  /** Asks what the user may do in these books, and returns their revision. Without a change it costs the server next to nothing. */
  async look(): Promise<number> {
    const { books_id, email, role, is_shared, revision } = (await get('/api/v1/revision')).data;
    // The user's own books have another id after they were handed over.
    if (this.state === 'signed in' && books_id !== this.books.id) startOver();
    this.#open({ id: books_id, email, role }, is_shared);
    return revision;
  }

  #open(books: Books, isShared: boolean): void {
    if (books.id !== this.books.id || books.role !== this.books.role) this.books = books;
    this.isShared = isShared;
    document.documentElement.dataset.role = books.role;
  }

  /** Something was not found: are the books still shared? */
  async #checkBooks(): Promise<void> {
    if (this.state !== 'signed in' || this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.look();
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404)) return;
      loseBooks(this.id);
      startOver();
    } finally {
      this.#isLooking = false;
    }
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
    this.#useLocale();
  }

  #useLocale(): void {
    writeFor(this.locale);
    setNumberFormat(this.locale, this.currencies);
  }

  /** What waits to be sent stays for when this user signs in again; nobody else sees it. */
  #leave(): void {
    if (authority.kept) void import('$/offline/answers').then(({ forgetAnswers }) => forgetAnswers());
    this.#stopKeeping();
    if (this.state === 'signed in') this.state = 'signed out';
    authority.csrf = '';
    localStorage.removeItem(BEEN_HERE);
  }
}

export const session = new Session();
