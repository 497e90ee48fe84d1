// Guesses where somebody is from what the browser knows.
import { language as textLanguage } from '$/messages';
import { languageOf } from '$/messages/languages';

/** Languages with the regions in which numbers and days are written differently. */
export const LANGUAGES =
  'en_US en_GB de_DE de_CH fr_FR nl_NL nl_BE it_IT es_ES pt_BR pt_PT pl_PL cs_CZ hu_HU sv_SE nb_NO da_DK fi_FI ja_JP zh_CN hi_IN tr_TR uk_UA'.split(
    ' ',
  );

/** In the language itself, for whoever can read no other: `Deutsch (Schweiz)`. */
export function nameLanguage(value: string): string {
  const tag = value.replace('_', '-');
  const name = new Intl.DisplayNames(tag, { type: 'language', languageDisplay: 'standard' }).of(tag) ?? value;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** The currency of each region whose currency is not the euro; the euro is the default. */
const REGIONS: Record<string, string> = {
  USD: 'US EC SV PR',
  GBP: 'GB IM JE GG',
  CHF: 'CH LI',
  SEK: 'SE',
  NOK: 'NO',
  DKK: 'DK GL FO',
  ISK: 'IS',
  PLN: 'PL',
  CZK: 'CZ',
  HUF: 'HU',
  RON: 'RO',
  UAH: 'UA',
  TRY: 'TR',
  JPY: 'JP',
  CNY: 'CN',
  HKD: 'HK',
  TWD: 'TW',
  KRW: 'KR',
  INR: 'IN',
  IDR: 'ID',
  MYR: 'MY',
  SGD: 'SG',
  THB: 'TH',
  PHP: 'PH',
  VND: 'VN',
  AUD: 'AU',
  NZD: 'NZ',
  CAD: 'CA',
  MXN: 'MX',
  BRL: 'BR',
  ARS: 'AR',
  CLP: 'CL',
  COP: 'CO',
  PEN: 'PE',
  ZAR: 'ZA',
  EGP: 'EG',
  NGN: 'NG',
  KES: 'KE',
  ILS: 'IL',
  AED: 'AE',
  SAR: 'SA',
};

/** The first language of the browser in which the texts are, or the language that was chosen for them. */
const preferred = (): string => navigator.languages.find((tag) => languageOf(tag) === textLanguage) ?? textLanguage;

/** Languages of the browser may lack a region; the likeliest one is added. */
export function guessRegion(
  language = preferred(),
  timezone = Intl.DateTimeFormat().resolvedOptions().timeZone,
): { language: string; timezone: string; currency_code: string } {
  const likely = new Intl.Locale(language).maximize();
  const region = likely.region ?? 'US';
  const currency = Object.entries(REGIONS).find(([, regions]) => regions.split(' ').includes(region))?.[0] ?? 'EUR';
  return { language: `${likely.language}_${region}`, timezone, currency_code: currency };
}
