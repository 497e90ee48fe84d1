// Describes the fields of an account: only those that fit its type.
import { currencyChoices } from '$/form/choices';
import type { FieldOf } from '$/form/Fields.svelte';
import { t } from '$/messages';
import { INTEREST_PERIODS, LIABILITY_TYPES, type AccountDraft } from './draft';
import type { AccountKind } from './kinds';
import { ROLES } from './roles';

type Fields = (FieldOf<AccountDraft> | false)[];

const words = t.accounts.fields;
const BANK_CODE = { autocomplete: 'off', spellcheck: false } as const;

const choicesOf = <T extends string>(values: readonly T[], texts: Record<T, string>) =>
  values.map((value) => ({ value, text: texts[value] }));

/** The type of debt can be chosen only for a new account. */
export function basicFields(kind: AccountKind | null, isNew: boolean, isCard: boolean): Fields {
  return [
    { name: 'name', label: words.name, required: true, attributes: { maxlength: 255, autocomplete: 'off' } },
    kind === 'asset' && {
      name: 'account_role',
      kind: 'select',
      label: words.role,
      choices: choicesOf(ROLES, t.accounts.roles),
    },
    kind === 'asset' &&
      isCard && {
        name: 'cc_monthly_payment_date',
        kind: 'date',
        label: words.cardDay,
        hint: words.cardDayHint,
        required: true,
      },
    kind === 'liability' &&
      isNew && {
        name: 'liability_type',
        kind: 'select',
        label: words.liabilityType,
        choices: choicesOf(LIABILITY_TYPES, t.accounts.liabilityTypes),
      },
    { name: 'currency_code', kind: 'select', label: words.currency, choices: currencyChoices() },
  ];
}

export function startFields(kind: AccountKind | null, currency: string): Fields {
  if (kind === 'asset')
    return [
      { name: 'opening_balance', kind: 'amount', currency, label: words.opening, hint: words.openingHint },
      { name: 'opening_balance_date', kind: 'date', label: words.openingDay },
    ];
  if (kind !== 'liability') return [];
  return [
    { name: 'liability_amount', kind: 'amount', currency, label: words.owed, hint: words.owedHint, required: true },
    { name: 'liability_start_date', kind: 'date', label: words.owedDay, required: true },
    { name: 'interest', kind: 'amount', label: words.interest, hint: words.interestHint, required: true },
    {
      name: 'interest_period',
      kind: 'select',
      label: words.interestPeriod,
      choices: choicesOf(INTEREST_PERIODS, t.accounts.periods),
    },
  ];
}

export const bankFields: Fields = [
  { name: 'iban', label: words.iban, attributes: BANK_CODE },
  { name: 'bic', label: words.bic, attributes: BANK_CODE },
  { name: 'account_number', label: words.number, attributes: { autocomplete: 'off' } },
];

export function moreFields(isOwn: boolean, currency: string): Fields {
  return [
    isOwn && { name: 'virtual_balance', kind: 'amount', currency, label: words.virtual, hint: words.virtualHint },
    { name: 'notes', kind: 'textarea', label: words.notes, whole: true },
    isOwn && { name: 'include_net_worth', kind: 'checkbox', label: words.netWorth },
    { name: 'active', kind: 'checkbox', label: words.active, hint: words.activeHint },
  ];
}
