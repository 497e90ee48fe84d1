// Calculates with days and shows them. A day is the text YYYY-MM-DD and never passes through a time zone.
export type Day = string;

const MS = 86_400_000;

function utc(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export function addDays(day: Day, days: number): Day {
  return new Date(utc(day) + days * MS).toISOString().slice(0, 10);
}

/** The 31st becomes the last day of a shorter month. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  const at = year * 12 + month - 1 + months;
  const last = new Date(Date.UTC(Math.floor(at / 12), (at % 12) + 1, 0)).getUTCDate();
  return new Date(Date.UTC(Math.floor(at / 12), at % 12, Math.min(dayOfMonth, last))).toISOString().slice(0, 10);
}

export function daysBetween(first: Day, last: Day): number {
  return Math.round((utc(last) - utc(first)) / MS);
}

export function monthOf(day: Day): { start: Day; end: Day } {
  const start = `${day.slice(0, 7)}-01`;
  return { start, end: addDays(addMonths(start, 1), -1) };
}

const zones = new Map<string, Intl.DateTimeFormat>();

/** Today in the time zone that the user chose, which may not be the browser's. */
export function today(zone: string, now = new Date()): Day {
  let known = zones.get(zone);
  // Cached, because creating a format is slow and every day on a page needs it.
  if (!known) zones.set(zone, (known = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })));
  return known.format(now);
}

const STYLES = {
  short: { day: 'numeric', month: 'short' },
  medium: { day: 'numeric', month: 'short', year: 'numeric' },
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  monthShort: { month: 'short', year: 'numeric' },
  monthOnly: { month: 'short' },
  monthAlone: { month: 'long' },
  weekdayName: { weekday: 'long' },
  weekdayShort: { weekday: 'short' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  weekdayOfYear: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DayStyle = keyof typeof STYLES;
const formats = new Map<string, Intl.DateTimeFormat>();

export function show(day: Day, locale: string, style: DayStyle = 'medium'): string {
  const key = `${locale} ${style}`;
  let known = formats.get(key);
  if (!known) formats.set(key, (known = new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: 'UTC' })));
  return known.format(utc(day.slice(0, 10)));
}

const WITH_YEAR: Partial<Record<DayStyle, DayStyle>> = { short: 'medium', weekday: 'weekdayOfYear' };

/** Adds the year when it is not the current one. */
export function showFrom(today: Day, day: Day, locale: string, style: DayStyle = 'medium'): string {
  const isOfThisYear = day.slice(0, 4) === today.slice(0, 4);
  return show(day, locale, isOfThisYear ? style : (WITH_YEAR[style] ?? style));
}

/** An instant, such as the last use of a token, in the browser's time zone. */
/** The time alone, if it was on the same day as `now`. */
export function showMoment(at: number, now: number, locale: string): string {
  const day = (instant: number): string => new Date(instant).toDateString();
  const dateStyle = day(at) === day(now) ? undefined : 'medium';
  return new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short' }).format(at);
}

export function showInstant(instant: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));
}
