"""What is detected can be doubted and overruled; a mapping sent as JSON is checked as a whole."""

import json
from datetime import date
from decimal import Decimal

import msgspec
import pytest

from farthing.moving.formats.csv.amounts import find_marks
from farthing.moving.formats.csv.dates import find_order
from farthing.moving.formats.csv.detect import looks_like
from farthing.moving.formats.csv.layout import CsvLayout, check_fields, layout_key

from .tables import detected, rows_of

TABLE = "Date,Description,Amount\n03/04/2026,a,-5.00\n04/05/2026,b,7.00\n"


def test_days_that_could_be_months_are_asked_about() -> None:
    found = detected(TABLE)

    (question,) = [one for one in found.questions if one.field == "date_order"]
    assert question.choices[0] == found.layout.date_order
    assert set(question.choices) >= {"dmy", "mdy"}
    assert "03/04/2026" in question.message


@pytest.mark.parametrize(
    ("cells", "order", "rivals"),
    [
        (["31/01/2026", "01/02/2026"], "dmy", ()),
        (["01/31/2026", "02/01/2026"], "mdy", ()),
        (["2026-01-02"], "ymd", ()),
        (["01.02.2026"], "dmy", ()),
        (["01/02/2026", "02/02/2026", "03/02/2026"], "dmy", ("mdy",)),
        (["01/10/2026", "01/11/2026", "01/12/2026"], "mdy", ("dmy",)),
        (["26-01-31", "26-02-01"], "ymd", ("dmy",)),
        (["31-Jan-26"], "dmy", ()),
        ([*["03/04/2026"] * 500, "13/04/2026"], "dmy", ()),
        ([], "ymd", ()),
    ],
)
def test_the_order_of_dates_is_that_of_the_whole_sample(cells: list[str], order: str, rivals: tuple[str, ...]) -> None:
    found = find_order(cells)

    assert (found.order, found.rivals) == (order, rivals)


@pytest.mark.parametrize(
    ("cells", "decimal", "thousands", "sure"),
    [
        (["1.234,56", "5,00"], ",", ".", True),
        (["1,234.56"], ".", ",", True),
        (["1 234,56"], ",", " ", True),
        (["1\u202f234,56"], ",", " ", True),
        (["1'234.56"], ".", "'", True),
        (["12", "7"], ".", ",", True),
        (["500", "1.234"], ",", ".", False),
        (["1.234", "7.890"], ".", ",", False),
        (["0.500", "1.250"], ".", ",", True),
    ],
)
def test_the_marks_are_those_that_read_the_most_amounts(
    cells: list[str], decimal: str, thousands: str, sure: bool
) -> None:
    marks, is_sure = find_marks(cells)

    assert (marks.decimal, marks.thousands, is_sure) == (decimal, thousands, sure)


def test_what_the_user_says_is_kept_and_the_rest_detected() -> None:
    found = detected(TABLE, {"date_order": "mdy", "invert": True})

    assert (found.layout.date_order, found.layout.invert) == ("mdy", True)
    assert [question.field for question in found.questions] == []
    assert [row.on for row in rows_of(TABLE, found.layout)] == [date(2026, 3, 4), date(2026, 4, 5)]
    assert found.layout.columns == {"date": "Date", "amount": "Amount", "description": "Description"}


def test_a_given_delimiter_preamble_or_header_changes_what_is_detected() -> None:
    text = "x;y\n2026-01-01;5,5|a;b\n2026-01-02;6,5|c;d\n"

    by_header = detected(text, {"delimiter": ";", "header": False, "preamble": 1})

    assert (by_header.layout.delimiter, by_header.layout.header, by_header.layout.preamble) == (";", False, 1)
    assert by_header.rows[0] == ("2026-01-01", "5,5|a", "b")


def test_columns_that_are_given_replace_the_detected_ones() -> None:
    found = detected(TABLE, {"columns": {"date": "Date", "amount": "Amount", "payee": "Description"}})

    assert found.layout.columns == {"date": "Date", "amount": "Amount", "payee": "Description"}
    assert found.problems == ()


def test_every_problem_of_a_mapping_is_told_at_once() -> None:
    mapping = {
        "delimiter": "#",
        "decimal": "x",
        "preamble": -1,
        "header": "yes",
        "encoding": "klingon",
        "colour": "red",
        "columns": {"amount": "Betrag", "debit": 7, "mood": 1, "category": ["a", "b"], "payee": True},
    }

    problems = {problem.field: problem.message for problem in detected(TABLE, mapping).problems}

    assert problems.keys() == {
        "mapping.delimiter",
        "mapping.decimal",
        "mapping.preamble",
        "mapping.header",
        "mapping.encoding",
        "mapping.colour",
        "mapping.columns.mood",
        "mapping.columns.category",
        "mapping.columns.payee",
        "mapping.columns.amount",
        "mapping.columns.debit",
        "mapping.columns.date",
    }
    assert problems["mapping.columns.date"] == "Choose the column that holds the date."
    assert problems["mapping.columns.debit"] == "There is no column 7: the file has columns 0 to 2."


@pytest.mark.parametrize("mapping", [[], "x", 5, {"columns": []}, {"columns": {"date": {}}}, {"columns": {"date": -1}}])
def test_a_mapping_of_the_wrong_kind_is_a_problem_too(mapping: object) -> None:
    assert check_fields(mapping)[1]


def test_a_layout_survives_json() -> None:
    layout = detected(TABLE).layout

    again = check_fields(json.loads(json.dumps(msgspec.to_builtins(layout))))

    assert again[1] == []
    assert CsvLayout(**again[0]) == layout


