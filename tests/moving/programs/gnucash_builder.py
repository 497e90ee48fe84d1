"""Small GnuCash books, written as SQLite and as XML from one description."""

import gzip
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

# guid, name, type, commodity, parent
ACCOUNTS = [
    ("root", "Root Account", "ROOT", None, None),
    ("assets", "Assets", "ASSET", "EUR", "root"),
    ("bank", "Bank", "BANK", "EUR", "assets"),
    ("cash", "Cash", "CASH", "EUR", "assets"),
    ("dollars", "Dollars", "BANK", "USD", "assets"),
    ("ibm", "IBM", "STOCK", "IBM", "assets"),
    ("card", "Card", "CREDIT", "EUR", "root"),
    ("income", "Income", "INCOME", "EUR", "root"),
    ("salary", "Salary", "INCOME", "EUR", "income"),
    ("gains", "Gains", "INCOME", "USD", "income"),
    ("expenses", "Expenses", "EXPENSE", "EUR", "root"),
    ("food", "Food", "EXPENSE", "EUR", "expenses"),
    ("tax", "Tax", "EXPENSE", "EUR", "expenses"),
    ("equity", "Equity", "EQUITY", "EUR", "root"),
    ("opening", "Opening Balances", "EQUITY", "EUR", "equity"),
    ("trading", "Trading", "TRADING", "EUR", "root"),
    ("tradeur", "EUR", "TRADING", "EUR", "trading"),
    ("tradusd", "USD", "TRADING", "USD", "trading"),
]
PLACEHOLDERS = {"assets", "income", "expenses", "equity", "trading"}
Split = tuple[str, str] | tuple[str, str, str]
# day, text, currency, splits (account, value in cents, quantity as a fraction where it differs)
Entry = tuple[str, str, str, list[Split]]
TRAITS: dict[str, list[Entry]] = {
    "opening": [("2024-01-01", "Opening", "EUR", [("bank", "100000"), ("opening", "-100000")])],
    "expense": [("2024-01-05", "Baker & Söhne <1>", "EUR", [("food", "310"), ("cash", "-310")])],
    "card": [("2024-01-31", "Card", "EUR", [("food", "1234"), ("card", "-1234")])],
    "salary": [("2024-02-28", "Work", "EUR", [("bank", "320000"), ("tax", "150050"), ("salary", "-470050")])],
    "refund": [("2024-02-29", "Back", "EUR", [("bank", "500"), ("food", "-500")])],
    "between expenses": [("2024-03-01", "Move", "EUR", [("tax", "200"), ("food", "-200")])],
    "exchange": [("2024-03-02", "Exchange", "EUR", [("dollars", "913", "1000/100"), ("bank", "-913")])],
    "shares": [
        ("2024-03-03", "Buy", "USD", [("ibm", "50025", "7/2"), ("dollars", "-50025")]),
        ("2024-03-04", "Sell", "USD", [("ibm", "-30000", "-2/1"), ("dollars", "30000")]),
    ],
    "gain without quantity": [("2024-03-05", "Gain", "USD", [("ibm", "1414", "0/1"), ("gains", "-1414")])],
    "share split": [("2024-03-06", "Split", "USD", [("ibm", "0", "3/2")])],
    "trading accounts": [
        (
            "2024-03-07",
            "Traded",
            "EUR",
            [("bank", "-900"), ("tradeur", "900"), ("tradusd", "-900", "-1000/100"), ("dollars", "900", "1000/100")],
        )
    ],
    "closing": [("2024-12-31", "Close", "EUR", [("salary", "100"), ("equity", "-100")])],
}


def _fractions(entry: Entry) -> list[tuple[str, str, str]]:
    return [(one[0], f"{one[1]}/100", one[2] if len(one) == 3 else f"{one[1]}/100") for one in entry[3]]


def _space(code: str) -> str:
    return "NYSE" if code == "IBM" else "CURRENCY"


def xml(entries: list[Entry], *, more: str = "", packed: bool = False) -> bytes:
    accounts = "".join(_xml_account(*account) for account in ACCOUNTS)
    booked = "".join(_xml_entry(number, one) for number, one in enumerate(entries))
    text = (
        '<?xml version="1.0" encoding="utf-8" ?>\n<gnc-v2 xmlns:gnc="g" xmlns:act="a" xmlns:trn="t">\n'
        '<gnc:book version="2.0.0"><book:id type="guid">b</book:id>\n'
        '<gnc:commodity version="2.0.0"><cmdty:space>NYSE</cmdty:space><cmdty:id>IBM</cmdty:id>'
        "<cmdty:name>Business Machines</cmdty:name></gnc:commodity>\n"
        f"{accounts}{booked}{more}</gnc:book></gnc-v2>\n"
    ).encode()
    return gzip.compress(text, mtime=0) if packed else text


