"""What may stand in a field? Each type by table: what it reads, what it refuses, what OpenAPI says of it."""

import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from farthing.kernel.errors import Invalid
from farthing.kernel.fields import (
    UNREADABLE_NUMBER,
    Amount,
    Day,
    Description,
    Flag,
    Id,
    Name,
    Notes,
    Percentage,
    PositiveAmount,
    WordList,
    choice,
    parse,
    query_day,
    whole,
    words,
)
from farthing.kernel.parsed import Indexed


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


class Everything(BaseModel):
    name: Name | None = None
    description: Description | None = None
    notes: Notes | None = None
    flag: Flag | None = None
    amount: Amount | None = None
    positive: PositiveAmount | None = None
    skip: Annotated[int, whole(minimum=0, maximum=31)] | None = None
    currency_id: Id | None = None
    interest: Percentage | None = None
    date: Day | None = None
    type: Annotated[str, choice("asset", "credit card")] | None = None
    color: Annotated[Color, choice(*Color)] | None = None
    match: WordList | None = None
    few: Annotated[list[str], words(10)] | None = None


def value_of(field, sent):
    parsed = parse(Everything, {field: sent})
    assert parsed.problems == []
    return getattr(parsed.values, field)


def complaint(field, sent):
    parsed = parse(Everything, {field: sent})
    assert getattr(parsed.values, field) is None
    assert parsed.failed == {field}
    [problem] = parsed.problems
    assert problem.field == field
    return problem.message


# Text


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("Rent", "Rent"),
        (" \t Rent \n", "Rent"),
        ("\u00a0\u3000Rent\u2003", "Rent"),
        ("\u200fשכירות\u200f", "\u200fשכירות\u200f"),
        ("👩\u200d👧 me\u200cus", "👩\u200d👧 me\u200cus"),
        ("x" * 255, "x" * 255),
        ("😀" * 255, "😀" * 255),
        (12345, "12345"),
        (Decimal("10.50"), "10.50"),
        (Decimal("0.0000001"), "0.0000001"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_text_is_trimmed_and_a_number_counts_as_its_digits(sent, read):
    assert value_of("name", sent) == read


@pytest.mark.parametrize("sent", [True, False, [], ["Rent"], {"a": "b"}, 1.5, b"Rent"])
def test_text_is_not_made_of_anything_else(sent):
    assert complaint("name", sent) == "The name must be text."


@pytest.mark.parametrize(("field", "limit"), [("name", 255), ("description", 1024), ("notes", 65_000)])
def test_text_over_its_limit_is_refused_naming_the_limit(field, limit):
    assert value_of(field, " " + "x" * limit + " ") == "x" * limit
    assert complaint(field, "x" * (limit + 1)) == f"The {field} may not be greater than {limit} characters."


@pytest.mark.parametrize(("sent", "what"), [("a\0b", "NUL"), ("a\ud800b", "surrogate"), ("\udfff", "surrogate")])
def test_nul_and_half_surrogate_pairs_are_refused_in_every_kind_of_text(sent, what):
    assert what in complaint("name", sent)
    assert what in complaint("match", [sent])


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("REWE\u00a0Markt", "REWE Markt"),
        ("a\u200bb\u3000c\u202fd\ufeffe", "a b c d e"),
        ("\x07bell\tand\x1b tab\x85", "bell and  tab"),
        ("two\r\nlines\nor three", "two lines or three"),
        (
            "👩\u200d👧 \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "👩\u200d👧 \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
    ],
)
def test_a_name_is_one_line_of_plain_spaces(sent, kept):
    assert (value_of("name", sent), value_of("description", sent)) == (kept, kept)
    assert value_of("match", [sent]) == [kept]


def test_notes_keep_their_lines():
    assert value_of("notes", "two\n\tlines") == "two\n\tlines"


def test_a_name_of_nothing_that_can_be_seen_is_refused():
    assert "visible character" in complaint("name", "\x07\x1b")


def test_a_number_without_end_is_no_text():
    assert "digits" in complaint("name", UNREADABLE_NUMBER)


# Choices and words


@pytest.mark.parametrize("sent", ["asset", " credit card "])
def test_a_choice_is_one_of_its_words(sent):
    assert value_of("type", sent) == sent.strip()


@pytest.mark.parametrize("sent", ["Asset", "ASSET", "creditcard", "x", 1, True, ["asset"], {"asset": 1}])
def test_another_word_or_case_is_refused_naming_the_choices(sent):
    assert complaint("type", sent) == "The selected type is invalid: it must be one of asset, credit card."