def test_a_saved_mapping_is_recognised_by_the_header_whatever_the_rows() -> None:
    other = "Date,Description,Amount\n31/12/2026,z,1\n"
    quoted = '"date";"DESCRIPTION";"amount";\n31/12/2026;z;1;\n'

    assert detected(TABLE).key == detected(other).key == detected(quoted).key == "header date|description|amount"
    assert detected("Date,Text,Amount\n31/12/2026,z,1\n").key != detected(TABLE).key
    assert layout_key(None, 4) == "columns 4"


def test_columns_that_are_not_imported_are_named() -> None:
    found = detected("Date,Amount,Text,Weather,\n2026-01-31,5,a,rain,x\n")

    assert found.unused == ("Weather", 4)


def test_a_file_without_dates_and_amounts_has_problems_and_is_not_claimed() -> None:
    for text in ("", "\n\n", "a,b\nc,d\n", '{"a": [1, 2]}'):
        assert detected(text).problems, text
        assert not looks_like(text.encode(), "file.csv"), text
    assert not looks_like(b"Dear Sir, on 31/01/2026, you paid, 12.50\nBye, all\n", "letter.txt")


def test_the_footer_of_a_long_file_is_found_at_its_end() -> None:
    rows = "".join(f"2026-01-{day % 28 + 1:02};text {day};-5,00\n" for day in range(20_000))
    text = f"Datum;Text;Betrag\n{rows}Summe;;-100.000,00\n"

    assert detected(text).layout.footer == 1
    assert len(rows_of(text)) == 20_000


def test_a_bad_row_at_the_end_is_no_footer() -> None:
    assert detected("Datum;Text;Betrag\n31.01.2026;a;1,00\n32.01.2026;b;2,00\n").layout.footer == 0


def test_a_long_file_is_recognised_by_its_beginning_in_any_encoding() -> None:
    text = "Datum;Text;Betrag\n" + "31.01.2026;Käse;-5,00\n" * 10_000

    for encoding in ("utf-8", "cp1252", "utf-16", "utf-16-be"):
        assert looks_like(text.encode(encoding)[:65_536], "file.csv"), encoding


def test_a_header_that_the_user_insists_on_is_taken() -> None:
    found = detected("2026-01-31,5,a\n2026-02-01,6,b\n", {"header": True})

    assert found.header == ("2026-01-31", "5", "a")
    assert len(found.rows) == 1


def test_a_card_of_which_a_third_was_paid_back_is_inverted_all_the_same() -> None:
    rows = "10/20/2024,GROCER,A HOLDER,45.67\n10/21/2024,PAYMENT,A HOLDER,-100.00\n10/25/2024,TAXI,A HOLDER,12.00\n"

    assert detected("Date,Description,Card Member,Amount\n" + rows).layout.invert


def test_the_day_of_booking_comes_before_the_day_of_purchase() -> None:
    rows = "02/04/2024;Shop;-54,20;01/04/2024\n28/03/2024;Pay;2000,00;27/03/2024\n"

    found = detected("Date de comptabilisation;Libelle;Montant;Date operation\n" + rows)

    assert found.layout.columns["date"] == "Date de comptabilisation"


BALANCES = (
    "Anfangssaldo", "Endsaldo", "Endsaldo per 31. Mai 2024", "Kontostand am 31.05.2024", "Neuer Kontostand EUR",
    "Eröffnungssaldo", "Opening balance", "Closing Balance as of 31 May 2024", "Solde précédent au 31/05/2024",
    "Nouveau solde", "Beginsaldo", "Eindsaldo", "Saldo inicial", "Saldo finale", "Saldo końcowe", "Utgående saldo",
    "Slutsaldo", "Loppusaldo", "Saldo vom 31.05.2024", "SALDO ANTERIOR",
)  # fmt: skip


@pytest.mark.parametrize("word", BALANCES)
def test_balances_in_words_are_never_rows(word):
    """Above, below and between the rows, with a day and an amount in the right columns, in whichever text."""
    rows = ["02.05.2024;Bäcker;Brot;-3,10", "03.05.2024;Wirt;Bier;-4,20"]
    for balance in (f"31.05.2024;;{word};1.234,56", f"31.05.2024;{word};;1.234,56", f"{word};;;1.234,56"):
        for lines in ([balance, *rows], [*rows, balance], [rows[0], balance, rows[1]], [balance, *rows, balance]):
            amounts = [row.amount for row in rows_of("\n".join(["Datum;Name;Text;Betrag", *lines, ""]))]
            assert amounts == [Decimal("-3.10"), Decimal("-4.20")], lines


@pytest.mark.parametrize("text", ["New Balance", "Balance Transfer", "Saldo Steuer 2023", "Endsaldo Müller GmbH"])
def test_what_only_begins_like_a_balance_is_a_row(text):
    assert len(rows_of(f"Datum;Text;Betrag\n02.05.2024;{text};-3,10\n03.05.2024;Bier;-4,20\n")) == 2


@pytest.mark.parametrize("above", [
    "Kontostand;31.05.2024;1.234,56;EUR", "Saldo am 31.05.2024;1.234,56", "31.05.2024;1.234,56;;",
    "Zeitraum;01.05.2024;31.05.2024;\nSaldo;31.05.2024;1.234,56;", "Auszug;12;31.05.2024;-5,00",
])  # fmt: skip
@pytest.mark.parametrize("count", [1, 2, 9])
def test_a_day_and_a_number_above_the_header_do_not_hide_it(above, count):
    rows = [f"0{day}.05.2024;Wirt;Bier;-4,2{day}" for day in range(1, count + 1)]

    found = detected("\n".join([above, "Datum;Name;Text;Betrag", *rows, ""]))

    assert found.header == ("Datum", "Name", "Text", "Betrag")
    assert found.layout.preamble == above.count("\n") + 1
