"""Amounts are whole units: in, out and in again they are the same number, to the last digit."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.kernel.money import PLACES_MAX, UNITS_MAX, Currency, NotRepresentable, as_number, as_text, to_units

places = st.integers(0, PLACES_MAX)
units = st.integers(-UNITS_MAX, UNITS_MAX)


def a_currency(places: int = 2) -> Currency:
    return Currency(1, "EUR", "Euro", "€", places)


@pytest.mark.parametrize(
    ("amount", "places", "expected"),
    [
        ("102.1", 2, 10210),
        ("-0.01", 2, -1),
        ("0", 2, 0),
        ("-0", 2, 0),
        ("12.500000", 2, 1250),
        ("1500", 0, 1500),
        ("1500.0", 0, 1500),
        ("0.001", 3, 1),
        ("1E+3", 2, 100_000),
        ("1E-12", 12, 1),
        ("90071992547409931.23", 2, 9_007_199_254_740_993_123),
        ("92233720368547758.07", 2, UNITS_MAX),
        ("-92233720368547758.07", 2, -UNITS_MAX),
        ("0.00000000000000000000000000000", 2, 0),
        ("0E+30", 2, 0),
    ],
)
def test_an_amount_becomes_units_exactly(amount, places, expected):
    assert to_units(Decimal(amount), a_currency(places)) == expected


@pytest.mark.parametrize(
    ("amount", "places", "sentence"),
    [
        ("0.001", 2, "may have at most 2 decimal places in EUR"),
        ("1.5", 0, "may have at most 0 decimal places in EUR"),
        ("1E-30", 12, "may have at most 12 decimal places in EUR"),
        ("92233720368547758.08", 2, "may not be greater than 92233720368547758.07 in EUR"),
        ("-92233720368547758.08", 2, "may not be less than -92233720368547758.07 in EUR"),
        ("9223372036854775808", 0, "may not be greater than 9223372036854775807 in EUR"),
        ("1E+30", 12, "may not be greater than 9223372.036854775807 in EUR"),
    ],
)
def test_an_amount_that_is_too_large_or_precise_is_refused_with_the_limit(amount, places, sentence):
    with pytest.raises(NotRepresentable, match=f"^{sentence}$"):
        to_units(Decimal(amount), a_currency(places))


@pytest.mark.parametrize(
    ("units", "places", "text", "number"),
    [
        (10210, 2, "102.10", "102.1"),
        (150_000, 2, "1500.00", "1500"),
        (-1, 2, "-0.01", "-0.01"),
        (0, 2, "0.00", "0"),
        (0, 0, "0", "0"),
        (1500, 0, "1500", "1500"),
        (-100, 0, "-100", "-100"),
        (1, 12, "0.000000000001", "0.000000000001"),
        (UNITS_MAX, 2, "92233720368547758.07", "92233720368547758.07"),
        (-UNITS_MAX - 1, 12, "-9223372.036854775808", "-9223372.036854775808"),
    ],
)
def test_units_are_written_with_all_places_as_text_and_short_as_a_number(units, places, text, number):
    assert as_text(units, places) == text
    assert as_number(units, places) == number


@given(units, places)
def test_formatted_amounts_are_parsed_back_unchanged(units, places):
    currency = a_currency(places)

    assert to_units(Decimal(as_text(units, places)), currency) == units
    assert to_units(Decimal(as_number(units, places)), currency) == units


@given(units, places)
def test_a_number_has_no_exponent_and_no_trailing_zero(units, places):
    number = as_number(units, places)

    assert set(number) <= set("-0123456789.")
    assert "." not in number or number[-1] not in "0."
    assert not number.startswith(("00", "-00", ".", "-."))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20), places)
def test_an_amount_is_read_exactly_or_not_at_all(amount, places):
    try:
        units = to_units(amount, a_currency(places))
    except NotRepresentable:
        scaled = amount.scaleb(places) if amount else amount
        assert scaled != int(scaled) or abs(int(scaled)) > UNITS_MAX
    else:
        assert Decimal(as_text(units, places)) == amount
