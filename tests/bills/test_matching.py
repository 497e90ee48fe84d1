"""Does a transaction pay a bill? The rule itself, without a database: tables, and both answers agreeing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.books.bills.matching import Candidate, candidate, find_paid_bill, join_texts, judge, pays
from farthing.books.bills.model import Bill, distinct_words, words_key
from farthing.kernel.money import Currency, Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Type
from farthing.schedule.frequency import Frequency

from ..builders import EUR, JPY, USD, day, money


def a_bill(*words: str, low: str = "10", high: str = "20", currency: Currency = EUR, **fields: Any) -> Bill:
    usual: dict[str, Any] = {
        "id": 1, "name": "Rent", "first_on": day("2024-01-01"), "frequency": Frequency.MONTHLY, "skip": 0,
        "automatch": True, "active": True, "notes": None, "created_at": "", "updated_at": "",
    }  # fmt: skip
    bounds = {"lowest_units": money(low, currency).units, "highest_units": money(high, currency).units}
    return Bill(**{**usual, "words": words or ("rent",), "currency": currency, **bounds, **fields})


def a_split(amount: str = "15", text: str | None = None, to: str = "Shop", foreign: Money | None = None) -> Split:
    return Split(Party(1, EUR, "Checking"), Party(2, EUR, to), money(amount), foreign, text)


def an_entry(*splits: Split, text: str = "Rent", type_: Type = Type.WITHDRAWAL) -> Entry:
    return Entry(type_, day("2024-05-01"), text, splits or (a_split(),))


WORDS = [
    (("rent",), "Rent", True),
    (("RENT",), "monthly rent, may", True),
    (("ren", "ent"), "Rent", True),
    (("rent", "landlord"), "Rent for the LandLord", True),
    (("rent", "landlord"), "Rent", False),
    (("landlord", "rent"), "landlord's rental", True),
    (("rent a car",), "Rent  a car", False),
    (("straße",), "Hohe STRASSE 5", True),
    (("caf\u00e9",), "Cafe\u0301 Central", True),
    (("checking",), "Rent", True),
    (("shop",), "Rent", True),
    (("checkingshop",), "Rent", False),
    (("rentchecking",), "Rent", False),
]


@pytest.mark.parametrize(("words", "text", "expected"), WORDS)
def test_every_word_must_occur_somewhere_ignoring_case(words: tuple[str, ...], text: str, expected: bool) -> None:
    one = candidate(an_entry(text=text))

    assert judge(a_bill(*words), one).pays is expected
    assert pays(a_bill(*words).criteria, one) is expected


def test_words_may_be_spread_over_description_splits_and_names() -> None:
    entry = an_entry(a_split("7", "bread", to="Baker"), a_split("8", "flowers", to="Florist"), text="Market")

    assert judge(a_bill("market", "bread", "flowers", "florist", "checking"), candidate(entry)).pays
    assert not judge(a_bill("market", "wine"), candidate(entry)).pays


def test_a_word_is_not_found_across_two_texts() -> None:
    assert join_texts(("Rent", None, "", "Home", "Rent")) == "rent\0home"
    assert not judge(a_bill("rent home"), candidate(an_entry(a_split(to="Home")))).pays


AMOUNTS = [("9.99", False), ("10", True), ("15", True), ("20", True), ("20.01", False)]


@pytest.mark.parametrize(("amount", "expected"), AMOUNTS)
def test_the_range_includes_both_ends(amount: str, expected: bool) -> None:
    assert judge(a_bill(), candidate(an_entry(a_split(amount)))).pays is expected


def test_the_amount_is_the_sum_of_the_splits() -> None:
    entry = an_entry(a_split("6", "a"), a_split("6", "b"))

    assert judge(a_bill(), candidate(entry)).pays
    assert not judge(a_bill(), candidate(an_entry(a_split("6", "a"), a_split("60", "b")))).pays


def test_the_amount_counts_in_the_bills_currency_own_or_foreign() -> None:
    entry = an_entry(
        a_split("9", "a", foreign=money("10", USD)), a_split("3", "b"), a_split("1", "c", foreign=money("2", USD))
    )

    assert candidate(entry).units == {EUR.id: 1300, USD.id: 1200}
    assert judge(a_bill(), candidate(entry)).pays
    assert judge(a_bill(currency=USD), candidate(entry)).pays
    assert judge(a_bill(currency=JPY), candidate(entry)).why == "has no amount in JPY"


@pytest.mark.parametrize("type_", [one for one in Type if one != Type.WITHDRAWAL])
def test_only_a_withdrawal_pays(type_: Type) -> None:
    one = candidate(an_entry(type_=type_))

    assert judge(a_bill(), one).why == "is not a withdrawal"
    assert not pays(a_bill().criteria, one)


WHY = [
    (a_bill("rent"), an_entry(), True, "contains 'rent'; 15.00 is between 10.00 and 20.00 EUR"),
    (a_bill("rent", "May"), an_entry(), True, "does not contain 'May'"),
    (a_bill("rent"), an_entry(a_split("64.50")), True, "the amount is 44.50 EUR too large"),
    (a_bill("rent"), an_entry(a_split("9.99")), True, "the amount is 0.01 EUR too small"),
    (a_bill("rent", currency=USD), an_entry(), True, "has no amount in USD"),
    (a_bill("rent"), an_entry(type_=Type.DEPOSIT), True, "is not a withdrawal"),
    (a_bill("rock'n'roll", "x\\y", "rent"), an_entry(), True, "does not contain 'rock'n'roll', 'x\\y'"),
    (a_bill("other"), an_entry(), False, "does not contain 'other'"),
    (
        a_bill("rent", "May"), an_entry(a_split("1"), type_=Type.TRANSFER), False,
        "is not a withdrawal; does not contain 'May'; the amount is 9.00 EUR too small",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("bill", "entry", "near", "why"), WHY)
def test_every_verdict_has_its_reason_in_words(bill: Bill, entry: Entry, near: bool, why: str) -> None:
    verdict = judge(bill, candidate(entry))

    assert (verdict.near, verdict.why) == (near, why)


def test_of_several_bills_the_first_wins() -> None:
    bills = [a_bill("other", id=1), a_bill("rent", id=2, low="16"), a_bill("rent", id=3), a_bill(id=4)]

    assert find_paid_bill([one.criteria for one in bills], candidate(an_entry())) == 3
    assert find_paid_bill([], candidate(an_entry())) is None


def test_duplicates_are_dropped_and_the_order_of_words_does_not_matter() -> None:
    assert distinct_words(["Rent", "gas", "RENT", "Gas "]) == ("Rent", "gas", "Gas ")
    assert words_key(("b", "A"), "Rent") == words_key(("a", "B", "b"), "Rent") == "a,b"


LETTERS = st.text("aAbBßéÉ ,İı", max_size=6)


@given(
    st.lists(LETTERS.map(str.strip).filter(lambda word: word and "," not in word), min_size=1, max_size=4),
    st.lists(LETTERS, max_size=4),
    st.integers(0, 30),
    st.sampled_from(list(Type)),
)
def test_the_quick_answer_and_the_explained_one_agree(
    words: list[str], texts: list[str], euros: int, type_: Type
) -> None:
    bill = a_bill(*words)
    one = Candidate(type_, join_texts(texts), {EUR.id: euros * 100})

    assert judge(bill, one).pays == pays(bill.criteria, one)
