"""What is read of QIF files beyond the plain rows."""

from decimal import Decimal

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.formats.qif import reader as qif
from farthing.moving.statements import BalanceOn, StatementSplit, StatementStart

from .reading import findings_of, messages_of, only_row, read, rows_of


def a_register(*records: str, kind: str = "Bank") -> str:
    return f"!Type:{kind}\n" + "".join(f"{record}\n^\n" for record in records)


@pytest.mark.parametrize("kind", ["Bank", "Cash", "CCard", "Oth A", "Oth L"])
def test_every_kind_of_register_is_read(kind: str) -> None:
    assert only_row(qif, a_register("D1/31/2024\nT5", kind=kind)).amount == 5


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("1/ 1'00", "2000-01-01"),
        ("1/31/98", "1998-01-31"),
        ("1/31/1998", "1998-01-31"),
        ("12/31'2024", "2024-12-31"),
        ("31/12/24", "2024-12-31"),
        ("31.12.2024", "2024-12-31"),
        ("2024-12-31", "2024-12-31"),
        ("20241231", "2024-12-31"),
        ("31-12-2024", "2024-12-31"),
        ("12/31 24", "2024-12-31"),
        ("98-12-31", "1998-12-31"),
    ],
)
def test_days_are_written_in_many_ways(written: str, day: str) -> None:
    assert only_row(qif, a_register(f"D{written}\nT1")).on.isoformat() == day


def test_one_clear_day_decides_for_the_whole_file_and_unclear_files_say_so() -> None:
    clear = read(qif, a_register("D1/2/2024\nT1", "D13/2/2024\nT1"))
    unclear = a_register("D3/3/2024\nT1", "D1/2/2024\nT1")

    assert [row.on.month for row in rows_of(clear)] == [2, 2]
    assert messages_of(clear) == ""
    assert [row.on.month for row in rows_of(read(qif, unclear))] == [3, 1]
    assert "cannot be told apart in this file. The month is read first: 1/2/2024 is 2024-01-02" in messages_of(
        read(qif, unclear)
    )
    assert [row.on.month for row in rows_of(read(qif, unclear, date_order="dmy"))] == [3, 2]
    assert messages_of(read(qif, unclear, date_order="dmy")) == ""
    with pytest.raises(Unreadable, match="mdy, dmy, ymd"):
        read(qif, unclear, date_order="ydm")


def test_amounts_are_read_as_the_whole_file_writes_them() -> None:
    points = read(qif, a_register("D1/31/24\nT1,234", "D1/31/24\nT1.50"))
    commas = read(qif, a_register("D1/31/24\nT1.234", "D1/31/24\nT1,5", "D1/31/24\nT-1.234.567,00"))
    unclear = read(qif, a_register("D1/31/24\nT1,234"))
    swiss = read(qif, a_register("D1/31/24\nT1'234.50", "D1/31/24\nT$ 1 000.25"))

    assert [row.amount for row in rows_of(points)] == [Decimal(1234), Decimal("1.50")]
    assert [row.amount for row in rows_of(commas)] == [Decimal(1234), Decimal("1.5"), Decimal(-1234567)]
    assert [row.amount for row in rows_of(unclear)] == [Decimal(1234)]
    assert "not clear whether the mark in 1,234" in messages_of(unclear)
    assert [row.amount for row in rows_of(swiss)] == [Decimal("1234.50"), Decimal("1000.25")]


def test_a_row_keeps_everything_that_it_says() -> None:
    row = only_row(qif, a_register("D1/31/24\nT-5\nCR\nN42\nPShop\nMBread\nAMain St\nATown\nLFood:Bread/Trip\nF1"))

    assert (row.payee, row.description, row.reference, row.reconciled) == ("Shop", "Shop – Bread", "42", True)
    assert (row.category, row.tags, row.notes) == ("Food:Bread", ("Trip",), "Main St\nTown\nF: 1")


def test_splits_come_with_amounts_or_percentages_and_must_add_up() -> None:
    split = "D1/31/24\nT-10.00\nPShop\nL--Split--\nSFood\nEBread\n$-7.50\nS[Savings]/Trip\n$-2.50"
    shares = "D1/31/24\nT-10.00\nSFood\n%75\nSFun\n%25"
    wrong = "D1/31/24\nT-10.00\nSFood\n$-7.50\nSFun\n$-2.00"

    assert only_row(qif, a_register(split)).splits == (
        StatementSplit(amount=Decimal("-7.50"), description="Bread", category="Food"),
        StatementSplit(amount=Decimal("-2.50"), transfer_account="Savings", tags=("Trip",)),
    )
    assert [part.amount for part in only_row(qif, a_register(shares)).splits] == [Decimal("-7.5"), Decimal("-2.5")]
    parts = read(qif, a_register(wrong))
    assert "The splits add up to -9.50, not to -10.00" in messages_of(parts)
    assert rows_of(parts)[0].splits == ()
    assert rows_of(parts)[0].notes == "S: Food\n$: -7.50\nS: Fun\n$: -2.00"


