"""What leaves one account arrives in another, in each currency, whatever is exchanged on the way."""

from collections import Counter

import pytest
from hypothesis import given

from farthing.ledger.entry import Posting, book_splits, is_booked_foreign, postings
from farthing.ledger.kinds import Type

from ..builders import EUR, JPY, USD, a_party, a_split, an_entry, money
from .strategies import EXCHANGE_ID, entries, splits

euros, more_euros = a_party(1, EUR), a_party(2, EUR)
dollars, more_dollars = a_party(3, USD), a_party(4, USD)
yen = a_party(5, JPY)

# Each side is booked in its account's own currency: with the amount if that is in it, else with the foreign amount if
# that is; if neither is, with the amount. Only when the two sides differ does the split pass the exchange account.
BOOKINGS = {
    "both in the amount's currency": (
        (euros, more_euros, "10 EUR", None),
        [(1, EUR, -1000), (2, EUR, 1000)],
    ),
    "a foreign amount that is only a remark": (
        (euros, more_euros, "10 EUR", "11 USD"),
        [(1, EUR, -1000), (2, EUR, 1000)],
    ),
    "to an account in the foreign currency": (
        (euros, dollars, "10 EUR", "11 USD"),
        [(1, EUR, -1000), (99, EUR, 1000), (99, USD, -1100), (3, USD, 1100)],
    ),
    "from an account in the foreign currency": (
        (dollars, euros, "10 EUR", "11 USD"),
        [(3, USD, -1100), (99, USD, 1100), (99, EUR, -1000), (1, EUR, 1000)],
    ),
    "both accounts in the foreign currency": (
        (dollars, more_dollars, "10 EUR", "11 USD"),
        [(3, USD, -1100), (4, USD, 1100)],
    ),
    "to an account in another currency, without a foreign amount": (
        (euros, dollars, "10 EUR", None),
        [(1, EUR, -1000), (3, EUR, 1000)],
    ),
    "neither amount is in the destination's currency": (
        (euros, yen, "10 EUR", "11 USD"),
        [(1, EUR, -1000), (5, EUR, 1000)],
    ),
    "neither amount is in the source's currency, the foreign one in the destination's": (
        (yen, dollars, "10 EUR", "11 USD"),
        [(5, EUR, -1000), (99, EUR, 1000), (99, USD, -1100), (3, USD, 1100)],
    ),
    "neither amount is in any account's currency": (
        (yen, a_party(6, JPY), "10 EUR", "11 USD"),
        [(5, EUR, -1000), (6, EUR, 1000)],
    ),
    "a foreign amount in the same currency": (
        (euros, more_euros, "10 EUR", "12 EUR"),
        [(1, EUR, -1000), (2, EUR, 1000)],
    ),
}


def named(text):
    amount, code = text.split()
    return money(amount, {"EUR": EUR, "USD": USD}[code])


@pytest.mark.parametrize("what", BOOKINGS)
def test_each_side_is_booked_in_its_accounts_own_currency(what):
    (source, destination, amount, foreign), expected = BOOKINGS[what]
    split = a_split(
        source=source, destination=destination, amount=named(amount), foreign=named(foreign) if foreign else None
    )

    (split_booked,) = book_splits(an_entry(split))

    found = list(postings(split_booked, EXCHANGE_ID))
    assert found == [Posting(account_id, currency.id, units) for account_id, currency, units in expected]


@given(entries)
def test_each_currency_of_an_entry_sums_to_zero(entry):
    sums: Counter[int] = Counter()
    for split in book_splits(entry):
        for posting in postings(split, EXCHANGE_ID):
            sums[posting.currency_id] += posting.units

    assert not any(sums.values())


@given(entries)
def test_only_splits_between_two_currencies_touch_the_exchange_account(entry):
    for split in book_splits(entry):
        touched = {posting.account_id for posting in postings(split, EXCHANGE_ID)}
        assert (EXCHANGE_ID in touched) == (split.left_currency_id != split.arrived_currency_id)


@given(splits)
def test_a_side_is_in_its_own_currency_whenever_one_of_the_amounts_is(split):
    (found,) = book_splits(an_entry(split))
    named_currencies = {money.currency.id for money in (split.amount, split.foreign) if money}
    sides = ((split.source, found.left_currency_id), (split.destination, found.arrived_currency_id))
    for party, currency_id in sides:
        if party.currency.id in named_currencies:
            assert currency_id == party.currency.id
        else:
            assert currency_id == split.amount.currency.id


@given(splits)
def test_the_foreign_amount_is_booked_only_where_the_amount_does_not_fit(split):
    for party in (split.source, split.destination):
        if is_booked_foreign(split, party):
            assert split.foreign is not None
            assert split.amount.currency.id != party.currency.id == split.foreign.currency.id


@pytest.mark.parametrize(
    "broken",
    [
        {"amount": money("0")},
        {"amount": money("-1")},
        {"foreign": money("0", USD)},
        {"destination": a_party(1)},
    ],
    ids=["nothing", "less than nothing", "foreign nothing", "to itself"],
)
def test_an_unbalanced_split_cannot_be_expressed(broken):
    with pytest.raises(AssertionError):
        a_split(**broken)


def test_every_entry_has_a_split():
    with pytest.raises(AssertionError):
        type(an_entry())(Type.WITHDRAWAL, an_entry().on, "nothing", ())
