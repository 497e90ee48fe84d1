"""What is read of OFX files beyond amounts and days."""

import io

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.formats.ofx import reader as ofx
from farthing.moving.formats.ofx.tags import split_tags
from farthing.moving.statements import StatementEnd, StatementStart

from .reading import findings_of, messages_of, only_row, read, rows_of


def a_statement(*rows: str, head: str = "<OFX>", account: str = "", after: str = "") -> str:
    inside = "".join(f"<STMTTRN>{row}</STMTTRN>" for row in rows)
    return (
        f"{head}<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>{account}</BANKACCTFROM>"
        f"<BANKTRANLIST>{inside}</BANKTRANLIST>{after}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


ROW = "<DTPOSTED>20240131<TRNAMT>-12.50<FITID>1<NAME>Shop"


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("-12.50", "-12.50"),
        ("12,5", "12.5"),
        ("-1.234,56", "-1234.56"),
        ("-1,234.56", "-1234.56"),
        ("1,234,567", "1234567"),
    ],
)
def test_amounts_come_with_any_mark(written: str, amount: str) -> None:
    assert str(only_row(ofx, a_statement(f"<DTPOSTED>20240131<TRNAMT>{written}")).amount) == amount


@pytest.mark.parametrize(
    ("row", "field", "said"),
    [
        ("<DTPOSTED>20240131<TRNAMT>abc", "TRNAMT", "TRNAMT is “abc”; it should be an amount such as -12.50."),
        ("<DTPOSTED>20240131<NAME>x", "TRNAMT", "TRNAMT is missing; it should be an amount"),
        ("<DTPOSTED>20240230<TRNAMT>1", "DTPOSTED", "DTPOSTED is “20240230”; it should be a day such as 20240131."),
        ("<DTPOSTED>20240131<TRNAMT>1e5", "TRNAMT", "“1e5”"),
        ("<DTPOSTED>20240131<TRNAMT>" + "9" * 90, "TRNAMT", "9…”"),
    ],
)
def test_a_row_that_cannot_be_read_is_rejected_with_its_number_and_field(row: str, field: str, said: str) -> None:
    parts = read(ofx, a_statement(ROW, row, ROW))

    (finding,) = findings_of(parts)
    assert (finding.row, finding.field, finding.rejects) == (2, field, True)
    assert said in finding.message
    assert [row.row for row in rows_of(parts)] == [1, 3]


def test_an_account_number_that_is_an_iban_is_one() -> None:
    start = read(ofx, a_statement(account="de89 3704 0044 0532 0130 00"))[0]

    assert isinstance(start, StatementStart)
    assert start.account.iban == "DE89370400440532013000"


def test_the_amount_before_conversion_is_told_if_the_rate_gives_it_exactly() -> None:
    exact = only_row(ofx, a_statement(ROW + "<ORIGCURRENCY><CURRATE>1.25<CURSYM>USD</ORIGCURRENCY>"))
    rounded = only_row(ofx, a_statement(ROW + "<ORIGCURRENCY><CURRATE>1.0852<CURSYM>USD</ORIGCURRENCY>"))

    assert (str(exact.foreign_amount), exact.foreign_currency) == ("-10", "USD")
    assert (rounded.foreign_amount, rounded.foreign_currency) == (None, None)
    assert rounded.notes == "ORIGCURRENCY.CURSYM: USD\nORIGCURRENCY.CURRATE: 1.0852"


def test_an_amount_in_another_currency_is_named() -> None:
    parts = read(ofx, a_statement(ROW + "<CURRENCY><CURRATE>0.92<CURSYM>USD</CURRENCY>"))

    assert rows_of(parts)[0].currency == "USD"
    assert "The amount -12.50 is in USD, the account in EUR (rate: “0.92”)" in messages_of(parts)


def test_the_other_side_is_read_wherever_it_stands() -> None:
    payee = "<PAYEE><NAME>Mary<CITY>Leeds</PAYEE><CCACCTTO><ACCTID>4111</CCACCTTO>"
    row = only_row(ofx, a_statement(f"<DTPOSTED>20240131<TRNAMT>1<MEMO>Gift<EXTDNAME>Mary Long{payee}<SIC>1"))

    assert (row.payee, row.payee_account, row.description) == ("Mary", "4111", "Mary Long – Gift")
    assert row.notes == "PAYEE.CITY: Leeds\nSIC: 1"


def test_a_row_that_the_bank_takes_back_is_a_finding_and_not_a_row() -> None:
    parts = read(ofx, a_statement(ROW + "<CORRECTFITID>77<CORRECTACTION>DELETE"))

    assert rows_of(parts) == []
    assert messages_of(parts) == (
        "The bank has withdrawn its row with the id “77”. If you have imported that row, delete it."
    )


