"""Reads the bodies of piggy banks."""

from datetime import date
from typing import Annotated, Any

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account
from farthing.books.currencies.choose import read_units
from farthing.books.lifecycle import object_groups
from farthing.books.lifecycle import piggy_banks as lifecycle
from farthing.books.piggy_banks.model import NO_TARGET, PiggyBank, PiggyBankDraft
from farthing.http.request.call import Call
from farthing.kernel.errors import Problem, refuse
from farthing.kernel.fields import Id, Name, Notes, RequestBody, described, parse, whole
from farthing.kernel.parsed import Parsed, ensure

from ..parts.amounts import Amount, PositiveAmount
from ..parts.moments import Moment, Sent
from ..parts.partial import over, over_required
from ..parts.zeros import empty_zeros

REQUIRED = ("name", "accounts", "start_date")
ORDER_MAX = 1_000_000


class PiggyBankAccountBody(RequestBody):
    """`id` and `account_id` are two names of the same field."""

    id: Id | None = None
    account_id: Id | None = None
    name: Name | None = described("The name of the account. Ignored, because accounts are found by their ids.")
    current_amount: Amount | None = described("The amount that is set aside in this account.")


class PiggyBankBody(RequestBody):
    name: Name | None = None
    accounts: list[PiggyBankAccountBody] | None = described("The asset account that holds the money.")
    target_amount: PositiveAmount | None = described("If zero or empty, the piggy bank has no target.")
    current_amount: Amount | None = described("Must be no more than the target, and no more than the account holds.")
    start_date: Moment | None = None
    target_date: Moment | None = described("Must be after the start date.")
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = None
    notes: Notes | None = None
    object_group_id: Id | None = described("The group of the piggy bank.")
    object_group_title: Name | None = described(
        "The title of the group, if `object_group_id` is omitted. A group that does not exist is created."
    )


def read(call: Call, piggy_bank: PiggyBank | None) -> PiggyBankDraft:
    """Reads the body over the stored piggy bank, if any. Reports all problems at once."""
    parsed = parse(PiggyBankBody, empty_zeros(call.fields, "target_amount", "object_group_id"))
    if piggy_bank is None:
        parsed.require(*REQUIRED)
    name = over_required(parsed, "name", piggy_bank.name) if piggy_bank else parsed.values.name
    parsed.report_all(
        lifecycle.taken_problems(call.db, call.user_id, name, except_id=piggy_bank.id if piggy_bank else 0)
    )
    share = _find_share(parsed)
    account = _find_account(call, parsed, share, piggy_bank)
    draft = _make_draft(call, parsed, name, account, share, piggy_bank)
    problems = lifecycle.too_much_problems(call.db, call.user_id, ensure(account), draft, piggy_bank, call.today)
    refuse(Problem(_amount_field(share), problem.message) for problem in problems)
    return draft


def _find_share(parsed: Parsed[PiggyBankBody]) -> Parsed[PiggyBankAccountBody] | None:
    shares = parsed.each("accounts", parsed.values.accounts)
    for other in shares[1:]:
        other.report("id", "A piggy bank has one account.")
    return shares[0] if shares else None


def _find_account(
    call: Call, parsed: Parsed[PiggyBankBody], share: Parsed[PiggyBankAccountBody] | None, stored: PiggyBank | None
) -> Account | None:
    sent_id = (share.values.id or share.values.account_id) if share else None
    account_id = sent_id or (stored.account_id if stored else None)
    if share and stored is None and not sent_id:
        share.require("id")
    if account_id is None:
        return None
    account = accounts.get(call.db, call.user_id, account_id)
    problems = lifecycle.account_problems(account, stored)
    field = share.key("id" if share.values.id else "account_id") if share else "accounts"
    parsed.report_all(Problem(field, problem.message) for problem in problems)
    return None if problems else account


def _amount_field(share: Parsed[PiggyBankAccountBody] | None) -> str:
    return share.key("current_amount") if share and share.values.current_amount is not None else "current_amount"


def _make_draft(
    call: Call,
    parsed: Parsed[PiggyBankBody],
    name: str | None,
    account: Account | None,
    share: Parsed[PiggyBankAccountBody] | None,
    stored: PiggyBank | None,
) -> PiggyBankDraft:
    """Makes the draft, with amounts in the smallest units of the currency."""
    zone, currency = call.caller.timezone, account.currency if account else None
    amounts: Parsed[Any] = share if share and share.values.current_amount is not None else parsed
    current = read_units(amounts, "current_amount", currency)
    if current is not None and current < 0:
        amounts.report("current_amount", "The current amount must be zero or more.")
    target = read_units(parsed, "target_amount", currency)
    if target is None and not parsed.wrong("target_amount"):
        target = NO_TARGET if stored is None or "target_amount" in parsed.emptied else stored.target_units
    _check_target(parsed, amounts, target, current, stored)
    start_on = _read_day(parsed, "start_date", stored.start_on if stored else None, zone)
    target_on = _read_day(parsed, "target_date", stored.target_on if stored else None, zone)
    if start_on and target_on and target_on <= start_on:
        parsed.report("target_date", "The target date must be a date after start date.")
    group_id = object_groups.choose(call.db, call.user_id, parsed, stored.object_group_id if stored else None, call.now)
    parsed.finish()
    return PiggyBankDraft(
        name=ensure(name),
        account_id=ensure(account).id,
        target_units=ensure(target),
        current_units=current,
        start_on=start_on,
        target_on=target_on,
        notes=over(parsed, "notes", stored.notes if stored else None),
        order=parsed.values.order,
        object_group_id=group_id,
    )


def _read_day(parsed: Parsed[PiggyBankBody], field: str, stored: str | None, zone: str) -> date | None:
    day = over(parsed, field, Sent(date.fromisoformat(stored)) if stored else None)
    return day.on_day(zone) if day else None


def _check_target(
    parsed: Parsed[PiggyBankBody],
    amounts: Parsed[Any],
    target: int | None,
    current: int | None,
    stored: PiggyBank | None,
) -> None:
    if target is None:
        return
    if current is not None and current > target:
        amounts.report("current_amount", "The current amount may not be more than the target amount.")
    elif current is None and stored and stored.current_units > target:
        parsed.report("target_amount", "The target amount may not be less than the current amount.")
