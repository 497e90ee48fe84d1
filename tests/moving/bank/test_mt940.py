"""What is read of MT940 statement lines and their details."""

from decimal import Decimal

import pytest

from farthing.moving.formats.mt940 import reader as mt940
from farthing.moving.formats.mt940.details import read_details
from farthing.moving.statements import StatementStart

from .reading import findings_of, messages_of, only_row, read, rows_of


def a_message(*lines: str, account: str = "10010010/123", opening: str = ":60F:C240101EUR0,\n") -> str:
    rows = "".join(f":61:{line}\n" for line in lines)
    return f":20:X\n:25:{account}\n:28C:1/1\n{opening}{rows}-\n"


@pytest.mark.parametrize(
    ("mark", "amount"), [("C", 5), ("D", -5), ("RC", -5), ("RD", 5), ("CR", 5), ("DR", -5), ("RCR", -5), ("RDR", 5)]
)
def test_a_reversal_has_the_opposite_sign_and_a_funds_code_has_none(mark: str, amount: int) -> None:
    assert only_row(mt940, a_message(f"2401310131{mark}5,00NTRFNONREF")).amount == amount


@pytest.mark.parametrize(
    ("line", "on", "value_on"),
    [
        ("2401310201", "2024-02-01", "2024-01-31"),
        ("2312311231", "2023-12-31", "2023-12-31"),
        ("2312310102", "2024-01-02", "2023-12-31"),
        ("2401021231", "2023-12-31", "2024-01-02"),
        ("2402280229", "2024-02-29", "2024-02-28"),
        ("240131", "2024-01-31", "2024-01-31"),
        ("990131", "1999-01-31", "1999-01-31"),
    ],
)
def test_the_entry_date_takes_the_year_that_is_nearest_to_the_value_date(line: str, on: str, value_on: str) -> None:
    row = only_row(mt940, a_message(f"{line}D5,NTRFNONREF"))

    assert (row.on.isoformat(), row.value_on and row.value_on.isoformat()) == (on, value_on)


@pytest.mark.parametrize(
    "line", ["240230D5,NTRF", "2401310231D5,NTRF", "240131X5,NTRF", "240131D,NTRF", "240131D1.234,56NTRF", "hello", ""]
)
def test_a_line_that_cannot_be_read_is_rejected_with_its_number(line: str) -> None:
    parts = read(mt940, a_message("240131D5,NTRF", line, "240131D5,NTRF"))

    rejected = [one for one in findings_of(parts) if one.rejects]
    assert [(one.row, one.field) for one in rejected] == [(6, ":61:")]
    assert [row.row for row in rows_of(parts)] == [5, 7]


@pytest.mark.parametrize(
    ("account", "iban", "number", "bank"),
    [
        ("10010010/0123", None, "0123", "10010010"),
        ("DE89370400440532013000", "DE89370400440532013000", None, None),
        ("NL91ABNA0417164300EUR", "NL91ABNA0417164300", None, None),
        ("NL91ABNA0417164300 EUR", "NL91ABNA0417164300", None, None),
        ("COBADEFF/DE89370400440532013000", "DE89370400440532013000", None, "COBADEFF"),
        ("123456789\nBANKGB2L", None, "123456789", "BANKGB2L"),
    ],
)
def test_accounts_are_named_in_many_ways(account: str, iban: str | None, number: str | None, bank: str | None) -> None:
    start = next(part for part in read(mt940, a_message(account=account)) if isinstance(part, StatementStart))

    assert (start.account.iban, start.account.number, start.account.bank) == (iban, number, bank)


