"""Shows recurrences, by themselves and with currencies."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from farthing.books.exchange_rates.convert import DatedAmount
from farthing.books.recurrences.model import Recurrence, RecurrenceSplit, StoredRepetition
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.money import Currency
from farthing.kernel.shown import Instant, ShownDay, show_as
from farthing.ledger.kinds import Kind
from farthing.schedule.repetition import in_words

from ..parts.amounts import show_amount
from ..parts.documents import make_thing
from ..parts.moments import show_day
from ..parts.primary import OwnCurrency, Primary, load_primary


class RepetitionShown(Struct, gc=False):
    id: str
    created_at: Instant
    updated_at: Instant
    type: str
    moment: str
    skip: int
    weekend: int
    holidays: bool
    description: str
    occurrences: list[Instant]


class RecurrenceSplitShown(OwnCurrency, gc=False, kw_only=True):
    id: str
    description: str
    amount: str
    pc_amount: str | None
    foreign_amount: str | None
    pc_foreign_amount: str | None
    foreign_currency_id: str | None
    foreign_currency_name: str | None
    foreign_currency_code: str | None
    foreign_currency_symbol: str | None
    foreign_currency_decimal_places: int | None
    budget_id: str | None
    budget_name: str | None
    category_id: str | None
    category_name: str | None
    source_id: str
    source_name: str
    source_iban: str | None
    source_type: str
    destination_id: str
    destination_name: str
    destination_iban: str | None
    destination_type: str
    tags: list[str]
    piggy_bank_id: str | None
    piggy_bank_name: str | None
    subscription_id: str | None
    subscription_name: str | None


class RecurrenceAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    type: str
    title: str
    description: str
    first_date: ShownDay
    latest_date: ShownDay | None
    repeat_until: ShownDay | None
    apply_rules: bool
    active: bool
    nr_of_repetitions: int | None
    notes: str | None
    repetitions: list[RepetitionShown]
    transactions: list[RecurrenceSplitShown]


RecurrenceThing = Thing[RecurrenceAttributes]


def things(call: Call, recurrences: Sequence[Recurrence]) -> list[RecurrenceThing]:
    primary, today = load_primary(call), call.today.isoformat()
    splits = [split for recurrence in recurrences for split in recurrence.splits]
    amounts = [
        each
        for split in splits
        for each in (
            DatedAmount(split.currency.id, split.units, today),
            _dated(split.foreign_currency, split.foreign_units, today),
        )
    ]
    converted = primary.convert(amounts)
    pairs = iter(zip(converted[::2], converted[1::2], strict=True))
    return [
        make_thing(
            call,
            "recurrences",
            recurrence.id,
            _show(
                call, recurrence, [_show_split(recurrence, split, primary, next(pairs)) for split in recurrence.splits]
            ),
        )
        for recurrence in recurrences
    ]


def _dated(currency: Currency | None, units: int | None, today: str) -> DatedAmount | None:
    return DatedAmount(currency.id, units, today) if currency and units else None


def _show(call: Call, recurrence: Recurrence, splits: list[RecurrenceSplitShown]) -> RecurrenceAttributes:
    """Shows a recurrence. If it is paused, the days are those on which it would fire if it were active."""
    days = recurrence.resume(call.today).agenda.upcoming(call.today)
    return show_as(
        RecurrenceAttributes,
        recurrence,
        type=recurrence.type.label.lower(),
        first_date=recurrence.first_on.isoformat(),
        latest_date=recurrence.latest_on,
        repeat_until=recurrence.until_on.isoformat() if recurrence.until_on else None,
        nr_of_repetitions=recurrence.count_max,
        repetitions=[
            _show_repetition(call, stored, [show_day(day.isoformat(), call.caller.timezone) for day in of])
            for stored, of in zip(recurrence.repetitions, days, strict=True)
        ],
        transactions=splits,
    )


def _show_repetition(call: Call, stored: StoredRepetition, days: list[str]) -> RepetitionShown:
    repetition = stored.repetition
    return show_as(
        RepetitionShown,
        repetition,
        id=str(stored.id),
        created_at=stored.created_at,
        updated_at=stored.updated_at,
        type=repetition.type.value,
        weekend=int(repetition.weekend),
        description=call.say(in_words(repetition)),
        occurrences=days,
    )


def _show_split(
    recurrence: Recurrence, split: RecurrenceSplit, primary: Primary, converted: tuple[str | None, str | None]
) -> RecurrenceSplitShown:
    foreign = split.foreign_currency
    return show_as(
        RecurrenceSplitShown,
        split,
        **primary.show_with(split.currency),
        id=str(split.id),
        amount=show_amount(split.units, split.currency.places),
        pc_amount=converted[0],
        foreign_amount=show_amount(split.foreign_units, foreign.places) if foreign and split.foreign_units else None,
        pc_foreign_amount=converted[1],
        foreign_currency_id=str(foreign.id) if foreign else None,
        foreign_currency_name=foreign.name if foreign else None,
        foreign_currency_code=foreign.code if foreign else None,
        foreign_currency_symbol=foreign.symbol if foreign else None,
        foreign_currency_decimal_places=foreign.places if foreign else None,
        **{f"{name}_id": _show_id(getattr(split, f"{name}_id")) for name in ("budget", "category")},
        **_show_account("source", split.source_id, split.source_kind),
        **_show_account("destination", split.destination_id, split.destination_kind),
        tags=list(recurrence.tags),
        piggy_bank_id=_show_id(recurrence.piggy_bank_id),
        piggy_bank_name=recurrence.piggy_bank_name,
        subscription_id=None,
        subscription_name=None,
    )


def _show_account(side: str, account_id: int, kind: Kind) -> dict[str, Any]:
    """Returns the id and the type of an account. Version 6 has no credit cards among its liabilities."""
    shown = Kind.DEBT if kind == Kind.CREDIT_CARD else kind
    return {f"{side}_id": str(account_id), f"{side}_type": shown.value}


def _show_id(object_id: int | None) -> str | None:
    return None if object_id is None else str(object_id)
