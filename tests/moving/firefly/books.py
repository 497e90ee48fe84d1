"""The sample, which a real Firefly III 6.0.30 made of books of ours, and builders for small books."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

from farthing.moving.programs.firefly.read import read
from farthing.moving.source_books import SourceBooks, SourceTransaction

SAMPLE = Path(__file__).parent / "sample"


def sample_api() -> io.BytesIO:
    """Every page of its API, and its attachments, as the fetcher would keep them."""
    return io.BytesIO((SAMPLE / "api.zip").read_bytes())


def sample_csv() -> dict[str, BinaryIO]:
    with ZipFile(SAMPLE / "csv.zip") as files:
        return {name: io.BytesIO(files.read(name)) for name in files.namelist()}


def sample_table(name: str) -> list[dict[str, str]]:
    with (SAMPLE / name).open(newline="") as file:
        return list(csv.DictReader(file))


def an_archive(*, contents: Mapping[str, bytes] | None = None, **lists: Iterable[Mapping[str, Any]]) -> io.BytesIO:
    """Of one page for each list; `below_1__name` stands for the list `name/1`."""
    archive = io.BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as into:
        for name, objects in {"accounts": ACCOUNTS, "transactions": (), **lists}.items():
            data = [{"id": str(one.get("id", number)), "attributes": one} for number, one in enumerate(objects, 1)]
            page = {"data": data, "meta": {"pagination": {"total": len(data), "total_pages": 1}}}
            into.writestr(f"api/{name.replace('__', '/').replace('_', '-')}/page-1.json", json.dumps(page))
        for name, content in (contents or {}).items():
            into.writestr(name, content)
    return archive


def an_account(key: int, name: str, type_word: str, **more: Any) -> dict[str, Any]:
    return {"id": key, "name": name, "type": type_word, "currency_code": "EUR", **more}


ACCOUNTS = (
    an_account(1, "Checking", "asset", account_role="defaultAsset"),
    an_account(2, "Savings", "asset", account_role="savingAsset"),
    an_account(3, "Loan", "liabilities", liability_type="loan", interest="5", interest_period="monthly"),
    an_account(4, "Shop", "expense"),
    an_account(5, "Employer", "revenue"),
    an_account(6, "Cash account", "cash"),
    an_account(7, "Initial balance of Checking", "initial-balance"),
    an_account(8, "Checking reconciliation (EUR)", "reconciliation"),
    an_account(9, "Dollars", "asset", account_role="defaultAsset", currency_code="USD"),
)


def a_journal(key: int, source: int, destination: int, amount: str = "10", **more: Any) -> dict[str, Any]:
    return {
        "transaction_journal_id": str(key),
        "type": "withdrawal",
        "date": "2026-03-05T00:00:00+00:00",
        "amount": amount,
        "currency_code": "EUR",
        "description": f"Journal {key}",
        "source_id": str(source),
        "destination_id": str(destination),
        **more,
    }


def a_group(*journals: Mapping[str, Any], title: str | None = None, key: int | None = None) -> dict[str, Any]:
    first = key or journals[0]["transaction_journal_id"]
    return {"id": str(first), "group_title": title, "transactions": list(journals)}


def books_of(*groups: Mapping[str, Any], contents: Mapping[str, bytes] | None = None, **lists: Any) -> SourceBooks:
    return read({"archive.zip": an_archive(transactions=groups, contents=contents, **lists)})


def transactions_of(*groups: Mapping[str, Any], **lists: Any) -> list[SourceTransaction]:
    return list(books_of(*groups, **lists).transactions)


def messages(books: SourceBooks) -> str:
    return "\n".join(one.message for one in books.findings)


def rejections(books: SourceBooks) -> list[str]:
    return [one.message for one in books.findings if one.rejects]


COLUMNS = (
    *("user_id", "group_id", "journal_id", "created_at", "group_title", "type", "amount", "foreign_amount"),
    *("currency_code", "foreign_currency_code", "description", "date", "source_name", "source_iban", "source_type"),
    *("destination_name", "destination_iban", "destination_type", "reconciled", "category", "budget", "bill", "tags"),
    *("notes", "recurrence_date"),
)


def a_csv(*rows: Mapping[str, str], columns: Iterable[str] = COLUMNS, short: bool = True) -> io.BytesIO:
    """`short`: rows have one field fewer than the header, as version 6.0 writes them."""
    names = list(columns)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(names)
    for row in rows:
        writer.writerow([row.get(name, "") for name in names][: len(names) - short])
    return io.BytesIO(text.getvalue().encode())


def a_row(key: int, **more: str) -> dict[str, str]:
    return {
        "user_id": "1",
        "group_id": str(key),
        "journal_id": str(key),
        "type": "Withdrawal",
        "amount": "-10",
        "currency_code": "EUR",
        "description": f"Journal {key}",
        "date": "2026-03-05T00:00:00+00:00",
        "source_name": "Checking",
        "source_type": "Asset account",
        "destination_name": "Shop",
        "destination_type": "Expense account",
        **more,
    }
