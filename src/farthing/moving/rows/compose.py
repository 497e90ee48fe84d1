"""Composes the drafts of transactions from rows. Has no side effects."""

from collections.abc import Iterable, Mapping
from datetime import date
from itertools import groupby

from msgspec.structs import replace

from farthing.books.transactions import model
from farthing.books.transactions.model import KnownAccount, Lookup
from farthing.kernel.limits import DESCRIPTION_MAX, NAME_MAX, NOTES_MAX
from farthing.kernel.money import Money, to_units
from farthing.kernel.text import NO_DESCRIPTION, fold, in_one_line
from farthing.ledger.entry import NO_DATES, OTHER_DATES
from farthing.ledger.kinds import Kind, Type

from ..statements import BankAccount, StatementRow, StatementSplit
from .own_accounts import OwnAccounts
from .settle import SettledRow

_VALUE_DATE = OTHER_DATES.index("interest")


def request_references(rows: Iterable[SettledRow], budgets: Iterable[str] = ()) -> model.LookupRequest:
    """Lists everything that the drafts of these rows may refer to, so that it can be looked up. `budgets` are names
    that the user chose.
    """
    rows = list(rows)
    splits = [split for row in rows for split in row.row.splits]
    categories = {row.row.category for row in rows} | {split.category for split in splits}
    tags = {tag for row in rows for tag in row.row.tags} | {tag for split in splits for tag in split.tags}
    return model.LookupRequest(
        account_ids={row.account.id for row in rows},
        account_folds={fold(in_one_line(row.payee)) for row in rows if row.payee},
        cash=True,
        category_folds={fold(in_one_line(name)) for name in categories if name},
        budget_folds={fold(in_one_line(name)) for name in budgets},
        tag_folds={fold(tag[: model.TAG_CHARACTERS_MAX]) for tag in tags},
    )


def find_other_account(settled: SettledRow, own: OwnAccounts) -> KnownAccount | None:
    """Finds the other account of the user that the row names: by IBAN, by number, or by name in `transfer_account`."""
    other = own.find(BankAccount(number=settled.row.payee_account, name=settled.row.transfer_account))
    return other if other and other.id != settled.account.id and _can_transfer(settled, other) else None


def _can_transfer(settled: SettledRow, other: KnownAccount) -> bool:
    """Tells whether the row states the amount in the currency of the other account."""
    return other.currency in (settled.money.currency, settled.foreign and settled.foreign.currency)


def compose(
    settled: SettledRow,
    own: OwnAccounts,
    references: Lookup,
    transfer_to: KnownAccount | None = None,
    *,
    may_transfer: bool = True,
) -> tuple[model.TransactionDraft, ...]:
    """Composes one draft from a row, or several if parts of the row have different directions or accounts. Without
    `may_transfer`, a row that names another of the user's accounts does not become a transfer.
    """
    if not settled.row.splits:
        other = transfer_to or (find_other_account(settled, own) if may_transfer else None)
        whole = StatementSplit(amount=settled.row.amount)
        return (_compose_parts(settled, [whole], other, references, outgoing=settled.outgoing),)

    def way(part: StatementSplit) -> tuple[bool, int]:
        other = own.find_name(part.transfer_account)
        return part.amount > 0, other.id if other and other.id != settled.account.id else 0

    parts = sorted((part for part in settled.row.splits if part.amount), key=way)
    return tuple(
        _compose_parts(settled, list(of_way), own.by_id.get(other_id), references, outgoing=not arrives)
        for (arrives, other_id), of_way in groupby(parts, key=way)
    )


