"""What do these transactions refer to? Everything they name, in a few queries however many they are."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Protocol

from ..ledger.kinds import Kind
from ..money import Currency
from ..piggy_banks import store as piggy_banks
from ..storage.unit import Row, Unit
from ..text import fold
from .model import Known, KnownAccount
from .wire import SplitBody, TransactionBody


class Naming(Protocol):
    """A body that names accounts, currencies and labels."""

    @property
    def transactions(self) -> list[SplitBody] | None: ...
    @property
    def tags(self) -> list[str] | None: ...


_ACCOUNT = """
SELECT a.id, a.kind, a.name, a.active, a.name_fold, c.id, c.code, c.name, c.symbol, c.places
FROM accounts a JOIN currencies c ON c.id = a.currency_id
"""


def load(db: Unit, user_id: int, bodies: Iterable[Naming]) -> Known:
    bodies = list(bodies)
    splits = [split for body in bodies for split in body.transactions or ()]
    by_id, by_name, cash = _accounts(db, user_id, splits)
    currencies = _currencies(db, splits)
    labels = _labels(db, user_id, splits, {fold(tag) for body in bodies for tag in body.tags or ()})
    transactions = [body for body in bodies if isinstance(body, TransactionBody)]
    pots = _piggy_banks(db, user_id, transactions)
    labels += _bills(db, user_id, transactions)
    return Known(
        accounts=by_id,
        accounts_named=by_name,
        cash=cash,
        currencies={currency.id: currency for currency in currencies},
        currencies_coded={currency.code: currency for currency in currencies},
        categories={label_id: name_fold for table, label_id, name_fold in labels if table == "categories"},
        categories_named={name_fold: label_id for table, label_id, name_fold in labels if table == "categories"},
        budgets={label_id: name_fold for table, label_id, name_fold in labels if table == "budgets"},
        budgets_named={name_fold: label_id for table, label_id, name_fold in labels if table == "budgets"},
        bills={label_id: name_fold for table, label_id, name_fold in labels if table == "bills"},
        bills_named={name_fold: label_id for table, label_id, name_fold in labels if table == "bills"},
        piggy_banks={one.id: one.account_id for one in pots},
        piggy_banks_named={one.name_fold: one.id for one in pots},
        tags_named={name_fold: label_id for table, label_id, name_fold in labels if table == "tags"},
    )


def _accounts(
    db: Unit, user_id: int, splits: list[SplitBody]
) -> tuple[dict[int, KnownAccount], dict[str, list[KnownAccount]], KnownAccount | None]:
    ids = sorted({one for split in splits for one in (split.source_id, split.destination_id) if one})
    folds = sorted({fold(one) for split in splits for one in (split.source_name, split.destination_name) if one})
    # Only what is asked for: a transaction that names its accounts by id costs a third of the whole question.
    wanted = ((_BY_ID, ids), (_BY_NAME, folds), (_CASH, _needs_cash(splits)))
    parts = [part for part, asked in wanted if asked]
    rows = _all(db, parts, user_id=user_id, ids=ids, folds=folds, exchange=Kind.EXCHANGE.value, cash=Kind.CASH.value)
    by_id: dict[int, KnownAccount] = {}
    by_name: dict[str, list[KnownAccount]] = defaultdict(list)
    for account_id, kind, name, active, name_fold, *currency in rows:
        account = KnownAccount(account_id, Kind(kind), name, bool(active), Currency(*currency))
        by_id[account_id] = account
        by_name[name_fold].append(account)
    return by_id, by_name, next((one for one in by_id.values() if one.kind == Kind.CASH), None)


_BY_ID = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.id IN :ids AND a.kind <> :exchange"
_BY_NAME = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.name_fold IN :folds AND a.kind <> :exchange"
_CASH = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.kind = :cash"


def _all(db: Unit, parts: list[str], **parameters: Any) -> list[Row]:
    """The rows of all parts, each once, the oldest first."""
    return db.all(f"{' UNION '.join(parts)} ORDER BY 1", **parameters) if parts else []


def _needs_cash(splits: list[SplitBody]) -> bool:
    """A side that nobody names is the cash account."""
    return any(
        not (split.source_id or split.source_name) or not (split.destination_id or split.destination_name)
        for split in splits
    )


def _currencies(db: Unit, splits: list[SplitBody]) -> list[Currency]:
    ids = sorted({one for split in splits for one in (split.currency_id, split.foreign_currency_id) if one})
    codes = sorted(
        {one.upper() for split in splits for one in (split.currency_code, split.foreign_currency_code) if one}
    )
    parts = [part for part, asked in ((_CURRENCY_BY_ID, ids), (_CURRENCY_BY_CODE, codes)) if asked]
    return [Currency(*row) for row in _all(db, parts, ids=ids, codes=codes)]


_CURRENCY_BY_ID = "SELECT id, code, name, symbol, places FROM currencies WHERE id IN :ids"
_CURRENCY_BY_CODE = "SELECT id, code, name, symbol, places FROM currencies WHERE code IN :codes"


def _labels(db: Unit, user_id: int, splits: list[SplitBody], tag_folds: set[str]) -> list[tuple[str, int, str]]:
    """Only the tables that are named are asked."""
    category_folds = {fold(split.category_name) for split in splits if split.category_name}
    budget_folds = {fold(split.budget_name) for split in splits if split.budget_name}
    return list(
        chain(
            _of(
                db, user_id, "categories", {split.category_id for split in splits if split.category_id}, category_folds
            ),
            _of(db, user_id, "budgets", {split.budget_id for split in splits if split.budget_id}, budget_folds),
            _of(db, user_id, "tags", set(), tag_folds),
        )
    )


def _bills(db: Unit, user_id: int, bodies: list[TransactionBody]) -> Iterator[tuple[str, int, str]]:
    ids = {body.bill_id for body in bodies if body.bill_id}
    return _of(db, user_id, "bills", ids, {fold(body.bill_name) for body in bodies if body.bill_name})


def _piggy_banks(db: Unit, user_id: int, bodies: list[TransactionBody]) -> list[piggy_banks.Named]:
    ids = {body.piggy_bank_id for body in bodies if body.piggy_bank_id}
    return piggy_banks.named(db, user_id, ids, {fold(body.piggy_bank_name) for body in bodies if body.piggy_bank_name})


def _of(db: Unit, user_id: int, table: str, ids: set[int], folds: set[str]) -> Iterator[tuple[str, int, str]]:
    if not ids and not folds:
        return
    rows = db.all(
        f"""
        SELECT id, name_fold FROM {table} WHERE user_id = :user_id AND id IN :ids
        UNION
        SELECT id, name_fold FROM {table} WHERE user_id = :user_id AND name_fold IN :folds
        """,
        user_id=user_id,
        ids=sorted(ids),
        folds=sorted(folds),
    )
    for label_id, name_fold in rows:
        yield table, label_id, name_fold
