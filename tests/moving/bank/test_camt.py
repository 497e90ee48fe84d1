"""What is read of CAMT entries beyond amounts and days."""

from decimal import Decimal

import pytest

from farthing.moving.formats.camt import reader as camt
from farthing.moving.statements import BalanceOn, StatementEnd, StatementStart

from .reading import findings_of, messages_of, only_row, read, rows_of

OWN = "DE89370400440532013000"


def a_statement(*entries: str, balances: str = "", name: str = "Stmt", page: int = 1) -> str:
    return (
        f"<{name}><Id>S</Id><StmtPgntn><PgNb>{page}</PgNb></StmtPgntn><Acct><Id><IBAN>{OWN}</IBAN></Id><Ccy>EUR</Ccy></Acct>"
        f"{balances}{''.join(entries)}</{name}>"
    )


def a_file(*statements: str) -> str:
    return f"<Document><BkToCstmrStmt>{''.join(statements)}</BkToCstmrStmt></Document>"


def an_entry(
    details: str = "", mark: str = "DBIT", amount: str = "10.00", more: str = "", day: str = "2024-01-31"
) -> str:
    return (
        f'<Ntry><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>{mark}</CdtDbtInd>{more}<BookgDt><Dt>{day}</Dt></BookgDt>'
        f"<NtryDtls>{details}</NtryDtls></Ntry>"
    )


def a_balance(kind: str, amount: str, day: str = "2024-01-31", mark: str = "CRDT") -> str:
    return (
        f"<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp>"
        f'<Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>{mark}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>'
    )


def a_part(amount: str, more: str = "", currency: str = "EUR") -> str:
    return f'<TxDtls>{more}<Amt Ccy="{currency}">{amount}</Amt></TxDtls>'


def test_a_batch_becomes_rows_if_its_amounts_add_up_wherever_they_stand() -> None:
    older = '<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">4.00</Amt></TxAmt></AmtDtls></TxDtls>'
    oldest = '<TxDtls><AmtDtls><InstdAmt><Amt Ccy="EUR">1.00</Amt></InstdAmt></AmtDtls></TxDtls>'
    opposite = a_part("5.00", "<CdtDbtInd>CRDT</CdtDbtInd>")
    batch = an_entry(a_part("10.00") + older + oldest + opposite, more="<AcctSvcrRef>B</AcctSvcrRef>")

    rows = rows_of(read(camt, a_file(a_statement(batch))))

    assert [(row.row, row.amount, row.bank_id) for row in rows] == [
        (1, Decimal("-10.00"), "B/1"),
        (2, Decimal("-4.00"), "B/2"),
        (3, Decimal("-1.00"), "B/3"),
        (4, Decimal("5.00"), "B/4"),
    ]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (a_part("3.00", "<Refs><EndToEndId>E-1</EndToEndId></Refs>") + a_part("4.00"), "add up to -7.00"),
        ("<TxDtls><Refs><EndToEndId>E-1</EndToEndId></Refs></TxDtls>" + a_part("4.00"), "do not all have an amount"),
        (
            a_part("6.00", "<Refs><EndToEndId>E-1</EndToEndId></Refs>") + a_part("4.00", currency="USD"),
            "do not all have",
        ),
    ],
)
def test_a_batch_that_does_not_add_up_is_one_row_that_keeps_the_details(parts: str, said: str) -> None:
    found = read(camt, a_file(a_statement(an_entry(parts), an_entry())))

    assert [(row.row, row.amount) for row in rows_of(found)] == [(1, Decimal(-10)), (2, Decimal(-10))]
    assert said in messages_of(found)
    assert "EndToEndId: E-1" in (rows_of(found)[0].notes or "")


def a_party(side: str, name: str, iban: str = "", nested: bool = False) -> str:
    named = f"<Pty><Nm>{name}</Nm></Pty>" if nested else f"<Nm>{name}</Nm>"
    return f"<{side}>{named}</{side}><{side}Acct><Id><IBAN>{iban}</IBAN></Id></{side}Acct>"


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize(
    ("mark", "more", "payee"),
    [("DBIT", "", "Shop"), ("CRDT", "", "Buyer"), ("DBIT", "<RvslInd>true</RvslInd>", "Buyer")],
)
def test_the_other_side_depends_on_the_direction(mark: str, more: str, payee: str, nested: bool) -> None:
    parties = a_party("Dbtr", "Buyer", nested=nested) + a_party("Cdtr", "Shop", nested=nested)
    details = f"<TxDtls><RltdPties>{parties}</RltdPties></TxDtls>"

    row = only_row(camt, a_file(a_statement(an_entry(details, mark, more=more))))

    assert row.payee == payee
    assert row.amount == (10 if mark == "CRDT" else -10)


def test_the_own_account_is_never_the_other_side() -> None:
    parties = a_party("Dbtr", "Other", "FR1420041010050500013M02606") + a_party("Cdtr", "Me", OWN)
    row = only_row(camt, a_file(a_statement(an_entry(f"<TxDtls><RltdPties>{parties}</RltdPties></TxDtls>"))))

    assert (row.payee, row.payee_account) == ("Other", "FR1420041010050500013M02606")


