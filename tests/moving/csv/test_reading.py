"""Rows that are good, odd or bad: what becomes of each, and what the user is told."""

from datetime import date
from decimal import Decimal

import pytest
from msgspec.structs import replace

from farthing.moving.findings import Unreadable
from farthing.moving.formats.csv.amounts import COMMA, POINT, NotAnAmount, amount_parser
from farthing.moving.formats.csv.dates import NotADay, parse_day
from farthing.moving.formats.csv.layout import CsvLayout
from farthing.moving.formats.csv.words import sign_of
from farthing.moving.statements import StatementEnd, StatementStart

from .tables import findings_of, parts_of, rows_of

LAYOUT = CsvLayout(columns={"date": "date", "amount": "amount", "description": "text"})
HEADER = "date,amount,text,more\n"


def with_columns(**columns: str | tuple[str, ...]) -> CsvLayout:
    return replace(LAYOUT, columns={"date": "date", "amount": "amount", **columns})


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1234,56", "1234.56"),
        ("1.234,56", "1234.56"),
        ("1.234.567,8", "1234567.8"),
        ("-1 234,56", "-1234.56"),
        ("1\u00a0234,56", "1234.56"),
        ("1\u202f234,56", "1234.56"),
        ("1'234,56", "1234.56"),
        ("1’234,56", "1234.56"),
        ("12,50-", "-12.50"),
        ("(12,50)", "-12.50"),
        ("\u221212,50", "-12.50"),
        ("+12,50", "12.50"),
        ("€ 12,50", "12.50"),
        ("-€12,50", "-12.50"),
        ("12,50 EUR", "12.50"),
        ("12,50EUR", "12.50"),
        ("12,50 kr.", "12.50"),
        ("12,50 S", "-12.50"),
        ("12,50 H", "12.50"),
        ("12,50CR", "12.50"),
        ("12,50 DR", "-12.50"),
        ("12,-", "12"),
        (",50", "0.50"),
        ("1,23456789", "1.23456789"),
        ("12,345", "12.345"),
        ("12.345", "12345"),
        ("  7 ", "7"),
    ],
)
def test_amounts_are_read_as_they_are_written(text: str, amount: str) -> None:
    assert amount_parser(COMMA)(text) == Decimal(amount)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "12.34",
        "1.23,4.5",
        "1,234.56",
        "1.2345,00",
        "1 23,00",
        "1e5",
        "NaN",
        "Infinity",
        "1_000",
        "--5",
        "-(5)",
        "(5",
        "٣",
        "５",
        "0x10",
        "12,50 XXXX",
        "1,2,3",
        "5" * 61,
        "12,50 / 13",
        "=",
    ],
)
def test_what_is_no_amount_is_refused_rather_than_guessed(text: str) -> None:
    with pytest.raises(NotAnAmount):
        amount_parser(COMMA)(text)


def test_indian_groups_are_read() -> None:
    assert amount_parser(POINT)("₹1,23,456.78") == Decimal("123456.78")


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2026-01-31", "dmy", "2026-01-31"),
        ("31.01.2026", "dmy", "2026-01-31"),
        ("31.1.26", "dmy", "2026-01-31"),
        ("31/01/99", "dmy", "1999-01-31"),
        ("01/31/2026 02:05 PM", "mdy", "2026-01-31"),
        ("26-01-31", "ymd", "2026-01-31"),
        ("20260131", "dmy", "2026-01-31"),
        ("31012026", "dmy", "2026-01-31"),
        ("260131", "ymd", "2026-01-31"),
        ("20260131140502", "ymd", "2026-01-31"),
        ("2026-01-31T23:59:59-11:00", "ymd", "2026-01-31"),
        ("31-Jan-2026", "mdy", "2026-01-31"),
        ("Jan 31, 2026", "dmy", "2026-01-31"),
        ("Sat, 31 Jan 2026", "dmy", "2026-01-31"),
        ("1. März 2026", "dmy", "2026-03-01"),
        ("1 févr. 2026", "dmy", "2026-02-01"),
        ("31 août 2026", "dmy", "2026-08-31"),
        ("5-mrt-2026", "dmy", "2026-03-05"),
        ("31 de enero de 2026", "dmy", "2026-01-31"),
        ("31 dicembre 2026", "dmy", "2026-12-31"),
        ("31 gru 2026", "dmy", "2026-12-31"),
        ("1st May 2026", "dmy", "2026-05-01"),
        ("2026年1月31日", "dmy", None),
        ("31.02.2026", "dmy", None),
        ("13/13/2026", "dmy", None),
        ("01/31/2026", "dmy", None),
        ("31.01.", "dmy", None),
        ("31.01.226", "dmy", None),
        ("12.345", "dmy", None),
        ("Total", "dmy", None),
        ("31 jui 2026", "dmy", None),
        ("0000-01-01", "ymd", None),
        ("1" * 100, "dmy", None),
    ],
)
def test_days_are_read_as_they_are_written(text: str, order: str, day: str | None) -> None:
    if day is None:
        with pytest.raises(NotADay):
            parse_day(text, order)
    else:
        assert parse_day(text, order) == date.fromisoformat(day)


