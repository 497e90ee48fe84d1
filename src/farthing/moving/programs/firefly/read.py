"""Reads the books of Firefly III: an archive of its API's responses, or the files of its CSV export, zipped or not."""

import re
from collections.abc import Mapping
from typing import BinaryIO

from ...source_books import SourceBooks
from . import planning, rules
from .accounts import Accounts
from .attachments import read_attachments
from .balances import compare_balances, mention_rest
from .files.api_pages import ApiArchive, has_pages
from .files.csv_rows import CsvExport, kind_of_columns
from .files.items import Remarks, Source
from .files.source_files import list_files
from .recurrences import RecurrenceNames, read_recurrences
from .scan import Transactions, link_lines, scan_journals
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


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:  # noqa: ARG001
    """Reads the books. The `files`, by name, must be seekable and stay open until the transactions have been read."""
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
        links=link_lines(source, scan.journals),
    )
    categories = planning.read_categories(source)
    tags = tuple(planning.read_tags(source))
    finished = accounts.finish()
    compare_balances(source, scan.legs, finished)
    mention_rest(source)
    return SourceBooks(
        program=PROGRAM,
        accounts=finished,
        transactions=Transactions(source, accounts, context),
        currencies=tuple(planning.read_currencies(source, scan.places)),
        categories=tuple(categories),
        category_notes={name: notes for name, notes in categories.items() if notes},
        tags=tuple(tag.name for tag in tags),
        tag_details=tags,
        budgets=budgets,
        budget_limits=tuple(planning.read_limits(source, budgets)),
        available_budgets=tuple(filter(None, map(planning.read_span, source.items("available-budgets")))),
        bills=bills,
        piggy_banks=piggy_banks,
        rule_groups=groups,
        rules=own_rules,
        recurrences=recurrences,
        attachments=tuple(read_attachments(source, listed, scan.journals)),
        balances=tuple(scan.legs.balances(finished)),
        findings=source.remarks.findings(),
    )