def test_balances_among_the_rows_are_left_out() -> None:
    parts = read(ofx, a_statement(ROW, "<DTPOSTED>00000000<TRNAMT>900.00<FITID><NAME>Saldo Anterior"))

    assert [row.row for row in rows_of(parts)] == [1]
    assert messages_of(parts) == "“Saldo Anterior” is a balance and not a transaction. It is skipped."


def test_investments_pending_rows_and_failures_are_findings() -> None:
    invested = (
        "<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><INVACCTFROM><ACCTID>9</INVACCTFROM><INVTRANLIST><INVBANKTRAN>"
    )
    invested += (
        f"<STMTTRN>{ROW}</STMTTRN></INVBANKTRAN></INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>"
    )
    pending = a_statement(after=f"<BANKTRANLISTP><STMTTRNP>{ROW}</STMTTRNP></BANKTRANLISTP>")
    failed = a_statement(head="<OFX><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>Sign-on invalid</STATUS>")

    assert "The investment statement of account “9” was skipped" in messages_of(read(ofx, invested))
    assert rows_of(read(ofx, invested)) == []
    assert "1 rows are pending" in messages_of(read(ofx, pending))
    assert "Sign-on invalid" in messages_of(read(ofx, failed))


def test_a_file_that_ends_too_early_says_so() -> None:
    whole = a_statement(ROW, ROW)

    cut_in_row = read(ofx, whole[: whole.rindex("<NAME>")])
    cut_after = read(ofx, whole[: whole.rindex("</STMTRS>")])

    assert [(one.row, one.rejects) for one in findings_of(cut_in_row)] == [(2, True)]
    assert "ends without </OFX>" in messages_of(cut_after)
    assert isinstance(cut_in_row[-1], StatementEnd)
    with pytest.raises(Unreadable, match="<OFX> is missing"):
        read(ofx, "OFXHEADER:100\n")


def test_a_row_that_is_not_closed_ends_where_the_next_one_begins() -> None:
    assert len(rows_of(read(ofx, a_statement(ROW, ROW, ROW).replace("</STMTTRN>", "")))) == 3


class OneByOne(io.StringIO):
    """Gives out one character at a time: pieces of a file may end anywhere."""

    def read(self, size: int | None = -1) -> str:
        return super().read(1)


def test_tags_are_the_same_wherever_a_piece_of_the_file_ends() -> None:
    text = "HEAD:1<OFX><!-- <A>1 --><B>x & y<C><![CDATA[<D>&amp;]]></C><E/><!DOCTYPE F></OFX>"

    tags = list(split_tags(io.StringIO(text)))

    assert [(tag.name, tag.value) for tag in tags] == [
        ("OFX", ""),
        ("B", "x & y"),
        ("C", "<D>&amp;"),
        ("C", ""),
        ("OFX", ""),
    ]
    assert list(split_tags(OneByOne(text))) == tags


def test_the_declared_charset_counts_for_what_is_not_utf_8() -> None:
    head = "OFXHEADER:100\nENCODING:USASCII\nCHARSET:{}\n\n<OFX>"
    text = a_statement("<DTPOSTED>20240131<TRNAMT>1<NAME>Łódź", head=head.format("1250"))
    latin = a_statement("<DTPOSTED>20240131<TRNAMT>1<NAME>Ćma", head=head.format("8859-2"))

    assert only_row(ofx, text.encode("cp1250")).payee == "Łódź"
    assert only_row(ofx, text.encode("utf-8")).payee == "Łódź"
    assert only_row(ofx, latin.encode("iso8859-2")).payee == "Ćma"
    assert only_row(ofx, latin.encode("cp1250"), encoding="cp1250").payee == "Ćma"


@pytest.mark.parametrize("unit", ["<", "<A>", "<A>1", "</A>", "<!---->", "<![CDATA[]]>"])
def test_a_file_of_almost_nothing_but_brackets_is_refused_at_once(unit: str) -> None:
    with pytest.raises(Unreadable, match="nothing but brackets"):
        read(ofx, "OFXHEADER:100\n\n<OFX>" + unit * (200_000 // len(unit)))


def test_a_file_of_tags_that_say_nothing_is_refused() -> None:
    content = b"<OFX>" + b"<STATUS><SEVERITY>INFO</STATUS>" * 100

    with pytest.raises(Unreadable, match="tags without a row"):
        list(ofx.read(io.BytesIO(content), idle_tags_max=200))


def test_a_file_that_ends_before_its_first_row_is_refused() -> None:
    whole = a_statement(ROW)

    for end in ("<STMTRS>", "<ACCTID>", "<BANKTRANLIST>"):
        with pytest.raises(Unreadable, match="not complete"):
            read(ofx, whole[: whole.index(end) + len(end)])
    assert rows_of(read(ofx, a_statement())) == []
