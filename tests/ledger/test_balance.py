"""The plain reference of the kept sums, held against sums made in the simplest way there is."""

from collections import Counter
from datetime import timedelta
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from farthing.ledger.balance import Effect, periods
from farthing.ledger.entry import book_splits, postings
from farthing.ledger.kinds import Type

from ..builders import USD, a_party, a_split, an_entry, balance_on, day, money
from .strategies import EXCHANGE_ID, PARTIES, entries

many = st.lists(entries, max_size=12)


def effect_of(entries) -> Effect:
    effect = Effect()
    for entry in entries:
        effect.add(book_splits(entry), EXCHANGE_ID)
    return effect


def test_a_day_is_summed_overall_in_its_month_and_alone():
    assert periods("2024-05-03") == (("all", ""), ("month", "2024-05"), ("day", "2024-05-03"))


def test_an_entry_counts_once_and_each_of_its_splits_on_both_sides():
    effect = effect_of([an_entry(a_split(), a_split(destination=a_party(3)))])

    assert effect.entries == {(1, "2024-05-01"): 1}
    assert effect.splits == {(1, "2024-05-01"): 2}
    on_sides = effect.labels["accounts"].splits
    assert on_sides == {(1, 1, 1, "2024-05-01"): 2, (2, 1, 1, "2024-05-01"): 1, (3, 1, 1, "2024-05-01"): 1}
    assert effect.units == {
        (1, 1, "2024-05-01"): -2500,
        (2, 1, "2024-05-01"): 1250,
        (3, 1, "2024-05-01"): 1250,
    }


def test_spent_and_earned_are_what_left_or_reached_own_accounts():
    abroad = a_split(destination=a_party(2, USD), amount=money("10"), foreign=money("11", USD))
    effect = effect_of(
        [
            an_entry(abroad),
            an_entry(abroad, type=Type.DEPOSIT),
            an_entry(abroad, type=Type.TRANSFER),
            an_entry(abroad, type=Type.OPENING_BALANCE),
        ]
    )

    assert effect.flows == {(1, 1, "2024-05-01"): 1000, (2, 7, "2024-05-01"): 1100}


def test_a_label_sums_what_was_spent_and_earned_and_counts_transfers_too():
    labelled = a_split(category_id=5, budget_id=6)
    effect = effect_of(
        [
            replace(an_entry(labelled, a_split(category_id=5)), tag_ids=(7, 8)),
            an_entry(labelled, type=Type.DEPOSIT),
            an_entry(labelled, type=Type.TRANSFER),
        ]
    )

    day_of = {type_: (int(type_), 1, "2024-05-01") for type_ in Type}
    assert effect.labels["categories"].units == {
        (5, *day_of[Type.WITHDRAWAL]): 2500,
        (5, *day_of[Type.DEPOSIT]): 1250,
        (5, *day_of[Type.TRANSFER]): 0,
    }
    assert effect.labels["categories"].splits == {
        (5, *day_of[Type.WITHDRAWAL]): 2,
        (5, *day_of[Type.DEPOSIT]): 1,
        (5, *day_of[Type.TRANSFER]): 1,
    }
    assert effect.labels["budgets"].units[6, *day_of[Type.WITHDRAWAL]] == 1250
    assert effect.labels["tags"].splits == {(tag, *day_of[Type.WITHDRAWAL]): 2 for tag in (7, 8)}


def test_reconciled_sums_include_marked_splits_and_opening_balances():
    effect = effect_of(
        [
            an_entry(a_split(reconciled=True)),
            an_entry(a_split()),
            an_entry(a_split(), type=Type.OPENING_BALANCE, on="2024-01-01"),
        ]
    )

    assert effect.reconciled == {
        (1, 1, "2024-05-01"): -1250,
        (2, 1, "2024-05-01"): 1250,
        (1, 1, "2024-01-01"): -1250,
        (2, 1, "2024-01-01"): 1250,
    }


@given(many)
def test_removing_every_entry_leaves_zero_sums(entries):
    effect = effect_of(entries)
    for entry in reversed(entries):
        effect.add(book_splits(entry), EXCHANGE_ID, times=-1)

    kept = [effect.units, effect.reconciled, effect.entries, effect.splits, effect.flows]
    kept += [counter for of_one in effect.labels.values() for counter in (of_one.units, of_one.splits)]
    assert not any(value for counter in kept for value in counter.values())


@given(many)
def test_each_currency_sums_to_zero_on_every_day(entries):
    effect = effect_of(entries)
    for sums in (effect.units, effect.reconciled):
        by_day: Counter[tuple[int, str]] = Counter()
        for (_, currency_id, on), units in sums.items():
            by_day[currency_id, on] += units
        assert not any(by_day.values())


@given(many)
def test_counts_equal_the_number_of_entries_and_splits(entries):
    effect = effect_of(entries)

    assert sum(effect.entries.values()) == len(entries)
    assert sum(effect.splits.values()) == sum(len(entry.splits) for entry in entries)
    assert sum(effect.labels["accounts"].splits.values()) == 2 * sum(effect.splits.values())


@given(many, st.sampled_from(PARTIES))
def test_a_balance_on_a_day_is_everything_posted_up_to_it(entries, party):
    effect = effect_of(entries)
    days = [day("2023-11-30") + timedelta(days=n) for n in range(95)]
    posted: Counter[str] = Counter()
    for entry in entries:
        for split in book_splits(entry):
            for posting in postings(split, EXCHANGE_ID):
                if (posting.account_id, posting.currency_id) == (party.id, party.currency.id):
                    posted[split.on] += posting.units

    found = [balance_on(effect.units, party.id, party.currency.id, on) for on in days]

    assert found == list(accumulate(posted[on.isoformat()] for on in days))
