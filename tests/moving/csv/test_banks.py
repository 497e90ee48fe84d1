"""Files as banks write them, with invented data: each is understood without any hint, to the cent."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from farthing.moving.findings import Finding
from farthing.moving.formats.csv.detect import detect, looks_like
from farthing.moving.formats.csv.read import read
from farthing.moving.statements import StatementRow

FILES = Path(__file__).parent / "files"
# Of each file: encoding, and every transaction: its day in January 2026 and its amount.
EXPECTED = {
    "abn-amro.tab": ("UTF-8", "5 -12.75, 12 -100, 23 2250, 25 -29.99, 31 -0.05"),
    "amex-uk.csv": ("UTF-8", "28 -45.60, 20 300, 14 -8.10, 3 -120"),
    "bank-of-america.csv": ("UTF-8", "5 -34.56, 15 2500, 20 -100"),
    "barclays.csv": ("UTF-8", "31 -12.99, 29 -60, 28 2015.22, 2 -700"),
    "bnp-paribas.csv": ("windows-1252", "30 -6.40, 28 2310, 10 -88.12, 5 -1050"),
    "cgd-pt.csv": ("windows-1252", "30 -35.80, 28 1150, 3 -60"),
    "chase.csv": ("UTF-8", "30 -5.75, 28 -100, 15 1500, 9 -500, 2 1000"),
    "danske-dk.csv": ("windows-1252", "2 -7500, 15 150, 30 24300.75"),
    "deutsche-bank.csv": ("windows-1252", "2 -89, 5 -1250, 15 3210.45, 30 -4.50"),
    "dkb.csv": ("UTF-8", "29 -29.99, 27 -7.4, 25 2801, 3 -1050"),
    "ing-de.csv": ("windows-1252", "30 -39.90, 28 2100, 12 -25, 5 -50"),
    "ing-nl.csv": ("UTF-8", "31 -34.17, 28 2431.80, 20 -17.50, 4 -1100, 2 8.25"),
    "intesa-it.csv": ("UTF-16-LE", "31 -64.20, 27 1750, 12 -93.44"),
    "lloyds.csv": ("UTF-8", "30 -17.49, 28 250.50, 4 -13.25, 2 963.25"),
    "monzo.csv": ("UTF-8", "2 -4.25, 5 120, 11 -31.10, 12 -50, 28 -140"),
    "n26.csv": ("UTF-8", "2 -12.34, 9 -45.67, 15 1987.65, 31 -800"),
    "nordea-se.csv": ("UTF-8", "30 -249, 25 28500, 12 -1200.50, 2 -10000"),
    "paypal.csv": ("UTF-8", "5 1024.50, 17 -20, 17 -18.75, 17 20"),
    "pko-pl.csv": ("UTF-8", "30 -45.99, 10 5000, 2 -1000"),
    "rabobank.csv": ("windows-1252", "5 -12.50, 15 1500, 20 -45.10, 20 250, 31 3.33"),
    "revolut.csv": ("UTF-8", "2 500, 4 -23.45, 7 -202, 10 -50.25"),
    "santander-es.csv": ("UTF-8", "31 -52.70, 30 1900, 4 -650, 2 20"),
    "sparkasse-camt.csv": ("windows-1252", "30 -71, 28 2345.67, 15 -980, 2 -3.95"),
    "ubs-ch.csv": ("UTF-8", "30 -61.05, 25 4250, 5 -2400, 3 -50"),
    "vr-bank-alt.csv": ("windows-1252", "30 -42.30, 28 1800, 7 -120"),
    "wise.csv": ("UTF-8", "31 -15.40, 20 -100, 13 500"),
}


def rows_in(name: str) -> tuple[list[StatementRow], list[Finding]]:
    with (FILES / name).open("rb") as file:
        parts = list(read(file, detect(file).layout))
    return [one for one in parts if isinstance(one, StatementRow)], [one for one in parts if isinstance(one, Finding)]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_banks_file_is_understood_without_a_hint(name: str) -> None:
    encoding, listed = EXPECTED[name]
    expected = [(date(2026, 1, int(day)), Decimal(amount)) for day, amount in map(str.split, listed.split(", "))]

    with (FILES / name).open("rb") as file:
        found = detect(file)
    rows, findings = rows_in(name)

    assert (found.layout.encoding, found.problems) == (encoding, ())
    assert [(row.on, row.amount) for row in rows] == expected
    assert [one for one in findings if one.rejects] == []
    assert looks_like((FILES / name).read_bytes(), name)


def test_every_sample_is_expected() -> None:
    assert {path.name for path in FILES.iterdir()} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_transaction_has_a_text(name: str) -> None:
    rows, _ = rows_in(name)

    assert [row.row for row in rows if not (row.description or row.payee or row.notes)] == []


# What a row says beside its date and amount: the file, the number of the transaction in it, and some fields.
DETAILS = [
    ("rabobank.csv", 2, {"foreign_amount": Decimal("-53.20"), "foreign_currency": "USD", "payee": "NEW YORK STORE"}),
    ("rabobank.csv", 0, {"description": "Brood en koffie", "bank_id": "000000000000000101"}),
    ("deutsche-bank.csv", 1, {"payee": "Jürgen Groß", "description": 'Miete "Altbau"', "currency": "EUR"}),
    ("sparkasse-camt.csv", 0, {"payee_account": "DE75512108001245126199", "value_on": date(2026, 1, 30)}),
    ("dkb.csv", 2, {"payee": "Arbeitgeber SE", "payee_account": "DE21500500009876543210", "amount": Decimal(2801)}),
    ("dkb.csv", 3, {"payee": "Vermieter"}),
    ("vr-bank-alt.csv", 0, {"description": "Basislastschrift EREF: 77 Bewirtung", "payee": "Gasthof zur Post"}),
    ("ing-de.csv", 1, {"balance": Decimal("2083.51"), "currency": "EUR", "row": 16}),
    ("abn-amro.tab", 4, {"balance": Decimal("3107.21"), "currency": "EUR", "description": "Rente"}),
    ("n26.csv", 1, {"foreign_amount": Decimal("-53.20"), "foreign_currency": "USD"}),
    ("n26.csv", 0, {"foreign_amount": None, "foreign_currency": None}),
    ("monzo.csv", 2, {"foreign_amount": Decimal("-36.40"), "foreign_currency": "EUR", "bank_id": "tx_0003"}),
    ("monzo.csv", 1, {"category": "Transfers", "notes": "Faster payment Rent, half"}),
    ("paypal.csv", 1, {"currency": "USD", "bank_id": "2AB23456CD789012E"}),
    (
        "ing-nl.csv",
        1,
        {"payee": "Werkgever BV", "description": "Salaris januari", "payee_account": "NL91ABNA0417164300"},
    ),
    ("wise.csv", 0, {"payee": "Diner New York", "bank_id": "CARD-100200300"}),
    ("wise.csv", 2, {"payee": "Carol"}),
    ("pko-pl.csv", 0, {"notes": "Płatność kartą", "currency": "PLN"}),
    ("nordea-se.csv", 0, {"payee": "Telia Sverige AB", "balance": Decimal(12751)}),
    ("ubs-ch.csv", 0, {"description": "Migros; Zürich Debitkarte Transaktions-Nr. 1", "balance": Decimal("6738.95")}),
    ("chase.csv", 3, {"reference": "1001", "description": "CHECK 1001"}),
]


@pytest.mark.parametrize(("name", "place", "fields"), DETAILS)
def test_the_columns_of_a_bank_mean_what_their_names_say(name: str, place: int, fields: dict[str, object]) -> None:
    rows, _ = rows_in(name)

    assert {field: getattr(rows[place], field) for field in fields} == fields


@pytest.mark.parametrize(
    ("name", "iban", "number"),
    [
        ("deutsche-bank.csv", "DE65100700000123456789", None),
        ("dkb.csv", "DE02120300000000202051", None),
        ("ing-de.csv", "DE39500105175406000001", None),
        ("santander-es.csv", "ES9121000418450200051332", None),
        ("ubs-ch.csv", "CH9300762011623852957", "0234 00123456.40"),
        ("vr-bank-alt.csv", None, "1234567"),
        ("cgd-pt.csv", None, "0123456789012"),
        ("barclays.csv", None, "20-00-00 12345678"),
    ],
)
def test_lines_above_the_table_or_all_rows_name_the_account(name: str, iban: str | None, number: str | None) -> None:
    with (FILES / name).open("rb") as file:
        account = detect(file).account

    assert (account.iban, account.number) == (iban, number)


def test_a_file_of_two_accounts_names_the_account_of_each_row() -> None:
    rows, _ = rows_in("rabobank.csv")

    assert [row.account.iban[-4:] for row in rows if row.account and row.account.iban] == ["6789"] * 3 + ["4321"] * 2


@pytest.mark.parametrize(
    ("name", "row", "says"),
    [
        ("sparkasse-camt.csv", 2, "not booked (“Umsatz vorgemerkt”)"),
        ("dkb.csv", 6, "not booked (“Vorgemerkt”)"),
        ("revolut.csv", 5, "not booked (“REVERTED”)"),
        ("paypal.csv", 6, "not booked (“Pending”)"),
        ("deutsche-bank.csv", 12, "below the table, and is skipped: “Kontostand;31.01.2026"),
        ("bank-of-america.csv", 8, "This is a balance"),
        ("vr-bank-alt.csv", 19, "This is a balance (“Anfangssaldo”)"),
    ],
)
def test_what_is_left_out_is_named(name: str, row: int, says: str) -> None:
    _, findings = rows_in(name)

    assert [one.message for one in findings if one.row == row and says in one.message and not one.rejects]


def test_a_card_whose_purchases_are_positive_is_turned_around_and_the_user_is_asked() -> None:
    with (FILES / "amex-uk.csv").open("rb") as file:
        found = detect(file)

    assert found.layout.invert
    assert [question.choices for question in found.questions if question.field == "invert"] == [("true", "false")]
