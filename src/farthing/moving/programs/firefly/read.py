"""Reads the books of Firefly III: an archive of its API, or files of its CSV export, one by one or zipped."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO

from ...source_books import SourceBill, SourceBooks, SourceBudget, SourcePiggyBank
from . import planning, rules
from .accounts import Accounts
from .attachments import read_attachments
from .files.api_pages import ApiArchive, has_pages
from .files.csv_rows import CsvExport, kind_of_columns
from .files.remarks import Remarks
from .files.source import Source
from .files.source_files import SourceFile, list_files
from .recurrences import RecurrenceNames, read_recurrences
from .reported import compare_balances, mention_rest
from .scan import Scan, Transactions, link_lines, scan_journals
from .transactions import Bills, JournalContext

PROGRAM = "Firefly III"

_ZIP_START = b"PK\x03\x04"
_ZIPPED = re.compile(rb"api/transactions/page-1\.json|api/about\.json|[0-9]{4}_[0-9]{2}_[0-9]{2}_[a-z]{4,12}\.csv")


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001
    """Recognizes the names in a zip, or the columns of a CSV file; `head` is the first 64 KiB."""
    if head.startswith(_ZIP_START):
        return bool(_ZIPPED.search(head))
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0][:4096].decode("utf-8", "replace")
    columns = [name.strip().strip('"').lower() for name in first.split(",")]
    return "user_id" in columns and kind_of_columns(columns) is not None


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:  # noqa: ARG001
    """`files` by name; they must be seekable, and stay open until the transactions have been read."""
    remarks = Remarks()
    listed = list_files(files)
    source = _open(listed, remarks)
    accounts = Accounts(source.items("accounts"), remarks)
    groups = tuple(rules.read_groups(source, remarks))
    found_rules = tuple(rules.read_rules(source, groups, remarks))
    bills = tuple(planning.read_bills(source, rules.bill_words(found_rules), remarks))
    scan = scan_journals(source, accounts, Bills.of(bills), remarks)
    budgets = tuple(planning.read_budgets(source, remarks))
    piggy_banks = tuple(planning.read_piggy_banks(source, accounts, scan.journals, remarks))
    names = _names(source, budgets, piggy_banks)
    recurrences = tuple(read_recurrences(source, accounts, names, scan.fired, remarks))
    context = _context(source, scan, bills, piggy_banks, remarks)
    transactions = Transactions(source, accounts, context)
    tags = tuple(planning.read_tags(source, remarks))
    finished = accounts.finish()
    compare_balances(source, scan.legs, finished, remarks)
    mention_rest(source, remarks)
    return SourceBooks(
        program=PROGRAM,
        accounts=finished,
        transactions=transactions,
        currencies=tuple(planning.read_currencies(source, scan.places, remarks)),
        categories=tuple(planning.read_categories(source, remarks)),
        tags=tuple(tag.name for tag in tags),
        tag_details=tags,
        budgets=budgets,
        budget_limits=tuple(planning.read_limits(source, budgets, remarks)),
        available_budgets=tuple(planning.read_available(source, remarks)),
        bills=bills,
        piggy_banks=piggy_banks,
        rule_groups=groups,
        rules=found_rules,
        recurrences=recurrences,
        attachments=tuple(read_attachments(source, listed, scan.journals, context.bills.keys, remarks)),
        balances=tuple(scan.legs.balances(finished)),
        findings=remarks.findings(),
    )


def _open(listed: Mapping[str, SourceFile], remarks: Remarks) -> Source:
    return ApiArchive(listed, remarks) if has_pages(listed) else CsvExport(listed, remarks)


def _names(source: Source, budgets: Iterable[SourceBudget], piggy_banks: Iterable[SourcePiggyBank]) -> RecurrenceNames:
    return RecurrenceNames(
        budgets={budget.key: budget.name for budget in budgets},
        categories={item.id: str(item.values.get("name") or "") for item in source.items("categories")},
        piggy_banks={bank.key: bank.name for bank in piggy_banks},
    )


def _context(
    source: Source,
    scan: Scan,
    bills: Sequence[SourceBill],
    piggy_banks: Iterable[SourcePiggyBank],
    remarks: Remarks,
) -> JournalContext:
    return JournalContext(
        bills=Bills.of(bills),
        piggy_banks={event.transaction: bank.key for bank in piggy_banks for event in bank.events if event.transaction},
        opening=scan.opening,
        links=link_lines(source, scan.journals, remarks),
    )
