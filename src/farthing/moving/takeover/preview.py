"""Shows what taking over other books would do, transaction by transaction; stores nothing."""

from decimal import Decimal

from msgspec import Struct

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..rows import imported_rows
from ..rows.verdicts import Duplicate, New, Rejected
from ..source_books import SourceTransaction
from . import targets
from .entries import find_problem
from .first_books import ReadBooks


class BooksRow(Struct, frozen=True, kw_only=True):
    """Represents a transaction of the source. `amount` is negative if it leaves the own accounts."""

    transaction: SourceTransaction
    type: Type
    amount: Decimal
    verdict: New | Duplicate | Rejected


def make(db: Unit, user_id: int, books: ReadBooks) -> list[BooksRow]:
    keys = [targets.key_of(books.program, transaction.key) for transaction in books.transactions]
    imported_keys = imported_rows.find_keys(db, user_id, targets.NO_ACCOUNT, keys)
    return [
        BooksRow(
            transaction=transaction,
            type=transaction.type or _find_type(transaction, books.own),
            amount=_add_up(transaction, books.own),
            verdict=_decide(transaction, books, is_known=key in imported_keys),
        )
        for transaction, key in zip(books.transactions, keys, strict=True)
    ]


def _decide(transaction: SourceTransaction, books: ReadBooks, *, is_known: bool) -> New | Duplicate | Rejected:
    if problem := find_problem(transaction, books.accounts):
        return Rejected(why=problem)
    return Duplicate(why="It was taken over before.") if is_known else New()


def _find_type(transaction: SourceTransaction, own: frozenset[str]) -> Type:
    """Derives the type from the accounts."""
    leaves, arrives = (any(key in own for key in keys) for keys in zip(*_sides(transaction), strict=True))
    return Type.TRANSFER if leaves and arrives else Type.WITHDRAWAL if leaves else Type.DEPOSIT


def _sides(transaction: SourceTransaction) -> list[tuple[str, str]]:
    return [(split.source, split.destination) for split in transaction.splits] or [("", "")]


def _add_up(transaction: SourceTransaction, own: frozenset[str]) -> Decimal:
    total = sum((split.amount for split in transaction.splits), Decimal())
    leaves = any(split.source in own and split.destination not in own for split in transaction.splits)
    return -total if leaves else total
