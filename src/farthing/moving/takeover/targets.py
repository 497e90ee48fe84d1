"""Loads the objects in the user's books that the transactions of another program's books refer to."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.transactions.model import KnownAccount
from farthing.kernel.money import Currency
from farthing.ledger.entry import Party
from farthing.ledger.kinds import HIDDEN
from farthing.storage.unit import Unit, columns_of

from ..rows import imported_rows, made_objects
from ..source_books import SourceBooks, SourceTransaction
from .entries import TakeoverTarget, needed_helpers

# Used instead of an account's id for transactions of another program, whose keys are unique across all accounts.
NO_ACCOUNT = 0


def load(db: Unit, user_id: int, job_id: int, books: SourceBooks) -> TakeoverTarget:
    """Loads the target completely, with a few queries, because books have only a few hundred accounts and labels."""
    openings = "SELECT opening_account_id FROM entries WHERE user_id = :user_id AND opening_account_id IS NOT NULL"
    return TakeoverTarget(
        accounts=load_accounts(db, user_id, job_id),
        helpers={account.key: account for account in books.accounts if account.kind in HIDDEN},
        categories=_folds(db, user_id, "categories"),
        budgets=_folds(db, user_id, "budgets"),
        tags=_folds(db, user_id, "tags"),
        bills=made_objects.load_keyed(db, user_id, job_id, "bills"),
        piggy_banks=made_objects.load_keyed(db, user_id, job_id, "piggy_banks"),
        currencies=load_currencies(db, user_id, job_id),
        openings={account_id for (account_id,) in db.all(openings, user_id=user_id)},
        helper_parties={},
    )


def load_currencies(db: Unit, user_id: int, job_id: int) -> dict[str, Currency]:
    """Loads currencies by their code, and those that the import created or renamed also by their code in the source."""
    coded = currencies.all_coded(db)
    by_id = {currency.id: currency for currency in coded.values()}
    brought = made_objects.load_keyed(db, user_id, job_id, "currencies")
    return coded | {code.upper(): by_id[currency_id] for code, currency_id in brought.items() if currency_id in by_id}


class _KeyedAccount(Struct, frozen=True):
    source_key: str
    account: KnownAccount


def load_accounts(db: Unit, user_id: int, job_id: int) -> dict[str, KnownAccount]:
    sql = f"""
    SELECT o.source_key, a.id, a.kind, a.name, a.active, a.iban, {columns_of(Currency, "c", "currency")}
    FROM import_objects o
    JOIN accounts a ON a.user_id = o.user_id AND a.id = o.target_id
    JOIN currencies c ON c.id = a.currency_id
    WHERE o.user_id = :user_id AND o.job_id = :job_id AND o.kind = 'accounts'
    """
    rows = db.structs(_KeyedAccount, sql, user_id=user_id, job_id=job_id)
    return {row.source_key: row.account for row in rows}


def _folds(db: Unit, user_id: int, table: str) -> dict[str, int]:
    return dict(db.all(f"SELECT name_fold, id FROM {table} WHERE user_id = :user_id", user_id=user_id))


def make_helpers(db: Unit, user_id: int, new: Iterable[SourceTransaction], target: TakeoverTarget, now: str) -> None:
    """Creates the helper accounts for opening balances and reconciliations as soon as a transaction needs them."""
    opened = set(target.openings)
    for transaction in new:
        for account, kind in needed_helpers(transaction, target, opened):
            if (account.id, kind) not in target.helper_parties:
                helper_id = lifecycle.ensure_helper(db, user_id, account.id, kind, account.name, account.currency, now)
                target.helper_parties[account.id, kind] = Party(id=helper_id, currency=account.currency)


def key_of(program: str, key: str) -> str:
    """Builds the key that recognizes a transaction of the source when it is imported again."""
    return "s" + blake2b(f"{program}\0{key}".encode(), digest_size=12).hexdigest()


def list_keys(books: SourceBooks) -> list[str]:
    return [key_of(books.program, transaction.key) for transaction in books.transactions]


# The kinds that a report counts besides transactions and accounts, named like the fields of `SourceBooks`.
_COUNTED = (
    "categories", "tags", "budgets", "budget_limits", "available_budgets", "exchange_rates", "bills", "piggy_banks",
    "rule_groups", "rules", "recurrences", "entry_links", "attachments", "preferences", "webhooks",
)  # fmt: skip


def count(db: Unit, user_id: int, job_id: int, books: SourceBooks) -> dict[str, Any]:
    """Counts the objects of each kind in the source, and how many of them exist here. The second number includes
    transactions that an earlier import has booked.
    """
    keys = list_keys(books)
    made = made_objects.load_by_kind(db, user_id, job_id)
    accounts = sum(account.kind not in HIDDEN for account in books.accounts)
    sizes = {"accounts": accounts} | {kind: len(getattr(books, kind)) for kind in _COUNTED}
    booked = imported_rows.find_entries(db, user_id, NO_ACCOUNT, keys)
    counted = {kind: {"source": count, "here": len(made[kind])} for kind, count in sizes.items() if count}
    return {"transactions": {"source": len(keys), "here": len(booked)}, **counted}