def test_markers_say_which_way_the_money_went() -> None:
    out = ["D", "DR", "Debit", "DBIT", "S", "Soll", "Af", "-", "Débit", "Debet", "Cargo", "RC", "OUT", "d"]
    into = ["C", "CR", "Credit", "CRDT", "H", "Haben", "Bij", "+", "Crédit", "Abono", "RD", "IN", "Gutschrift"]

    assert [sign_of(word) for word in out] == [-1] * len(out)
    assert [sign_of(word) for word in into] == [1] * len(into)
    assert sign_of("transfer") is None


def test_a_file_is_one_statement() -> None:
    parts = parts_of(HEADER + "2026-01-31,5,a\n", LAYOUT)

    assert isinstance(parts[0], StatementStart)
    assert isinstance(parts[-1], StatementEnd)


@pytest.mark.parametrize(
    ("line", "field", "says"),
    [
        ("2026-02-30,5,a", "date", "“2026-02-30” is not a date in the order year, month and day."),
        (",5,a", "date", "An empty cell is not a date"),
        ("2026-01-31,5.x,a", "amount", "“5.x” is not an amount as written in this file, such as 1,234.56."),
        ("2026-01-31,,a", "amount", "The amount is missing."),
        ("2026-01-31,5,a,b,c", None, "The row has 5 cells, the header 4. A text that contains the delimiter"),
        ("2026-01-31," + "9" * 200 + ",a", "amount", "“" + "9" * 80 + "” is not an amount"),
    ],
)
def test_a_bad_row_is_rejected_by_name_and_the_others_are_read(line: str, field: str | None, says: str) -> None:
    text = f"{HEADER}2026-01-01,1,a\n{line}\n2026-01-02,2,b\n"

    (finding,) = findings_of(text, LAYOUT)

    assert (finding.row, finding.field, finding.rejects) == (3, field, True)
    assert says in finding.message
    assert [row.amount for row in rows_of(text, LAYOUT)] == [1, 2]


def test_a_zero_amount_is_named_and_left_out() -> None:
    (finding,) = findings_of(HEADER + "2026-01-31,0.00,a\n", LAYOUT)

    assert (finding.row, finding.rejects) == (2, False)
    assert rows_of(HEADER + "2026-01-31,0.00,a\n", LAYOUT) == []


def test_a_short_row_is_read_as_far_as_it_goes_and_said_so() -> None:
    text = HEADER + "2026-01-31,5\n"

    assert [row.description for row in rows_of(text, LAYOUT)] == [""]
    assert "only 2 of 4 cells" in findings_of(text, LAYOUT)[0].message


def test_empty_cells_at_the_end_of_a_row_and_empty_rows_do_not_matter() -> None:
    text = HEADER + "2026-01-31,5,a,b,,,\n,,,\n\n \n"

    assert len(rows_of(text, LAYOUT)) == 1
    assert findings_of(text, LAYOUT) == []


def test_a_repeated_header_is_no_bad_row() -> None:
    text = HEADER + "2026-01-31,5,a,b\n" + HEADER + "2026-01-31,6,a,b\n"

    assert [(one.row, one.rejects) for one in findings_of(text, LAYOUT)] == [(3, False)]


def test_texts_lose_the_mark_that_guards_formulas_and_keep_everything_else() -> None:
    cells = ["'=1+2", "'-5 off", "'@home", "'+49", "'＝1", "'n beetje", "=2", '"a\nb"', "zero\u200bwidth", "👩\u200d👧"]
    text = HEADER + "".join(f"2026-01-31,5,{cell}\n" for cell in cells)

    read = [row.description for row in rows_of(text, LAYOUT)]

    assert read == ["=1+2", "-5 off", "@home", "+49", "＝1", "'n beetje", "=2", "a b", "zerowidth", "👩\u200d👧"]


def test_a_quote_that_is_never_closed_costs_its_own_line_only() -> None:
    rows = [f"2026-01-{day:02},{day},fine" for day in range(1, 29)]
    rows[9] = '2026-01-10,10,"open'

    found = findings_of(HEADER + "\n".join(rows), LAYOUT)

    assert [(one.row, one.rejects) for one in found] == [(11, True)]
    assert len(rows_of(HEADER + "\n".join(rows), LAYOUT)) == 27


def test_a_stray_quote_does_not_swallow_rows_up_to_the_next_one() -> None:
    text = HEADER + '2026-01-10,10,"open\n2026-01-11,11,a\n2026-01-12,12,"b"\n2026-01-13,13,c\n'

    assert [row.amount for row in rows_of(text, LAYOUT)] == [11, 12, 13]
    assert [one.row for one in findings_of(text, LAYOUT)] == [2]


