"""Shows what an import of another program's books would do, transaction by transaction. Stores nothing."""

from collections.abc import Container
from decimal import Decimal

from msgspec import Struct

from farthing.ledger.kinds import ASSETS, LIABILITIES, Type
from farthing.storage.unit import Unit

from ..rows import imported_rows
from ..rows.verdicts import Duplicate, New, Rejected
from ..source_books import SourceBooks, SourceTransaction
from . import targets
from .entries import find_problem


class BooksRow(Struct, frozen=True, kw_only=True):
    """Represents a transaction of the source. `amount` is negative if the money leaves the user's own accounts."""

    transaction: SourceTransaction
    type: Type
    amount: Decimal
    verdict: New | Duplicate | Rejected


def make(db: Unit, user_id: int, books: SourceBooks) -> list[BooksRow]:
    transactions = list(books.transactions)
    keys = targets.list_keys(books)
    imported_keys = imported_rows.find_entries(db, user_id, targets.NO_ACCOUNT, keys)
    accounts = {account.key for account in books.accounts}
    own = frozenset(account.key for account in books.accounts if account.kind in ASSETS | LIABILITIES)
    return [
        BooksRow(
            transaction=transaction,
            type=transaction.type or _find_type(transaction, own),
            amount=_add_up(transaction, own),
            verdict=_decide(transaction, accounts, is_imported=key in imported_keys),
        )
        for transaction, key in zip(transactions, keys, strict=True)
    ]


def _decide(
    transaction: SourceTransaction, accounts: Container[str], *, is_imported: bool
) -> New | Duplicate | Rejected:
    if problem := find_problem(transaction, accounts):
        return Rejected(why=problem)
    return Duplicate(why="It was taken over before.") if is_imported else New()


def _find_type(transaction: SourceTransaction, own: frozenset[str]) -> Type:
    leaves = any(split.source in own for split in transaction.splits)
    arrives = any(split.destination in own for split in transaction.splits)
    return Type.TRANSFER if leaves and arrives else Type.WITHDRAWAL if leaves else Type.DEPOSIT


def _add_up(transaction: SourceTransaction, own: frozenset[str]) -> Decimal:
    total = sum((split.amount for split in transaction.splits), Decimal())
    leaves = any(split.source in own and split.destination not in own for split in transaction.splits)
    return -total if leaves else total