def test_splits_that_cancel_each_other_out_are_rejected() -> None:
    parts = read(qif, a_register("D1/31/24\nT0.00\nSFood\n$-5.00\nSFun\n$5.00", "D1/31/24\nT0\nPNothing"))

    assert [(one.row, one.rejects) for one in findings_of(parts)] == [(2, True), (9, False)]
    assert rows_of(parts) == []


def test_an_opening_balance_is_known_in_other_languages() -> None:
    start = read(qif, a_register("D28.02'2009\nT2.29\nPSolde initial\nL[Compte courant]"))[0]

    assert isinstance(start, StatementStart)
    assert start.opening
    assert (str(start.opening.amount), str(start.opening.on)) == ("2.29", "2009-02-28")


def test_several_accounts_each_have_their_statement_and_lists_are_named_once() -> None:
    accounts = "!Option:AutoSwitch\n!Account\nNHome\nTBank\n^\nNCard\nTCCard\n^\n!Clear:AutoSwitch\n"
    home = "!Account\nNHome\nTBank\n^\n" + a_register("D1/31/24\nT100\nPOpening Balance\nL[Home]", "D1/31/24\nT1")
    card = "!Account\nNCard\nTCCard\n^\n" + a_register("D1/31/24\nT-1\nL[Home]", kind="CCard")
    lists = "!Type:Cat\nNFood\n^\nNFun\n^\n!Type:Security\nNX\n^\n!Type:Invst\nD1/31/24\nNBuy\n^\n!Type:Odd\nX\n^\n"

    parts = read(qif, accounts + home + card + lists)

    starts = [part for part in parts if isinstance(part, StatementStart)]
    assert [(start.account.name, start.opening) for start in starts] == [
        ("Home", BalanceOn(amount=Decimal(100), on=rows_of(parts)[0].on)),
        ("Card", None),
    ]
    assert [row.amount for row in rows_of(parts)] == [1, -1]
    for said in ("categories (2)", "securities (1)", "investment transactions (1)", "!Type:Odd", "opening balance 100"):
        assert messages_of(parts).count(said) == 1


@pytest.mark.parametrize(
    ("record", "field"), [("D13/13/2024\nT1", "D"), ("T1", "D"), ("D1/31/24\nTx", "T"), ("D1/31/24", "T")]
)
def test_a_record_that_cannot_be_read_is_rejected_with_its_line(record: str, field: str) -> None:
    parts = read(qif, a_register("D1/31/24\nT1", record))

    (finding,) = findings_of(parts)
    assert (finding.row, finding.field, finding.rejects) == (5, field, True)
    assert len(rows_of(parts)) == 1


@pytest.mark.parametrize(
    ("end", "is_cut"),
    [
        ("T1\n", False),
        ("T1\r\n", False),
        ("T1", True),
        ("T-1,234.50", False),
        ("T1.00\nPSho", False),
        ("T1\nD1/3", True),
    ],
)
def test_a_last_record_without_end_is_read_unless_a_field_may_be_cut(end: str, is_cut: bool) -> None:
    parts = read(qif, f"!Type:Bank\nD1/31/24\nT1.00\n^\nD1/31/24\n{end}")

    assert [(one.row, one.rejects) for one in findings_of(parts)] == [(5, is_cut)]
    assert len(rows_of(parts)) == (1 if is_cut else 2)


@pytest.mark.parametrize("above", ["# exported by hand\n", "; one\n\n// two\n", "Money 3.1, 31.05.2024\n"])
def test_comments_may_stand_above_the_first_header(above: str) -> None:
    text = f"{above}!Type:Bank\nD31/05/2024\nT-3.10\nPBaker\n^\n"

    assert qif.looks_like(text.encode(), "mine.qif")
    assert only_row(qif, text).amount == Decimal("-3.10")


def test_lines_without_any_header_are_no_qif() -> None:
    with pytest.raises(Unreadable, match="begins with “D31/05/2024”"):
        read(qif, "D31/05/2024\nT-3.10\n^\n")
    assert not qif.looks_like(b"D31/05/2024\nT-3.10\n^\n", "mine.qif")
