"""Reads on which accounts a piggy bank shall be, and checks that it holds no more there than they do."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency, as_text
from farthing.kernel.parsed import Parsed
from farthing.ledger.kinds import ASSETS
from farthing.storage.unit import Unit

from ...accounts import store as accounts
from ...accounts.model import Account
from ...currencies.choose import read_units
from ...piggy_banks import store
from ...piggy_banks.model import ACCOUNTS_MAX, PiggyBank, Share, divide


class SentAccount(Struct, frozen=True):
    """An account that a request names for a piggy bank.

    `field` is the name of the field with its id, and `body` holds the field `current_amount`, if there is one.
    """

    id: int
    field: str
    body: Parsed[Any] | None = None


class PiggyBankAccounts(Struct, frozen=True):
    """The accounts of a piggy bank in a request, and what each shall hold; None if the stored amount stays."""

    accounts: Mapping[int, Account]
    units: Mapping[int, int | None]
    fields: Mapping[int, str]
    currency: Currency | None


def list_stored(
    shares: Sequence[Share], *, first: SentAccount | None = None, field: str = "account_id"
) -> list[SentAccount]:
    """Lists the accounts of a stored piggy bank, as if they had been sent. `first` replaces the first of them."""
    stored = [SentAccount(share.account_id, field) for share in shares]
    return [first, *(account for account in stored[1:] if account.id != first.id)] if first else stored


def read(
    db: Unit, user_id: int, parsed: Parsed[Any], sent: Sequence[SentAccount], stored: PiggyBank | None
) -> PiggyBankAccounts:
    """Finds the accounts, and reports those that do not fit."""
    found = {account.id: account for account in accounts.get_some(db, user_id, {account.id for account in sent})}
    assets = {account.id: found[account.id] for account in sent if account.id in found}
    assets = {account_id: account for account_id, account in assets.items() if account.kind in ASSETS}
    first = next(iter(assets.values()), None)
    currency = stored.currency if stored else first.currency if first else None
    units: dict[int, int | None] = {}
    fields: dict[int, str] = {}
    for account in sent[:ACCOUNTS_MAX]:
        reason = _find_misfit(assets.get(account.id), currency, account.id in units)
        if reason:
            parsed.report_all([Problem(account.field, f"The selected account id is invalid: {reason}.")])
        units[account.id] = _read_amount(account.body, currency)
        fields[account.id] = account.field
        if account.body and account.body.values.current_amount is not None:
            fields[account.id] = account.body.key("current_amount")
    if len(sent) > ACCOUNTS_MAX:
        problem = f"A piggy bank may have at most {ACCOUNTS_MAX} accounts."
        parsed.report_all([Problem(sent[ACCOUNTS_MAX].field, problem)])
    return PiggyBankAccounts(accounts=assets, units=units, fields=fields, currency=currency)


def _find_misfit(account: Account | None, currency: Currency | None, is_twice: bool) -> str | None:
    if account is None:
        return "it must be an asset account of yours"
    if is_twice:
        return "each account may be listed only once"
    if currency and account.currency != currency:
        return f"it must be an account in {currency.code}, like all accounts of the piggy bank"
    return None


def _read_amount(body: Parsed[Any] | None, currency: Currency | None) -> int | None:
    units = read_units(body, "current_amount", currency) if body else None
    if body and units is not None and units < 0:
        body.report("current_amount", "The current amount must be zero or more.")
    return units


def divide_total(
    parsed: Parsed[Any], sent: PiggyBankAccounts, target: int | None, stored: Sequence[Share]
) -> dict[int, int]:
    """Decides what each account holds, and reports an amount that exceeds the target."""
    total = _read_amount(parsed, sent.currency)
    if not sent.units or target is None:
        return {}
    before = {share.account_id: share.units for share in stored}
    units = sent.units
    if total is not None and all(amount in (None, before.get(account_id)) for account_id, amount in units.items()):
        units = dict.fromkeys(units)  # amounts that are only repeated do not keep the total from changing
    shares = divide(before, units, total)
    if total not in (None, sum(before.values()), sum(shares.values())):
        parsed.report("current_amount", "The current amount must be the sum of what the accounts hold.")
    if sum(shares.values()) > target:
        amounts = [sent.fields[account_id] for account_id, units in sent.units.items() if units is not None]
        if amounts or total is not None:
            field = amounts[0] if amounts else "current_amount"
            problem = Problem(field, "The current amount may not be more than the target amount.")
        else:
            problem = Problem("target_amount", "The target amount may not be less than the current amount.")
        parsed.report_all([problem])
    return shares


def too_much_problems(
    db: Unit,
    user_id: int,
    parsed: Parsed[Any],
    sent: PiggyBankAccounts,
    shares: Mapping[int, int],
    stored: Sequence[Share],
    piggy_bank_id: int,
    today: date,
) -> Iterator[Problem]:
    """Refuses to add money if the piggy banks would then hold more than their account. Never refuses a removal."""
    total_field = None if parsed.values.current_amount is None else "current_amount"
    before = {share.account_id: share.units for share in stored}
    growing = [account_id for account_id, units in shares.items() if units > before.get(account_id, 0)]
    if not growing:
        return
    later = accounts.sum_booked_after(db, user_id, growing, today)
    elsewhere = store.sum_set_aside(db, user_id, growing, except_id=piggy_bank_id)
    for account_id in growing:
        account = sent.accounts[account_id]
        free = max(0, account.total_units - later[account_id] - elsewhere[account_id])
        if shares[account_id] > free:
            amount = f"{as_text(free, account.currency.places)} {account.currency.code}"
            field = total_field if total_field and sent.units[account_id] is None else sent.fields[account_id]
            yield Problem(field, f"The account “{account.name}” holds only {amount} that is not yet set aside.")