@pytest.mark.parametrize(
    ("details", "description", "payee", "account", "reference"),
    [
        ("plain text", "plain text", None, None, None),
        ("166?00GUTSCHRIFT?20one?21two?30BIC?31123?32Anna?33Bell", "one two", "Anna Bell", "123", None),
        ("166?20" + "x" * 27 + "?21yz", "x" * 27 + "yz", None, None, None),
        ("166?00X?20EREF+E1?21KREF+K?22SVWZ+Rent?23May?32A", "Rent May", "A", None, "E1"),
        ("166?00X?20EREF+E1 SVWZ+Rent?32A", "Rent", "A", None, "E1"),
        ("166?00ENTGELT", "ENTGELT", None, None, None),
        ("166~00X~20za bilety~32Jan", "za bilety", "Jan", None, None),
        ("?20no code?32A", "no code", "A", None, None),
        ("166?00X?60more?20first", "first more", None, None, None),
        ("SVWZ+Rent EREF+E2", "Rent", None, None, "E2"),
        (
            "/TRTP/SEPA/IBAN/NL91ABNA0417164300/NAME/Jan/REMI/a/b c/EREF/NOTPROVIDED",
            "a/b c",
            "Jan",
            "NL91ABNA0417164300",
            None,
        ),
        (
            "/EREF/E3//CNTP/NL91ABNA0417164300/ABNANL2A/Jan/City/REMI/USTD//text/",
            "text",
            "Jan",
            "NL91ABNA0417164300",
            "E3",
        ),
        ("/ORDP//NAME/Piet/ADDR/Street/REMI/text/ISDT/2024-01-31", "text", "Piet", None, None),
        ("/TRCD/00100/", None, None, None, None),
    ],
)
def test_details_come_in_three_styles(
    details: str, description: str | None, payee: str | None, account: str | None, reference: str | None
) -> None:
    read = read_details([details])

    assert (read.description, read.payee, read.payee_account, read.reference) == (
        description,
        payee,
        account,
        reference,
    )


def test_everything_else_in_the_details_is_noted() -> None:
    details = "166?00LASTSCHRIFT?109310?20MREF+M1?21CRED+C1?22SVWZ+Rent?30BYLADEM1001?32A?34997"

    assert read_details([details]).notes == (
        "Code: 166",
        "Booking: LASTSCHRIFT",
        "Prima nota: 9310",
        "Bank: BYLADEM1001",
        "?34: 997",
        "MREF: M1",
        "CRED: C1",
    )
    assert read_details(["/TRCD/00100/NAME/Jan/MARF/M2"]).notes == ("TRCD: 00100", "MARF: M2")


def test_references_of_the_line_and_its_supplement_are_kept() -> None:
    row = only_row(mt940, a_message("2401310131D5,NCHK4711//B-99\n/OCMT/USD5,43/"))

    assert (row.reference, row.bank_id, row.description) == ("4711", None, "/OCMT/USD5,43/")
    assert row.notes == "Type: NCHK\nBank reference: B-99"


def test_messages_may_begin_with_the_account_and_balances_lack_the_currency() -> None:
    text = "BANK\n940\n:25:1/{0}\n:28:1\n:60F:C240101EUR1,\n:61:240101CM1,S   X\n"
    text += ":NS:01Rent\n02May\n15Anna\n17Booked\n:62F:C2401012,\n-\n"

    parts = read(mt940, text.format(8) + text.format(9))

    starts = [part for part in parts if isinstance(part, StatementStart)]
    assert mt940.looks_like(text.encode(), "")
    assert [start.account.number for start in starts] == ["8", "9"]
    assert [(row.amount, row.description, row.payee) for row in rows_of(parts)] == [(1, "Rent May", "Anna")] * 2
    assert messages_of(parts) == ""


def test_a_line_may_break_before_its_amount() -> None:
    row = only_row(mt940, a_message("2401310131DR\n5,00NTRFNONREF\nmore"))

    assert (row.amount, row.description) == (-5, "more")


def test_what_is_only_expected_is_left_out() -> None:
    parts = read(mt940, a_message("2401310131EC5,NTRF", "2401310131ED5,NTRF", opening=":34F:EURC0,\n"))

    assert rows_of(parts) == []
    assert messages_of(parts).count("The bank only expects this row") == 2


def test_pages_in_one_message_are_statements_that_join() -> None:
    first = ":20:X\n:25:1/2\n:28C:1/1\n:60F:C240101EUR1,\n:61:240101C1,NTRF\n:62M:C240101EUR2,\n"
    second = ":60M:C240101EUR{},\n:61:240102D5,NTRF\n:62F:D240102EUR3,\n-\n"

    joined = read(mt940, first + second.format(2))
    broken = read(mt940, first + second.format(2).replace(":60M:C240101EUR2,", ":60M:C240101EUR9,"))

    assert sum(isinstance(part, StatementStart) for part in joined) == 2
    assert messages_of(joined) == ""
    assert "one ends with 2, the next one begins with 9" in messages_of(broken)
    assert "make 4, but the closing balance is -3" in messages_of(broken)
    assert Decimal(-5) in [row.amount for row in rows_of(joined)]
