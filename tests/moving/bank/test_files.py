"""Files after the layouts that banks publish, with invented data: every row, sum and balance is as meant."""

from decimal import Decimal
from pathlib import Path

import pytest

from farthing.moving.findings import Finding
from farthing.moving.formats.camt import reader as camt
from farthing.moving.formats.mt940 import reader as mt940
from farthing.moving.formats.ofx import reader as ofx
from farthing.moving.formats.qif import reader as qif
from farthing.moving.formats.statement_check import check
from farthing.moving.statements import StatementEnd, StatementPart, StatementRow, StatementStart

FILES = Path(__file__).parent / "files"
READERS = {"ofx": ofx, "qif": qif, "camt": camt, "mt940": mt940}

# Format, rows, their sum, closing balance, findings.
EXPECTED = {
    "us-checking.ofx": ("ofx", 6, "1484.42", "3120.44", 0),
    "us-card.qfx": ("ofx", 4, "-1131.59", "-1131.59", 0),
    "fr-two-accounts.ofx": ("ofx", 5, "1490.37", "5203.07", 0),
    "gb-current-account.ofx": ("ofx", 4, "1660.00", "1902.11", 1),
    "br-conta.ofx": ("ofx", 3, "5090.10", "6001.23", 1),
    "au-everyday.qif": ("qif", 5, "1671.65", None, 0),
    "quicken-household.qif": ("qif", 6, "2349.50", None, 4),
    "at-konto.qif": ("qif", 4, "951.54", None, 0),
    "de-konto-camt053-v2.xml": ("camt", 4, "740.75", "2241.00", 0),
    "ch-konto-camt053-v4.xml": ("camt", 4, "3318.90", "3218.90", 0),
    "fi-tili-camt053-v8.xml": ("camt", 2, "1421.10", "1921.10", 0),
    "se-rapport-camt052.xml": ("camt", 1, "-118.50", "881.5", 1),
    "be-avis-camt054.xml": ("camt", 2, "77.66", None, 1),
    "de-sparkasse.sta": ("mt940", 5, "-1300.50", "-100.50", 1),
    "nl-abn.mt940": ("mt940", 3, "-56.16", "3180.12", 0),
    "nl-ing.940": ("mt940", 2, "-27.50", "472.50", 1),
    "pl-konto.mt940": ("mt940", 2, "199.50", "209.50", 0),
    "gb-intraday.mt942": ("mt940", 2, "-4.75", None, 1),
}


def read(name: str) -> list[StatementPart]:
    with (FILES / name).open("rb") as file:
        return list(check(READERS[EXPECTED[name][0]].read(file)))


def rows_of(parts: list[StatementPart]) -> list[StatementRow]:
    return [part for part in parts if isinstance(part, StatementRow)]


def test_every_file_is_expected() -> None:
    assert {path.name for path in FILES.iterdir()} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_has_its_rows_its_sum_and_its_balance(name: str) -> None:
    _, count, total, closing, findings = EXPECTED[name]

    parts = read(name)

    rows = rows_of(parts)
    ends = [part for part in parts if isinstance(part, StatementEnd)]
    assert (len(rows), sum(row.amount for row in rows)) == (count, Decimal(total))
    assert (ends[-1].closing.amount if ends[-1].closing else None) == (Decimal(closing) if closing else None)
    found = [part for part in parts if isinstance(part, Finding)]
    assert len(found) == findings, found
    assert not any(part.rejects for part in found)
    assert not any("add up" in part.message and part.field == "balance" for part in found)


@pytest.mark.parametrize("name", EXPECTED)
def test_only_its_own_reader_claims_a_file(name: str) -> None:
    head = (FILES / name).read_bytes()[: 2**16]

    claims = {name for name, reader in READERS.items() if reader.looks_like(head, "")}

    assert claims == {EXPECTED[name][0]}


@pytest.mark.parametrize("name", EXPECTED)
def test_statements_begin_and_end_in_turn(name: str) -> None:
    kinds = [type(part) for part in read(name) if not isinstance(part, Finding | StatementRow)]

    assert kinds == [StatementStart, StatementEnd] * (len(kinds) // 2)