def test_the_row_of_a_text_with_line_breaks_is_its_first_line() -> None:
    text = HEADER + '2026-01-10,10,"a\nb\nc"\n2026-01-11,11,d\n'

    assert [(row.row, row.description) for row in rows_of(text, LAYOUT)] == [(2, "a b c"), (5, "d")]


def test_several_columns_make_one_text_and_several_tags() -> None:
    layout = with_columns(description=("text", "more"), tags=("text", "more"))

    (row,) = rows_of(HEADER + "2026-01-31,5,bread,shop\n", layout)

    assert (row.description, row.tags) == ("bread shop", ("bread", "shop"))


def test_debit_and_credit_columns_make_a_signed_amount() -> None:
    layout = replace(LAYOUT, columns={"date": "date", "debit": "out", "credit": "in"})
    text = "date,out,in\n2026-01-01,5,\n2026-01-02,-5,0\n2026-01-03,,7\n2026-01-04,5,7\n2026-01-05,,\n"

    assert [row.amount for row in rows_of(text, layout)] == [-5, -5, 7]
    assert [(one.row, one.rejects) for one in findings_of(text, layout)] == [(5, True), (6, True)]


def test_a_marker_decides_the_sign_and_an_unknown_one_is_refused() -> None:
    text = HEADER + "2026-01-01,5,Af\n2026-01-02,5,Bij\n2026-01-03,5,RC\n2026-01-04,5,huh\n"
    layout = with_columns(sign="text")

    assert [row.amount for row in rows_of(text, layout)] == [-5, 5, -5]
    assert "“huh” is not a debit or credit marker" in findings_of(text, layout)[0].message


def test_inverted_amounts_are_turned_around() -> None:
    assert rows_of(HEADER + "2026-01-01,5,a\n", replace(LAYOUT, invert=True))[0].amount == -5


def test_the_currency_comes_from_its_column_from_the_amount_or_from_its_name() -> None:
    by_column = rows_of(HEADER + "2026-01-01,5,eur\n", with_columns(currency="text"))
    by_amount = rows_of(HEADER + "2026-01-01,5 USD,a\n", LAYOUT)
    named = parts_of("date,amount (CHF)\n2026-01-01,5\n", CsvLayout(columns={"date": 0, "amount": 1}))

    assert (by_column[0].currency, by_amount[0].currency, named[0].currency) == ("EUR", "USD", "CHF")
    assert findings_of(HEADER + "2026-01-01,5,Taler\n", with_columns(currency="text"))[0].rejects


def test_a_foreign_amount_takes_the_sign_of_the_row_and_without_a_currency_it_is_a_note() -> None:
    layout = with_columns(foreign_amount="text", foreign_currency="more")
    text = HEADER + "2026-01-01,-5,6,USD\n2026-01-02,-5,6,\n2026-01-03,-5,bad,USD\n"

    first, second, third = rows_of(text, layout)

    assert (first.foreign_amount, first.foreign_currency) == (Decimal(-6), "USD")
    assert (second.foreign_amount, second.notes) == (None, "text: 6")
    assert third.foreign_amount is None
    assert [(one.row, one.field, one.rejects) for one in findings_of(text, layout)] == [(4, "text", False)]


def test_a_value_date_or_balance_that_cannot_be_read_does_not_cost_the_row() -> None:
    text = HEADER + "2026-01-01,5,soon,much\n"
    layout = with_columns(value_date="text", balance="more")

    assert len(rows_of(text, layout)) == 1
    assert [one.field for one in findings_of(text, layout)] == ["text", "more"]


@pytest.mark.parametrize(
    ("cell", "field", "value"),
    [
        ("DE89 3704 0044 0532 0130 00", "iban", "DE89370400440532013000"),
        ("20-00-00 12345678", "number", "20-00-00 12345678"),
        ("Holiday fund", "name", "Holiday fund"),
    ],
)
def test_a_row_names_its_account_by_iban_number_or_name(cell: str, field: str, value: str) -> None:
    (row,) = rows_of(f"{HEADER}2026-01-01,5,{cell}\n", with_columns(account="text"))

    assert row.account is not None
    assert getattr(row.account, field) == value


@pytest.mark.parametrize(
    ("layout", "says"),
    [
        (with_columns(payee="nobody"), "There is no column “nobody”. The header has date, amount, text, more."),
        (CsvLayout(columns={"date": 0, "amount": 9}), "There is no column 9: the file has columns 0 to 3."),
        (CsvLayout(columns={"date": "date"}), "Choose the column that holds the amount"),
        (replace(LAYOUT, preamble=50), "The file has no header"),
        (replace(LAYOUT, encoding="klingon"), "“klingon” is not a supported encoding"),
        (replace(LAYOUT, encoding="ascii"), "is not valid ascii text"),
    ],
)
def test_a_layout_that_does_not_fit_the_file_is_refused(layout: CsvLayout, says: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parts_of(HEADER + "2026-01-01,5,ü\n", layout)

    assert says in str(refused.value)
