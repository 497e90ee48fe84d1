"""Shows piggy banks and their events, by themselves and with accounts and transactions."""

from collections.abc import Sequence

from msgspec import Struct

from farthing.books.exchange_rates.convert import DatedAmount
from farthing.books.piggy_banks import store
from farthing.books.piggy_banks.model import PiggyBank, PiggyBankEvent, Share
from farthing.books.transactions import groups
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.shown import Instant, show_as

from ..parts.amounts import show_amount
from ..parts.documents import make_thing
from ..parts.moments import show_day
from ..parts.primary import OwnCurrency, Primary, load_primary


class PiggyBankAccountShown(Struct, gc=False):
    account_id: str
    name: str
    current_amount: str
    pc_current_amount: str | None


class PiggyBankAttributes(OwnCurrency, gc=False, kw_only=True):
    created_at: Instant
    updated_at: Instant
    name: str
    percentage: int | None
    start_date: Instant | None
    target_date: Instant | None
    order: int
    active: bool
    notes: str | None
    object_group_id: str | None
    object_group_order: int | None
    object_group_title: str | None
    accounts: list[PiggyBankAccountShown]
    target_amount: str | None
    pc_target_amount: str | None
    current_amount: str
    pc_current_amount: str | None
    left_to_save: str | None
    pc_left_to_save: str | None
    save_per_month: str | None
    pc_save_per_month: str | None


class PiggyBankEventAttributes(OwnCurrency, gc=False, kw_only=True):
    created_at: Instant
    updated_at: Instant
    amount: str
    pc_amount: str | None
    transaction_journal_id: str | None
    transaction_group_id: str | None


PiggyBankThing = Thing[PiggyBankAttributes]
PiggyBankEventThing = Thing[PiggyBankEventAttributes]
# The amounts of a piggy bank that are converted into the primary currency: target, current, missing, per month, and of
# each account.
_Amounts = tuple[int | None, ...]


def things(call: Call, piggy_banks: Sequence[PiggyBank]) -> list[PiggyBankThing]:
    primary, today = load_primary(call), call.today.isoformat()
    shares = store.load_shares(call.db, call.user_id, {piggy_bank.id for piggy_bank in piggy_banks})
    amounts = [_list_amounts(call, piggy_bank, shares[piggy_bank.id]) for piggy_bank in piggy_banks]
    dated = [
        None if units is None else DatedAmount(piggy_bank.currency.id, units, today)
        for piggy_bank, of in zip(piggy_banks, amounts, strict=True)
        for units in of
    ]
    converted = iter(primary.convert(dated))
    return [
        make_thing(
            call,
            "piggy_banks",
            piggy_bank.id,
            _show(call, piggy_bank, shares[piggy_bank.id], primary, of, [next(converted) for _ in of]),
        )
        for piggy_bank, of in zip(piggy_banks, amounts, strict=True)
    ]


def _list_amounts(call: Call, piggy_bank: PiggyBank, shares: Sequence[Share]) -> _Amounts:
    held = [share.units for share in shares]
    if not piggy_bank.has_target:
        return None, piggy_bank.current_units, None, None, *held
    per_month = piggy_bank.units_per_month(call.today) if piggy_bank.target_on else None
    return piggy_bank.target_units, piggy_bank.current_units, piggy_bank.left_units, per_month, *held


def _show(
    call: Call,
    piggy_bank: PiggyBank,
    shares: Sequence[Share],
    primary: Primary,
    amounts: _Amounts,
    converted: list[str | None],
) -> PiggyBankAttributes:
    places, zone = piggy_bank.currency.places, call.caller.timezone
    target, _, left, per_month = [None if units is None else show_amount(units, places) for units in amounts[:4]]
    return show_as(
        PiggyBankAttributes,
        piggy_bank,
        **primary.show_with(piggy_bank.currency),
        percentage=piggy_bank.percentage if piggy_bank.has_target else None,
        start_date=show_day(piggy_bank.start_on, zone) if piggy_bank.start_on else None,
        target_date=show_day(piggy_bank.target_on, zone) if piggy_bank.target_on else None,
        object_group_id=None if piggy_bank.object_group_id is None else str(piggy_bank.object_group_id),
        accounts=[
            PiggyBankAccountShown(str(share.account_id), share.account_name, show_amount(share.units, places), amount)
            for share, amount in zip(shares, converted[4:], strict=True)
        ],
        target_amount=target,
        pc_target_amount=converted[0],
        current_amount=show_amount(piggy_bank.current_units, places),
        pc_current_amount=converted[1],
        left_to_save=left,
        pc_left_to_save=converted[2],
        save_per_month=per_month,
        pc_save_per_month=converted[3],
    )


def event_things(call: Call, events: Sequence[PiggyBankEvent]) -> list[PiggyBankEventThing]:
    """Links each event to the events of its piggy bank, because an event has no address of its own."""
    primary = load_primary(call)
    splits = groups.first_splits(call.db, call.user_id, {event.entry_id for event in events if event.entry_id})
    converted = primary.convert([DatedAmount(event.currency.id, event.units, event.on) for event in events])
    return [
        make_thing(
            call,
            "piggy_bank_events",
            event.id,
            show_as(
                PiggyBankEventAttributes,
                event,
                **primary.show_with(event.currency),
                updated_at=event.created_at,
                amount=show_amount(event.units, event.currency.places),
                pc_amount=amount,
                transaction_journal_id=str(splits[event.entry_id]) if event.entry_id else None,
                transaction_group_id=str(event.entry_id) if event.entry_id else None,
            ),
            at=f"/piggy-banks/{event.piggy_bank_id}/events",
        )
        for event, amount in zip(events, converted, strict=True)
    ]