def _compose_parts(
    settled: SettledRow, parts: list[StatementSplit], other: KnownAccount | None, references: Lookup, *, outgoing: bool
) -> model.TransactionDraft:
    """Composes one draft from parts with the same direction and the same other side: the account `other` or a payee."""
    row = settled.row
    party = other or _find_payee(settled.payee, references, outgoing=outgoing)
    source, destination = (settled.account, party) if outgoing else (party, settled.account)
    splits = []
    for number, part in enumerate(parts, 1):
        category = find_category(part.category or row.category, references)
        units = abs(to_units(part.amount, settled.money.currency))
        split = model.SplitDraft(
            source=source,
            destination=destination,
            amount=Money(units=units, currency=settled.money.currency),
            foreign=settled.foreign if units == settled.money.units else None,
            description=in_one_line(part.description, DESCRIPTION_MAX) or None,
            reconciled=row.reconciled,
            category=category,
            budget=None,
        )
        splits.append(split if len(parts) == 1 else replace(split, description=_name_part(split, row, number)))
    return model.TransactionDraft(
        type=Type.TRANSFER if other else Type.WITHDRAWAL if outgoing else Type.DEPOSIT,
        on=row.on,
        description=_describe(row),
        splits=tuple(splits),
        notes=_gather_notes(row, is_transfer=other is not None),
        internal_reference=in_one_line(row.reference) or None,
        dates=_dates(row),
        tags=cut_tags((*row.tags, *(tag for part in row.splits for tag in part.tags))),
    )


def _name_part(split: model.SplitDraft, row: StatementRow, number: int) -> str:
    """Returns a description for one of several splits. It must differ from the description of the transaction."""
    whole, category = _describe(row), split.category
    text = split.description or (category if isinstance(category, str) else "")
    return text if text and text != whole else f"{whole[:1000]} ({number})"


def _dates(row: StatementRow) -> tuple[date | None, ...]:
    if row.value_on is None or row.value_on == row.on:
        return NO_DATES
    return tuple(row.value_on if index == _VALUE_DATE else None for index in range(len(OTHER_DATES)))


def _find_payee(payee: str | None, references: Lookup, *, outgoing: bool) -> model.AccountRef:
    """Finds the account of a payee. If a row names none, returns the cash account."""
    name = in_one_line(payee)
    if not name:
        assert references.cash is not None, "every user has a cash account"
        return references.cash
    kinds = (model.PAYEES if outgoing else model.PAYERS) | {Kind.CASH}
    kind = Kind.EXPENSE if outgoing else Kind.REVENUE
    return model.account_named(name, kinds, references) or model.NewAccount(kind=kind, name=name)


def find_category(name: str | None, references: Lookup) -> int | str | None:
    """Finds the id of a category by name. Returns the name if there is no such category yet."""
    return _find_label(name, references.categories_named)


def find_budget(name: str | None, references: Lookup) -> int | str | None:
    """Finds the id of a budget by name. Returns the name if there is no such budget yet."""
    return _find_label(name, references.budgets_named)


def _find_label(name: str | None, named: Mapping[str, int]) -> int | str | None:
    plain = in_one_line(name)
    return named.get(fold(plain), plain) if plain else None


def cut_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Shortens tags, and drops those that are too many."""
    return tuple(tag[: model.TAG_CHARACTERS_MAX] for tag in dict.fromkeys(tags))[: model.TAGS_MAX]


def _describe(row: StatementRow) -> str:
    return in_one_line(row.description, DESCRIPTION_MAX) or in_one_line(row.payee) or NO_DESCRIPTION


def _gather_notes(row: StatementRow, *, is_transfer: bool) -> str | None:
    """Collects for the notes what has no field of its own, and the full text of everything that was truncated."""
    lines = [
        row.notes,
        row.description if len(row.description) > DESCRIPTION_MAX else None,
        row.payee if row.payee and len(row.payee) > NAME_MAX else None,
        f"Account: {row.payee_account}" if row.payee_account else None,
        f"Transfer with: {row.transfer_account}" if row.transfer_account and not is_transfer else None,
        row.reference if row.reference and len(row.reference) > NAME_MAX else None,
    ]
    return "\n".join(line for line in lines if line)[:NOTES_MAX] or None
