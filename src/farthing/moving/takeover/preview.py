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
    """A transaction of the source. `amount` is negative if it leaves the own accounts."""

    transaction: SourceTransaction
    type: Type
    amount: Decimal
    verdict: New | Duplicate | Rejected


def make(db: Unit, user_id: int, books: ReadBooks) -> list[BooksRow]:
    keys = [targets.key_of(books.program, one.key) for one in books.transactions]
    known = imported_rows.find_keys(db, user_id, targets.NO_ACCOUNT, keys)
    return [
        BooksRow(
            transaction=one,
            type=one.type or _find_type(one, books.own),
            amount=_add_up(one, books.own),
            verdict=_decide(one, books, is_known=key in known),
        )
        for one, key in zip(books.transactions, keys, strict=True)
    ]


def _decide(one: SourceTransaction, books: ReadBooks, *, is_known: bool) -> New | Duplicate | Rejected:
    if problem := find_problem(one, books.accounts):
        return Rejected(why=problem)
    return Duplicate(why="It was taken over before.") if is_known else New()


def _find_type(one: SourceTransaction, own: frozenset[str]) -> Type:
    """What the accounts make of it."""
    leaves, arrives = (any(key in own for key in keys) for keys in zip(*_sides(one), strict=True))
    return Type.TRANSFER if leaves and arrives else Type.WITHDRAWAL if leaves else Type.DEPOSIT


def _sides(one: SourceTransaction) -> list[tuple[str, str]]:
    return [(split.source, split.destination) for split in one.splits] or [("", "")]


def _add_up(one: SourceTransaction, own: frozenset[str]) -> Decimal:
    total = sum((split.amount for split in one.splits), Decimal())
    leaves = any(split.source in own and split.destination not in own for split in one.splits)
    return -total if leaves else total