def test_a_choice_of_an_enumeration_reads_its_members():
    assert value_of("color", "blue") is Color.BLUE


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("rent, flat ,, march", ["rent", "flat", "march"]),
        (["rent", " flat ", "", None, "a,b"], ["rent", "flat", "a", "b"]),
        (["2024", 7], ["2024", "7"]),
        (",", []),
        ([], []),
        (Indexed(["a", "b"], ["3", "5"]), ["a", "b"]),
        ({"3": "a", "5": "b"}, ["a", "b"]),
    ],
)
def test_words_come_comma_separated_or_as_a_list(sent, read):
    assert value_of("match", sent) == read


@pytest.mark.parametrize("sent", [True, [["a"]], [{"a": "b"}], {"a": "b"}])
def test_words_are_texts(sent):
    assert complaint("match", sent) == "The match must be text."


def test_the_limit_on_words_counts_them_all():
    assert value_of("few", "abcd , efghi") == ["abcd", "efghi"]
    assert complaint("few", ["abcd", "efghij"]) == "The few may not be greater than 10 characters."


# Flags


@pytest.mark.parametrize("sent", [True, 1, "1", "true", "TRUE", " True ", Decimal("1.0")])
def test_these_mean_yes(sent):
    assert value_of("flag", sent) is True


@pytest.mark.parametrize("sent", [False, 0, "0", "false", "FALSE", "False "])
def test_these_mean_no(sent):
    assert value_of("flag", sent) is False


@pytest.mark.parametrize(
    "sent", ["on", "off", "yes", "no", "t", "2", 2, -1, "01", Decimal("0.5"), UNREADABLE_NUMBER, [], {}]
)
def test_anything_else_is_no_flag(sent):
    assert complaint("flag", sent) == "The flag field must be true or false."


# Numbers


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("90071992547409931.23", "90071992547409931.23"),
        (Decimal("90071992547409931.23"), "90071992547409931.23"),
        (" 12 ", "12"),
        ("+1.50", "1.50"),
        ("-0.01", "-0.01"),
        (-7, "-7"),
        (10**40, "1" + "0" * 40),
        ("0." + "1" * 60, "0." + "1" * 60),
        ("-0.00", "0"),
    ],
)
def test_an_amount_is_read_exactly(sent, read):
    assert str(value_of("amount", sent)) == read


@pytest.mark.parametrize(
    "sent",
    ["1e3", "NaN", "Infinity", "-inf", "1,50", "0x10", "1_000", "1 000", ".5", "5.", "--1", "٣", "x", "1\n2", "€5"],
)
def test_text_that_is_no_plain_decimal_is_no_amount(sent):
    assert complaint("amount", sent) == "The amount must be a number, written like 1234.56."


@pytest.mark.parametrize("sent", [True, 1.5, float("nan"), [1], {"amount": 1}])
def test_what_is_neither_number_nor_text_is_no_amount(sent):
    assert complaint("amount", sent) == "The amount must be a number."


@pytest.mark.parametrize("sent", [UNREADABLE_NUMBER, 10**100, -(10**4000), "1" * 101, "0." + "0" * 100_000 + "1"])
@pytest.mark.parametrize("field", ["amount", "positive", "skip", "currency_id", "interest"])
def test_a_number_beyond_reason_is_refused_by_every_kind_of_number(field, sent):
    assert "a number of at most 100 digits" in complaint(field, sent)


@pytest.mark.parametrize("sent", ["0", 0, "-0.01", Decimal("-1e-20")])
def test_a_positive_amount_is_more_than_zero(sent):
    assert complaint("positive", sent) == "The positive must be more than zero."


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_any_decimal_is_the_same_amount_as_number_and_as_text(amount):
    assert value_of("amount", amount) == value_of("amount", format(amount, "f")) == amount


@pytest.mark.parametrize("sent", [5, "5", "+5", "005", "5.0", Decimal("5.00"), Decimal("0.5E1")])
def test_a_whole_number_may_have_a_fraction_of_zero(sent):
    read = value_of("skip", sent)

    assert read == 5
    assert type(read) is int


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (32, "The skip must be between 0 and 31."),
        ("-1", "The skip must be between 0 and 31."),
        (10**30, "The skip must be between 0 and 31."),
        ("1.5", "The skip must be a whole number."),
        (Decimal("1." + "0" * 60 + "1"), "The skip must be a whole number."),
        ("five", "The skip must be a number, written like 1234.56."),
        (True, "The skip must be a number."),
    ],
)
def test_a_whole_number_outside_its_range_or_with_a_fraction_is_refused(sent, sentence):
    assert complaint("skip", sent) == sentence


