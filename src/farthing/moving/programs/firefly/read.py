"""Reads the books of Firefly III: an archive of its API's responses, or the files of its CSV export, zipped or not."""

import re
from collections.abc import Mapping
from typing import Any, BinaryIO

from ...source_books import SourceBooks
from . import links, planning, rules, settings
from .accounts import Accounts
from .attachments import read_attachments
from .balances import compare_balances, mention_rest
from .files.api_pages import ApiArchive, has_pages
from .files.csv_rows import CsvExport, kind_of_columns
from .files.items import Remarks, Source
from .files.source_files import SourceFile, list_files
from .recurrences import RecurrenceNames, read_recurrences
from .scan import Scan, Transactions, scan_journals
from .transactions import Bills, JournalContext

PROGRAM = "Firefly III"

_ZIP_START = b"PK\x03\x04"
_ZIPPED = re.compile(rb"api/transactions/page-1\.json|api/about\.json|[0-9]{4}_[0-9]{2}_[0-9]{2}_[a-z]{4,12}\.csv")


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001
    """Recognizes the file names in a zip, or the columns of a CSV file. `head` is the first 64 KiB."""
    if head.startswith(_ZIP_START):
        return bool(_ZIPPED.search(head))
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0][:4096].decode("utf-8", "replace")
    columns = [name.strip().strip('"').lower() for name in first.split(",")]
    return "user_id" in columns and kind_of_columns(columns) is not None


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    """Reads the books. `currency` is the user's primary currency. The `files`, by name, must be seekable and stay open
    until the transactions have been read.
    """
    listed = list_files(files)
    source: Source = ApiArchive(listed, Remarks()) if has_pages(listed) else CsvExport(listed, Remarks())
    accounts = Accounts(source)
    groups = tuple(rules.read_groups(source))
    own_rules = tuple(rules.read_rules(source, groups))
    bills = tuple(planning.read_bills(source, rules.bill_words(own_rules)))
    known_bills = Bills(keys={bill.key for bill in bills}, by_name={bill.name: bill.key for bill in bills})
    scan = scan_journals(source, accounts, known_bills)
    budgets = tuple(planning.read_budgets(source))
    piggy_banks = tuple(planning.read_piggy_banks(source, accounts, scan.journals))
    names = RecurrenceNames(
        budgets={budget.key: budget.name for budget in budgets},
        categories={item.id: str(item.values.get("name") or "") for item in source.items("categories")},
        piggy_banks={bank.key for bank in piggy_banks},
    )
    recurrences = tuple(read_recurrences(source, accounts, names, scan.fired))
    context = JournalContext(
        bills=known_bills,
        piggy_banks={event.transaction: bank.key for bank in piggy_banks for event in bank.events if event.transaction},
        opening=scan.opening,
    )
    categories = planning.read_categories(source)
    finished = accounts.finish()
    compare_balances(source, scan.legs, finished)
    others = _read_others(source, scan, listed)
    mention_rest(source)
    return SourceBooks(
        program=PROGRAM,
        accounts=finished,
        transactions=Transactions(source, accounts, context),
        has_order=accounts.has_order,
        currencies=tuple(planning.read_currencies(source, scan.places, currency)),
        categories=tuple(categories),
        category_notes={name: notes for name, notes in categories.items() if notes},
        budgets=budgets,
        budget_limits=tuple(planning.read_limits(source, budgets)),
        object_groups=tuple(planning.read_groups(source, (*bills, *piggy_banks))),
        bills=bills,
        piggy_banks=piggy_banks,
        rule_groups=groups,
        rules=own_rules,
        recurrences=recurrences,
        balances=tuple(scan.legs.balances(finished)),
        findings=source.remarks.findings(),
        **others,
    )


def _read_others(source: Source, scan: Scan, files: Mapping[str, SourceFile]) -> dict[str, Any]:
    """Reads what nothing else in the books depends on."""
    tags = tuple(planning.read_tags(source))
    return {
        "tags": tuple(tag.name for tag in tags),
        "tag_details": tags,
        "attachments": tuple(read_attachments(source, files, scan.journals)),
        "available_budgets": tuple(filter(None, map(planning.read_span, source.items("available-budgets")))),
        "entry_links": tuple(links.read_links(source, scan.journals)),
        "exchange_rates": tuple(settings.read_exchange_rates(source))[::-1],  # oldest first, like transactions
        "link_types": tuple(links.read_link_types(source)),
        "preferences": tuple(settings.read_preferences(source)),
        "webhooks": tuple(settings.read_webhooks(source)),
    }
