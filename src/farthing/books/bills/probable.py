"""Finds withdrawals that probably pay a bill: on its day and with its words, but just outside its range of amounts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from farthing.kernel.shown import number
from farthing.kernel.text import fold
from farthing.storage.change_log.records import values_by_id
from farthing.storage.unit import Unit

from ..transactions import links
from ..transactions.links import FreePayment
from .matching import join_texts
from .model import Bill, PaymentState, PeriodShown, ProbableShown

# A payment at most this far from the expected day may be the payment for that day.
NEAR = timedelta(days=7)
# Expected days longer ago are not checked, because users have noticed unpaid bills by then.
_BEHIND = timedelta(days=60)
# An amount may be outside the range by one fifth (1 / `_PART`) of the nearest limit of the range.
_PART = 5
# How many of the newest splits to look at.
_LOOKED_AT_MAX = 2000

Periods = Sequence[PeriodShown]


class _Guess(Struct, frozen=True):
    bill: Bill
    expected_on: str
    payment: FreePayment
    beyond: int


def mark_probable(
    db: Unit, user_id: int, bills: Sequence[Bill], periods: Mapping[int, Periods], today: date
) -> dict[int, Periods]:
    """Marks the periods for which there is a probable payment, by bill. Needs a fixed number of queries."""
    earliest, latest = (today - _BEHIND).isoformat(), (today + NEAR).isoformat()
    matching = [bill for bill in bills if bill.matches_automatically]
    unpaid = [
        date.fromisoformat(period.expected_date)
        for bill in matching
        for period in periods[bill.id]
        if not period.payments and earliest <= period.expected_date <= latest
    ]
    if not unpaid:
        return dict(periods)
    within = ((min(unpaid) - NEAR).isoformat(), (max(unpaid) + NEAR).isoformat())
    free = links.free_payments(db, user_id, *within, limit=_LOOKED_AT_MAX)
    guesses = [guess for bill in matching for guess in _guess(bill, periods[bill.id], free)]
    texts = _read_texts(db, user_id, sorted({guess.payment.entry_id for guess in guesses}))
    chosen: dict[tuple[int, str], _Guess] = {}
    taken: set[int] = set()
    for guess in sorted(guesses, key=lambda guess: abs(guess.beyond)):
        key, entry_id = (guess.bill.id, guess.expected_on), guess.payment.entry_id
        if key in chosen or entry_id in taken or not _has_words(guess.bill, texts[entry_id]):
            continue
        chosen[key] = guess
        taken.add(entry_id)
    return {bill_id: _mark(bill_id, of, chosen) for bill_id, of in periods.items()}


def _guess(bill: Bill, periods: Periods, payments: Iterable[FreePayment]) -> Iterable[_Guess]:
    """Yields the payments whose amount is just outside the range, and whose nearest expected day is unpaid."""
    for payment in payments:
        beyond = _measure(bill, payment.units.get(bill.currency.id, 0))
        if not beyond or not periods:
            continue
        on = date.fromisoformat(payment.on)
        nearest = min(periods, key=lambda period: abs(date.fromisoformat(period.expected_date) - on))
        if not nearest.payments and abs(date.fromisoformat(nearest.expected_date) - on) <= NEAR:
            yield _Guess(bill=bill, expected_on=nearest.expected_date, payment=payment, beyond=beyond)


def _measure(bill: Bill, units: int) -> int:
    """Returns how far an amount is above the range, or below it (negative); 0 if it is inside or too far away."""
    if bill.highest_units < units <= bill.highest_units + bill.highest_units // _PART:
        return units - bill.highest_units
    if bill.lowest_units - bill.lowest_units // _PART <= units < bill.lowest_units:
        return units - bill.lowest_units
    return 0


def _read_texts(db: Unit, user_id: int, entry_ids: list[int]) -> dict[int, str]:
    texts: dict[int, list[str | None]] = defaultdict(list)
    account_ids: dict[int, set[int]] = defaultdict(set)
    if entry_ids:
        for text in links.texts_of(db, user_id, entry_ids):
            texts[text.entry_id].append(text.text)
            account_ids[text.entry_id].update(text.account_ids)
    names = values_by_id(db, user_id, "accounts", "name", {id_ for ids in account_ids.values() for id_ in ids})
    return {
        entry_id: join_texts([*own, *(names[account_id] for account_id in account_ids[entry_id])])
        for entry_id, own in texts.items()
    }


def _has_words(bill: Bill, text: str) -> bool:
    return all(fold(word) in text for word in bill.words)


def _mark(bill_id: int, periods: Periods, chosen: Mapping[tuple[int, str], _Guess]) -> Periods:
    if not any((bill_id, period.expected_date) in chosen for period in periods):
        return periods
    return [
        _show(period, guess) if (guess := chosen.get((bill_id, period.expected_date))) else period for period in periods
    ]


def _show(period: PeriodShown, guess: _Guess) -> PeriodShown:
    currency, payment = guess.bill.currency, guess.payment
    probable = ProbableShown(
        transaction_id=str(payment.split_id),
        date=payment.on,
        amount=number(payment.units[currency.id], currency.places),
        beyond=number(guess.beyond, currency.places),
    )
    return replace(period, state=PaymentState.PROBABLE, probable=probable)
