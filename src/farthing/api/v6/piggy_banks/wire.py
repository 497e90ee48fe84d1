"""Reads the bodies of piggy banks."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from farthing.books.currencies.choose import read_units
from farthing.books.lifecycle import object_groups
from farthing.books.lifecycle.saving import bank_accounts
from farthing.books.lifecycle.saving import piggy_banks as lifecycle
from farthing.books.lifecycle.saving.bank_accounts import SentAccount
from farthing.books.piggy_banks import store
from farthing.books.piggy_banks.model import NO_TARGET, PiggyBank, PiggyBankDraft
from farthing.http.request.call import Call
from farthing.kernel.errors import refuse
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
    accounts: list[PiggyBankAccountBody] | None = described(
        "The asset accounts that hold the money, all in the same currency. An amount that is omitted is kept."
    )
    target_amount: PositiveAmount | None = described("If zero or empty, the piggy bank has no target.")
    current_amount: Amount | None = described(
        "Must be no more than the target, and no more than the account holds."
        " With several accounts, money is added to the first one and taken from them in their order."
    )
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
    piggy_bank_id = piggy_bank.id if piggy_bank else 0
    name = over_required(parsed, "name", piggy_bank.name) if piggy_bank else parsed.values.name
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, name, except_id=piggy_bank_id))
    stored = store.load_shares(call.db, call.user_id, [piggy_bank_id])[piggy_bank_id]
    listed = _list_sent(parsed) or bank_accounts.list_stored(stored, field="current_amount")
    sent = bank_accounts.read(call.db, call.user_id, parsed, listed, piggy_bank)
    target = read_units(parsed, "target_amount", sent.currency)
    if target is None and not parsed.wrong("target_amount"):
        target = NO_TARGET if piggy_bank is None or "target_amount" in parsed.emptied else piggy_bank.target_units
    shares = bank_accounts.divide_total(parsed, sent, target, stored)
    draft = _make_draft(call, parsed, name, target, shares, piggy_bank)
    refuse(
        bank_accounts.too_much_problems(call.db, call.user_id, parsed, sent, shares, stored, piggy_bank_id, call.today)
    )
    return draft


def _list_sent(parsed: Parsed[PiggyBankBody]) -> list[SentAccount]:
    sent = []
    for body in parsed.each("accounts", parsed.values.accounts):
        account_id = body.values.id or body.values.account_id
        if account_id:
            sent.append(SentAccount(account_id, body.key("id" if body.values.id else "account_id"), body))
        else:
            body.require("id")
    return sent


def _make_draft(
    call: Call,
    parsed: Parsed[PiggyBankBody],
    name: str | None,
    target: int | None,
    shares: Mapping[int, int],
    stored: PiggyBank | None,
) -> PiggyBankDraft:
    zone = call.caller.timezone
    start_on = _read_day(parsed, "start_date", stored.start_on if stored else None, zone)
    target_on = _read_day(parsed, "target_date", stored.target_on if stored else None, zone)
    if start_on and target_on and target_on <= start_on:
        parsed.report("target_date", "The target date must be a date after start date.")
    group_id = object_groups.choose(call.db, call.user_id, parsed, stored.object_group_id if stored else None, call.now)
    parsed.finish()
    return PiggyBankDraft(
        name=ensure(name),
        shares=shares,
        target_units=ensure(target),
        start_on=start_on,
        target_on=target_on,
        notes=over(parsed, "notes", stored.notes if stored else None),
        order=parsed.values.order,
        object_group_id=group_id,
    )


def _read_day(parsed: Parsed[PiggyBankBody], field: str, stored: str | None, zone: str) -> date | None:
    day = over(parsed, field, Sent(date.fromisoformat(stored)) if stored else None)
    return day.on_day(zone) if day else None