def _xml_account(guid: str, name: str, kind: str, code: str | None, parent: str | None) -> str:
    commodity = f"<cmdty:space>{_space(code)}</cmdty:space><cmdty:id>{code}</cmdty:id>" if code else ""
    slot = "<slot><slot:key>placeholder</slot:key><slot:value type='string'>true</slot:value></slot>"
    return (
        f'<gnc:account version="2.0.0"><act:name>{name}</act:name><act:id type="guid">{guid}</act:id>'
        f"<act:type>{kind}</act:type>"
        + (f"<act:commodity>{commodity}</act:commodity>" if code else "")
        + (f"<act:slots>{slot}</act:slots>" if guid in PLACEHOLDERS else "")
        + (f'<act:parent type="guid">{parent}</act:parent>' if parent else "")
        + "</gnc:account>\n"
    )


def _xml_entry(number: int, entry: Entry) -> str:
    day, text, code, _ = entry
    splits = "".join(
        f"<trn:split><split:id>s</split:id><split:reconciled-state>y</split:reconciled-state>"
        f"<split:value>{value}</split:value><split:quantity>{quantity}</split:quantity>"
        f"<split:account>{account}</split:account></trn:split>"
        for account, value, quantity in _fractions(entry)
    )
    # The day before, as a zone east of Greenwich writes it; the slot has the day that counts.
    return (
        f'<gnc:transaction version="2.0.0"><trn:id type="guid">t{number}</trn:id>'
        f"<trn:currency><cmdty:space>CURRENCY</cmdty:space><cmdty:id>{code}</cmdty:id></trn:currency>"
        f"<trn:date-posted><ts:date>{day} 00:00:00 +0100</ts:date></trn:date-posted>"
        f"<trn:description>{escape(text)}</trn:description>"
        f"<trn:slots><slot><slot:key>date-posted</slot:key><slot:value type='gdate'><gdate>{day}</gdate></slot:value>"
        f"</slot></trn:slots><trn:splits>{splits}</trn:splits></gnc:transaction>\n"
    )


SCHEMA = """
CREATE TABLE books (guid text, root_account_guid text, root_template_guid text);
CREATE TABLE commodities (guid text, namespace text, mnemonic text, fullname text);
CREATE TABLE accounts (guid text, name text, account_type text, commodity_guid text, parent_guid text, code text,
  description text, hidden integer, placeholder integer);
CREATE TABLE transactions (guid text, currency_guid text, num text, post_date text, description text);
CREATE TABLE splits (guid text, tx_guid text, account_guid text, memo text, action text, reconcile_state text,
  value_num bigint, value_denom bigint, quantity_num bigint, quantity_denom bigint);
CREATE TABLE slots (obj_guid text, name text, string_val text, gdate_val text);
CREATE TABLE schedxactions (guid text, name text);
CREATE TABLE prices (guid text);
CREATE TABLE budgets (guid text, name text);
CREATE TABLE budget_amounts (budget_guid text, account_guid text, period_num integer, amount_num bigint,
  amount_denom bigint);
CREATE TABLE recurrences (obj_guid text, recurrence_mult integer, recurrence_period_type text,
  recurrence_period_start text);
"""


def sqlite(entries: list[Entry], *more: str, schema: str = SCHEMA) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "book.gnucash"
        db = sqlite3.connect(path)
        db.executescript(schema)
        db.execute("INSERT INTO books VALUES ('b', 'root', 'template')")
        codes = [(code, _space(code), code, "") for code in ("EUR", "USD", "IBM")]
        db.executemany("INSERT INTO commodities VALUES (?, ?, ?, ?)", codes)
        for guid, name, kind, code, parent in ACCOUNTS:
            row = (guid, name, kind, code, parent, guid in PLACEHOLDERS)
            db.execute("INSERT INTO accounts VALUES (?, ?, ?, ?, ?, '', '', 0, ?)", row)
        for number, entry in enumerate(entries):
            _insert(db, number, entry)
        for statement in more:
            db.execute(statement)
        db.commit()
        db.close()
        return path.read_bytes()


def _insert(db: sqlite3.Connection, number: int, entry: Entry) -> None:
    day, text, code, _ = entry
    row = (f"t{number}", code, f"{day} 10:59:00", text)
    db.execute("INSERT INTO transactions VALUES (?, ?, '', ?, ?)", row)
    for account, value, quantity in _fractions(entry):
        numbers = [int(part) for fraction in (value, quantity) for part in fraction.split("/")]
        db.execute("INSERT INTO splits VALUES ('s', ?, ?, '', '', 'y', ?, ?, ?, ?)", (f"t{number}", account, *numbers))