def test_an_id_is_a_positive_whole_number_of_64_bits():
    assert value_of("currency_id", str(2**63 - 1)) == 2**63 - 1
    for sent in (0, "-1", 2**63):
        assert complaint("currency_id", sent) == "The selected currency id is invalid."


@pytest.mark.parametrize("sent", ["0", 100, "5.125", Decimal("0.123456789012"), "1." + "0" * 40])
def test_a_percentage_lies_between_0_and_100_with_twelve_decimals(sent):
    assert value_of("interest", sent) == Decimal(sent)


@pytest.mark.parametrize("sent", ["-0.1", "100.1", 101])
def test_a_percentage_beyond_100_is_refused(sent):
    assert complaint("interest", sent) == "The interest must be between 0 and 100."


@pytest.mark.parametrize("sent", ["0.1234567890123", "1." + "0" * 40 + "1"])
def test_a_percentage_with_more_decimals_is_refused(sent):
    assert complaint("interest", sent) == "The interest may have at most 12 decimal places."


# Days


@pytest.mark.parametrize(
    "sent",
    [
        "2024-02-29",
        " 2024-02-29 ",
        "2024-02-29T00:00:00Z",
        "2024-02-29T23:59:59.999999-11:30",
        "2024-02-29 12:30",
        "2024-02-29T12:30:00+0200",
        "2024-02-29T12:30:00+14",
    ],
)
def test_a_day_is_a_date_or_the_date_part_of_a_date_time(sent):
    assert value_of("date", sent) == datetime.date(2024, 2, 29)


@pytest.mark.parametrize(
    "sent",
    [
        *("0", "12", "tomorrow", "2024-2-9", "20240229", "29.02.2024", "2024-W09-4", "2024-02-29T25:00", "2024-02-29x"),
        *(
            "2024-02-29T12:30+24:00",
            "2024-02-29T12:30+01:60",
            "2024-02-29T12:30+1",
            "٢٠٢٤-02-29",
            20240229,
            True,
            [],
            {},
        ),
    ],
)
def test_anything_else_is_no_day(sent):
    assert complaint("date", sent) == "The date is not a valid date: write it as YYYY-MM-DD."


@pytest.mark.parametrize("sent", ["2023-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "2024-04-00"])
def test_a_day_that_does_not_exist_is_refused(sent):
    assert complaint("date", sent) == "The date is not a valid date: there is no such day in the calendar."


@pytest.mark.parametrize("sent", ["0999-12-31", "9999-01-01", "0000-00-00"])
def test_years_run_from_1000_to_9998(sent):
    assert complaint("date", sent) == "The date is not a valid date: its year must be between 1000 and 9998."


@given(st.dates(datetime.date(1000, 1, 1), datetime.date(9998, 12, 31)))
def test_every_day_of_the_calendar_is_read(day):
    assert value_of("date", day.isoformat()) == day


def test_a_day_in_the_query_may_be_left_empty_but_not_be_wrong():
    assert query_day("2024-02-29", "start") == datetime.date(2024, 2, 29)
    assert query_day(None, "start") is query_day(" ", "start") is None
    with pytest.raises(Invalid, match="start: The start is not a valid date"):
        query_day("soon", "start")


# OpenAPI


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("name", ["Rent", 5, None], [True, [], "x" * 256]),
        ("flag", [True, 0, "1", "false"], [2, "yes", []]),
        ("amount", [1.5, -3, "1.50"], ["1e3", "1,50", True]),
        ("positive", [1], [0, True]),
        ("skip", [31, "5", "5.0"], [32, 1.5, "five"]),
        ("currency_id", [1, "1"], [0, "x", []]),
        ("interest", [0, 100, "5.5"], [101, "5%"]),
        ("date", ["2024-02-29"], [5, []]),
        ("type", ["asset"], ["Asset", 5]),
        ("color", ["red"], ["green"]),
        ("match", ["a,b", ["a", "b"]], [5, [5]]),
    ],
)
def test_the_json_schema_says_what_is_accepted(field, good, bad):
    schema = Everything.model_json_schema()
    jsonschema_rs.meta.validate(schema)
    valid = jsonschema_rs.Draft202012Validator(schema["properties"][field]).is_valid

    assert [value for value in good if not valid(value)] == []
    assert [value for value in bad if valid(value)] == []


def test_the_json_schema_carries_lengths_formats_and_words():
    properties = Everything.model_json_schema()["properties"]
    shown = {name: properties[name]["anyOf"][0] for name in ("notes", "date", "type")}

    assert shown["notes"]["maxLength"] == 65_000
    assert shown["date"]["format"] == "date"
    assert shown["type"]["enum"] == ["asset", "credit card"]
