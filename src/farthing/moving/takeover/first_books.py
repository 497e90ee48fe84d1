"""Takes the beginning of other books, for a preview; pure."""

from collections.abc import Mapping, Sequence
from itertools import islice

from msgspec import Struct

from farthing.ledger.kinds import ASSETS, LIABILITIES

from ..findings import Finding
from ..source_books import SourceBooks, SourceTransaction


class ReadBooks(Struct, frozen=True, kw_only=True):
    """Holds the first transactions of the books; `total` counts all of them.

    `accounts` are names by key, `own` the keys of assets and liabilities.
    """

    program: str
    accounts: Mapping[str, str]
    own: frozenset[str]
    transactions: Sequence[SourceTransaction]
    total: int
    findings: tuple[Finding, ...]


def take_first(books: SourceBooks, most: int) -> ReadBooks:
    """Takes the first transactions; the files must be open."""
    transactions = iter(books.transactions)
    first = list(islice(transactions, most))
    return ReadBooks(
        program=books.program,
        accounts={account.key: account.name for account in books.accounts},
        own=frozenset(account.key for account in books.accounts if account.kind in ASSETS | LIABILITIES),
        transactions=first,
        total=len(first) + sum(1 for _ in transactions),
        findings=books.findings,
    )
