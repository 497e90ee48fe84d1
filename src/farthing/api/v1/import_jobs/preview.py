"""Shows the rows of a preview."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from farthing.books.bills import store as bills
from farthing.books.transactions import lines
from farthing.books.transactions.line_names import label_names
from farthing.books.transactions.model import AccountRef, KnownAccount, Line, SplitDraft, TransactionDraft
from farthing.http.answer.document import Page, PageLinks, Pagination
from farthing.http.answer.pages import page
from farthing.http.request.call import Call
from farthing.kernel.shown import Number, ShownDay, number
from farthing.ledger.kinds import Type
from farthing.moving.import_jobs.model import ImportJob
from farthing.moving.import_jobs.opening_balances import OpeningClash
from farthing.moving.import_jobs.preview import PreviewRow, RowsPreview
from farthing.moving.rows.settle import SettledRow
from farthing.moving.rows.verdicts import New, Paired, Rejected, find_entry_id
from farthing.moving.source_books import SourceSplit, SourceTransaction
from farthing.moving.takeover.preview import BooksRow

from ..serializers.currencies import InCurrency, currency_fields
from ..serializers.import_jobs import FindingShown, ImportCountsShown, show_counts, show_findings
from ..suggestions import wire as suggestions
from ..suggestions.wire import SuggestionShown


class TransactionNamed(Struct, gc=False):
    """Identifies an existing transaction, by its id, date and description."""

    transaction_id: int
    date: ShownDay
    description: str


class ImportLinkShown(TransactionNamed, gc=False):
    """Describes an existing transaction that may be the same as the row. `score` says how well they
    match, up to 100.
    """

    score: int
    reason: str


class PlannedSplitShown(Struct, gc=False):
    """Shows a split that the import would record. An account without an id does not exist yet and would be created."""

    amount: Number
    currency_code: str
    foreign_amount: Number | None
    foreign_currency_code: str | None
    source_id: int | None
    source_name: str
    destination_id: int | None
    destination_name: str
    category_name: str | None
    budget_name: str | None


class PlannedTransactionShown(Struct, gc=False):
    type: str
    date: ShownDay
    description: str
    notes: str | None
    tags: list[str]
    splits: list[PlannedSplitShown]


class ImportRuleShown(Struct, gc=False):
    rule_id: int
    title: str
    did: list[str]


class ImportBillShown(Struct, gc=False):
    bill_id: int
    name: str


class ImportPreviewRow(Struct, gc=False):
    """`outcome` is new, duplicate, linked, paired (with the row that is the other half of a transfer), skipped or
    rejected. Up to 1000 new rows of a page have a `suggestion`.
    """

    row: int
    outcome: str
    reason: str
    field: str | None
    date: ShownDay | None
    amount: Number | None
    currency_code: str | None
    description: str | None
    payee: str | None
    account_id: int | None
    account_name: str | None
    transaction: TransactionNamed | None
    partner_row: int | None
    links: list[ImportLinkShown]
    transactions: list[PlannedTransactionShown]
    rules: list[ImportRuleShown]
    bill: ImportBillShown | None
    suggestion: SuggestionShown | None


_NOTHING_NEW = New()


class OpeningClashShown(InCurrency, gc=False, kw_only=True):
    """Warns that an account's opening balance is dated after some of its transactions, which makes its balance wrong.

    `transactions` counts these transactions. With the opening balance `moved_balance` on `moved_date`, the balance on
    `date` stays as it was.
    """

    account_id: str
    account_name: str
    date: ShownDay
    balance: Number
    transactions: int
    moved_date: ShownDay
    moved_balance: Number


class OpeningClashes(Struct, gc=False):
    data: list[OpeningClashShown]


def show_clash(clash: OpeningClash) -> OpeningClashShown:
    places = clash.account.currency.places
    return OpeningClashShown(
        account_id=str(clash.account.id),
        account_name=clash.account.name,
        date=clash.opening.on.isoformat(),
        balance=number(clash.opening.units, places),
        transactions=clash.transactions,
        moved_date=clash.moved.on.isoformat(),
        moved_balance=number(clash.moved.units, places),
        **currency_fields(clash.account.currency),
    )


class ImportPreviewMeta(Struct, gc=False):
    """`complete` is false if only the beginning of a long file was examined. `opening_balances` lists accounts whose
    opening balance is dated after rows of the file.
    """

    pagination: Pagination
    counts: ImportCountsShown
    findings: list[FindingShown]
    complete: bool
    opening_balances: list[OpeningClashShown]


class ImportPreview(Struct, gc=False):
    data: list[ImportPreviewRow]
    meta: ImportPreviewMeta
    links: PageLinks


def show(call: Call, job: ImportJob, preview: RowsPreview) -> ImportPreview:
    entry_ids = sorted({entry_id for row in preview.rows if (entry_id := find_entry_id(row.verdict))})
    lines_by_entry = {line.entry_id: line for line in reversed(lines.of_entries(call.db, call.user_id, entry_ids))}
    bill_ids = sorted({row.bill_id for row in preview.rows if row.bill_id})
    bill_names = bills.names_of(call.db, call.user_id, bill_ids) if bill_ids else {}
    splits = _list_splits(preview.rows)
    category_ids = {split.category for split in splits if isinstance(split.category, int)}
    budget_ids = {split.budget for split in splits if isinstance(split.budget, int)}
    names = RowNames(
        lines=lines_by_entry,
        bills=bill_names,
        categories=_names_of(call, "categories", category_ids),
        budgets=_names_of(call, "budgets", budget_ids),
        accounts=preview.account_names,
    )
    paged: Page[Any] = page(call, f"/import_jobs/{job.id}/preview", [], preview.total)
    paged.meta.pagination.count = len(preview.rows)
    meta = ImportPreviewMeta(
        pagination=paged.meta.pagination,
        counts=show_counts(preview.counts),
        findings=show_findings(call, preview.remarks),
        complete=preview.is_whole,
        opening_balances=[show_clash(clash) for clash in preview.openings],
    )
    return ImportPreview(
        data=[_show_row(call, row, names) for row in preview.rows],
        meta=meta,
        links=paged.links,
    )


class RowNames(Struct, frozen=True, kw_only=True):
    """Holds the objects that the rows of a preview refer to. `lines` are keyed by the id of their entry, `accounts` by
    key, and the others by their own id.
    """

    lines: Mapping[int, Line]
    bills: Mapping[int, str]
    categories: Mapping[int, str]
    budgets: Mapping[int, str]
    accounts: Mapping[str, str]


def _list_splits(rows: Sequence[PreviewRow]) -> list[SplitDraft]:
    drafts = [draft for row in rows if isinstance(row.verdict, New) for draft in row.verdict.drafts]
    return [split for draft in drafts for split in draft.splits]


def _names_of(call: Call, table: str, ids: set[int]) -> dict[int, str]:
    return {label.id: label.name for label in label_names(call.db, call.user_id, table, ids).values()}


def _show_row(call: Call, row: PreviewRow, names: RowNames) -> ImportPreviewRow:
    if row.books:
        return _show_books_row(call, row, row.books, names.accounts)
    if row.settled is None:
        return _show_verdict(call, row)
    return _show_bank_row(call, row, row.settled, names)


_BLANK = ImportPreviewRow(
    **dict.fromkeys(ImportPreviewRow.__struct_fields__)  # type: ignore[arg-type]
)


def _show_verdict(call: Call, row: PreviewRow) -> ImportPreviewRow:
    return replace(
        _BLANK,
        row=row.number,
        outcome=row.verdict.outcome,
        reason=call.say(row.verdict.why),
        field=row.verdict.field if isinstance(row.verdict, Rejected) else None,
        links=[],
        transactions=[],
        rules=[],
    )


def _show_bank_row(call: Call, row: PreviewRow, settled: SettledRow, names: RowNames) -> ImportPreviewRow:
    bank_row, sign = settled.row, -1 if settled.outgoing else 1
    line = names.lines.get(find_entry_id(row.verdict) or 0)
    new = row.verdict if isinstance(row.verdict, New) else _NOTHING_NEW
    return replace(
        _show_verdict(call, row),
        field=None,
        date=bank_row.on.isoformat(),
        amount=number(sign * settled.money.units, settled.money.currency.places),
        currency_code=settled.money.currency.code,
        description=bank_row.description,
        payee=bank_row.payee,
        account_id=settled.account.id,
        account_name=settled.account.name,
        transaction=TransactionNamed(line.id, line.on, line.entry.description) if line else None,
        partner_row=row.verdict.partner_row if isinstance(row.verdict, Paired) else None,
        links=[
            ImportLinkShown(
                transaction_id=offer.entry.split_id,
                date=offer.entry.on.isoformat(),
                description=offer.entry.text,
                score=offer.score,
                reason=call.say(offer.reason),
            )
            for offer in row.offers
        ],
        transactions=[
            _show_planned(draft, draft.type, [_show_split(split, names) for split in draft.splits])
            for draft in new.drafts
        ],
        rules=[ImportRuleShown(rule_id=rule.rule_id, title=rule.title, did=list(rule.did)) for rule in new.fired],
        bill=ImportBillShown(bill_id=row.bill_id, name=names.bills.get(row.bill_id, "")) if row.bill_id else None,
        suggestion=suggestions.show(row.suggestion) if row.suggestion else None,
    )


def _show_books_row(call: Call, row: PreviewRow, books: BooksRow, names: Mapping[str, str]) -> ImportPreviewRow:
    """Shows a row that is a transaction from another program."""
    source = books.transaction
    return replace(
        _show_verdict(call, row),
        field=None,
        date=source.on.isoformat(),
        amount=_show_decimal(books.amount),
        currency_code=source.splits[0].currency if source.splits else None,
        description=source.description,
        transactions=[_show_planned(source, books.type, [_show_source_split(split, names) for split in source.splits])],
    )


def _show_source_split(split: SourceSplit, names: Mapping[str, str]) -> PlannedSplitShown:
    return PlannedSplitShown(
        amount=_show_decimal(split.amount),
        currency_code=split.currency,
        foreign_amount=_show_decimal(split.foreign_amount) if split.foreign_amount else None,
        foreign_currency_code=split.foreign_currency,
        source_id=None,
        source_name=names.get(split.source, split.source),
        destination_id=None,
        destination_name=names.get(split.destination, split.destination),
        category_name=split.category,
        budget_name=None,
    )


def _show_decimal(amount: Decimal) -> Raw:
    text = f"{amount:f}"
    return Raw((text.rstrip("0").rstrip(".") if "." in text else text).encode())


def _show_planned(
    planned: TransactionDraft | SourceTransaction, type_: Type, splits: list[PlannedSplitShown]
) -> PlannedTransactionShown:
    return PlannedTransactionShown(
        type=type_.label.lower(),
        date=planned.on.isoformat(),
        description=planned.description,
        notes=planned.notes,
        tags=list(planned.tags),
        splits=splits,
    )


def _show_split(split: SplitDraft, names: RowNames) -> PlannedSplitShown:
    foreign, category, budget = split.foreign, split.category, split.budget
    return PlannedSplitShown(
        amount=number(split.amount.units, split.amount.currency.places),
        currency_code=split.amount.currency.code,
        foreign_amount=number(foreign.units, foreign.currency.places) if foreign else None,
        foreign_currency_code=foreign.currency.code if foreign else None,
        source_id=_find_id(split.source),
        source_name=split.source.name,
        destination_id=_find_id(split.destination),
        destination_name=split.destination.name,
        category_name=names.categories.get(category) if isinstance(category, int) else category,
        budget_name=names.budgets.get(budget) if isinstance(budget, int) else budget,
    )


def _find_id(account: AccountRef) -> int | None:
    return account.id if isinstance(account, KnownAccount) else None
