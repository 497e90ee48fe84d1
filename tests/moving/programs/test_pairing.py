"""Postings become moves from a source to a destination; no account's sum changes."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction

import hypothesis.strategies as st
from hypothesis import given, settings

from farthing.moving.programs.common.pairing import (
    ADJUSTMENT,
    CLEARING,
    Leg,
    LegRole,
    Pairing,
    PairPosting,
    is_closing,
    pair_postings,
)

from ...length import examples

ALLOWED = {
    (LegRole.OWN, LegRole.OWN),
    (LegRole.OWN, LegRole.OUT),
    (LegRole.IN, LegRole.OWN),
    (LegRole.OWN, LegRole.EQUITY),
    (LegRole.EQUITY, LegRole.OWN),
}
Sums = dict[tuple[str, str], Decimal]


def post(account: str, amount: str, commodity: str = "EUR", price: str = "", of: str = "EUR") -> PairPosting:
    kinds = {"a": LegRole.OWN, "l": LegRole.OWN, "q": LegRole.EQUITY}
    quantity = Decimal(amount)
    role = kinds.get(account[0]) or (LegRole.IN if quantity < 0 else LegRole.OUT)
    return PairPosting(
        account=f"{role}:{account}:{commodity}",
        role=role,
        quantity=quantity,
        commodity=commodity,
        weight=Fraction(price) * Fraction(quantity) if price else None,
        weight_commodity=of if price else None,
    )


def shown(pairing: Pairing) -> list[str]:
    def name(account: str) -> str:
        return account.split(":")[1] if account.count(":") == 2 else account

    return [f"{name(leg.source)}>{name(leg.destination)} {leg.left}" for leg in pairing.legs]


def test_an_expense_is_paid_from_the_own_account() -> None:
    pairing = pair_postings([post("food", "7.5"), post("house", "2.5"), post("acash", "-10")])

    assert shown(pairing) == ["acash>food 7.5", "acash>house 2.5"]


def test_a_salary_with_deductions_arrives_whole_and_the_deductions_leave_again() -> None:
    pairing = pair_postings([post("salary", "-5000"), post("tax", "1800"), post("abank", "3200")])

    assert shown(pairing) == ["salary>abank 5000", "abank>tax 1800"]


def test_a_mortgage_payment_is_a_transfer_and_a_withdrawal() -> None:
    pairing = pair_postings([post("abank", "-1000"), post("lmortgage", "400"), post("interest", "600")])

    assert shown(pairing) == ["abank>interest 600", "abank>lmortgage 400"]


def test_what_is_moved_between_two_expenses_passes_the_clearing_account() -> None:
    pairing = pair_postings([post("food", "-3"), post("fun", "3")])

    assert shown(pairing) == ["food>clearing:EUR 3", "clearing:EUR>fun 3"]


def test_closing_the_year_books_nothing() -> None:
    pairing = pair_postings([post("salary", "100"), post("food", "-60"), post("qretained", "-40")])

    assert pairing == Pairing(legs=(), unbooked=True)


def test_a_price_joins_two_currencies() -> None:
    (leg,) = pair_postings([post("abank", "-9.13"), post("ausd", "10", "USD", price="0.91234")]).legs

    assert (leg.left, leg.left_commodity, leg.arrived, leg.arrived_commodity) == (
        Decimal("9.13"),
        "EUR",
        Decimal(10),
        "USD",
    )


def test_sold_shares_arrive_whole_and_the_fee_leaves_from_there() -> None:
    pairing = pair_postings([post("abroker", "-7", "AAPL", price="4.08"), post("fee", "1"), post("abank", "27.56")])

    assert shown(pairing) == ["abroker>abank 7", "abank>fee 1.00"]
    assert pairing.legs[0].arrived == Decimal("28.56")


def test_a_rest_that_no_rounding_explains_is_adjusted() -> None:
    pairing = pair_postings([post("abank", "-19.13"), post("ausd", "10", "USD", price="0.91234")])

    assert pairing.adjusted == ((0, Decimal("-10.01")),)


def test_two_currencies_without_a_price_are_each_others_price() -> None:
    (leg,) = pair_postings([post("abank", "-9"), post("ausd", "10", "USD")]).legs

    assert (leg.left, leg.arrived) == (9, 10)


def test_three_currencies_without_a_price_are_adjusted() -> None:
    pairing = pair_postings([post("a1", "-9"), post("a2", "10", "USD"), post("a3", "8", "GBP")])

    assert len(pairing.adjusted) == 3
    assert all(ADJUSTMENT in (leg.source, leg.destination) for leg in pairing.legs)


@st.composite
def entries(draw: st.DrawFn) -> list[PairPosting]:
    """Balanced or not, with prices or without, in up to three commodities."""
    names = st.sampled_from(["a1", "a2", "l1", "food", "fun", "salary", "gifts", "q1"])
    amounts = st.integers(-2000, 2000).map(lambda cents: Decimal(cents).scaleb(-2))
    prices = st.sampled_from(["", "", "0.5", "1.2345", "3", "0.3333"])
    found = []
    for _ in range(draw(st.integers(1, 6))):
        commodity = draw(st.sampled_from(["EUR", "EUR", "EUR", "USD", "AAPL", "AAPL"]))
        price = draw(prices) if commodity != "EUR" else ""
        amount = Decimal(draw(st.integers(-9, 9))) if commodity == "AAPL" else draw(amounts)
        found.append(post(draw(names), str(amount), commodity, price))
    if draw(st.booleans()):
        total = sum(
            (one.weight if one.weight is not None else Fraction(one.quantity) if one.commodity == "EUR" else 0)
            for one in found
        )
        rest = Decimal(round(total * 100)).scaleb(-2)
        found.append(post(draw(names), str(-rest)))
    return found


def net(postings: list[PairPosting]) -> Sums:
    sums: Sums = defaultdict(Decimal)
    for one in postings:
        if one.role is not LegRole.EQUITY:
            sums[one.account, one.commodity] += one.quantity
    return {key: amount for key, amount in sums.items() if amount}


def booked(legs: tuple[Leg, ...]) -> Sums:
    sums: Sums = defaultdict(Decimal)
    for leg in legs:
        if leg.source_role is not LegRole.EQUITY:
            sums[leg.source, leg.left_commodity] -= leg.left
        if leg.destination_role is not LegRole.EQUITY:
            sums[leg.destination, leg.arrived_commodity] += leg.arrived
    return {key: amount for key, amount in sums.items() if amount}


def test_shares_are_not_divided_between_an_expense_and_an_account() -> None:
    postings = [
        post("abroker", "-7", "AAPL", price="4.08"),
        post("qmisc", "-37.31"),
        post("fun", "27.01"),
        post("lcard", "38.86"),
    ]
    pairing = pair_postings(postings)

    assert booked(pairing.legs) == net(postings)
    assert shown(pairing)[0] == "abroker>lcard 7"
    assert pairing.adjusted == ()


@settings(max_examples=examples(2400))
@given(entries())
def test_every_accounts_sum_is_the_same_before_and_after(postings: list[PairPosting]) -> None:
    pairing = pair_postings(postings)

    sums = booked(pairing.legs)
    cleared = {key: sums.pop(key) for key in list(sums) if key[0].startswith(f"{CLEARING}:")}
    assert sums == ({} if is_closing(one.role for one in postings) else net(postings))
    assert cleared == {}
    assert pair_postings(postings) == pairing
    for leg in pairing.legs:
        assert leg.left > 0
        assert leg.arrived > 0
        assert (leg.source_role, leg.destination_role) in ALLOWED
        assert leg.source != leg.destination
        assert leg.left_commodity != leg.arrived_commodity or leg.left == leg.arrived