def test_ids_that_say_nothing_are_no_ids() -> None:
    refs = "<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId><TxId>T-1</TxId></Refs></TxDtls>"
    row = only_row(camt, a_file(a_statement(an_entry(refs, more="<AcctSvcrRef>NONREF</AcctSvcrRef>"))))

    assert (row.bank_id, row.reference, row.notes) == ("T-1", None, None)


@pytest.mark.parametrize("status", ["<Sts>PDNG</Sts>", "<Sts><Cd>PDNG</Cd></Sts>", "<Sts>INFO</Sts>"])
def test_what_is_not_booked_is_left_out_with_a_finding(status: str) -> None:
    parts = read(camt, a_file(a_statement(an_entry(more=status), an_entry(more="<Sts>BOOK</Sts>"))))

    assert [row.row for row in rows_of(parts)] == [2]
    assert "not booked yet. It is skipped." in messages_of(parts)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (an_entry(amount="1,50"), "Amt"),
        (an_entry(mark="X"), "CdtDbtInd"),
        (an_entry(day="31.01.2024"), "BookgDt"),
        (an_entry(day="2024-02-30"), "BookgDt"),
    ],
)
def test_an_entry_that_cannot_be_read_is_rejected(entry: str, field: str) -> None:
    parts = read(camt, a_file(a_statement(an_entry(), entry, an_entry())))

    (finding,) = findings_of(parts)
    assert (finding.row, finding.field, finding.rejects) == (2, field, True)
    assert [row.row for row in rows_of(parts)] == [1, 3]


@pytest.mark.parametrize(
    ("balances", "opening", "closing"),
    [
        (("OPBD", "CLBD"), 1, 2),
        (("PRCD", "CLBD"), 1, 2),
        (("OPBD", "ITBD"), 1, 2),
        (("ITBD", "ITBD"), 1, 2),
        (("ITBD", "CLBD"), 1, 2),
        (("ITBD", "CLAV"), None, 1),
        (("CLBD", "OPBD", "CLAV", "FWAV"), 2, 1),
    ],
)
def test_balances_open_and_close_statements_and_their_pages(
    balances: tuple[str, ...], opening: int | None, closing: int
) -> None:
    listed = "".join(a_balance(kind, str(number)) for number, kind in enumerate(balances, 1))

    start, *_, end = [
        part
        for part in read(camt, a_file(a_statement(balances=listed)))
        if isinstance(part, StatementStart | StatementEnd)
    ]

    assert isinstance(start, StatementStart)
    assert isinstance(end, StatementEnd)
    assert (start.opening and start.opening.amount) == opening
    assert (end.closing and end.closing.amount) == closing


@pytest.mark.parametrize(("mark", "closing"), [("CRDT", "100"), ("DBIT", "100"), ("DBIT", "80"), ("CRDT", "55")])
def test_a_reversal_is_signed_as_the_balances_demand_else_as_the_standard_says(mark: str, closing: str) -> None:
    balances = a_balance("OPBD", "100.00") + a_balance("CLBD", closing)
    parties = f"<TxDtls><RltdPties>{a_party('Cdtr', 'Shop')}{a_party('Dbtr', 'Me')}</RltdPties></TxDtls>"
    reversal = an_entry(parties, mark, more="<RvslInd>true</RvslInd>")

    rows = rows_of(read(camt, a_file(a_statement(an_entry(parties), reversal, balances=balances))))

    back = closing == "100" or mark == "CRDT"
    assert [row.amount for row in rows] == [-10, 10 if back else -10]
    assert rows[1].payee == ("Shop" if back else "Me")


def test_a_foreign_amount_is_signed_like_the_entry() -> None:
    exchange = "<CcyXchg><SrcCcy>USD</SrcCcy><XchgRate>0.9</XchgRate></CcyXchg>"
    details = f'<TxDtls><AmtDtls><InstdAmt><Amt Ccy="USD">11.11</Amt>{exchange}</InstdAmt></AmtDtls></TxDtls>'

    row = only_row(camt, a_file(a_statement(an_entry(details))))

    assert (row.foreign_amount, row.foreign_currency) == (Decimal("-11.11"), "USD")
    assert "XchgRate: 0.9" in (row.notes or "")


def test_pages_of_one_statement_are_one_statement_also_over_several_messages() -> None:
    whole = a_balance("OPBD", "0") + a_balance("CLBD", "20.00", mark="DBIT")
    pages = [a_statement(an_entry(), balances=whole, page=number) for number in (1, 2)]

    parts = read(camt, a_file(*pages))

    assert [type(part).__name__ for part in parts] == ["StatementStart", "StatementRow", "StatementRow", "StatementEnd"]
    assert parts[-1] == StatementEnd(closing=BalanceOn(amount=Decimal("-20.00"), on=rows_of(parts)[0].on))
