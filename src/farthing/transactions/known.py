"""What do these transactions refer to? Everything they name, in a few queries however many they are."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Set
from typing import Any, Protocol

from ..ledger.kinds import Kind
from ..money import Currency
from ..piggy_banks import store as piggy_banks
from ..storage.unit import Row, Unit
from ..text import fold
from .model import Known, KnownAccount, Named
from .wire import SplitBody


class Naming(Protocol):
    """A body that names accounts, currencies and labels."""

    @property
    def model_fields_set(self) -> set[str]: ...
    @property
    def transactions(self) -> list[SplitBody] | None: ...
    @property
    def tags(self) -> list[str] | None: ...


_ACCOUNT = """
SELECT a.id, a.kind, a.name, a.active, a.iban, a.name_fold, c.id, c.code, c.name, c.symbol, c.places
FROM accounts a JOIN currencies c ON c.id = a.currency_id
"""


def load(db: Unit, user_id: int, bodies: Iterable[Naming]) -> Known:
    return look_up(db, user_id, _named_in(list(bodies)))


def look_up(db: Unit, user_id: int, named: Named) -> Known:
    """Only the tables that are named are asked."""
    by_id, by_name, cash = _accounts(db, user_id, named)
    currencies = _currencies(db, named, {one.currency for one in by_id.values()})
    return Known(
        accounts=by_id,
        accounts_named=by_name,
        cash=cash,
        currencies={one.id: one for one in currencies},
        currencies_coded={one.code: one for one in currencies},
        **_labels(db, user_id, named),
        **_pots(db, user_id, named),
    )


def _labels(db: Unit, user_id: int, named: Named) -> dict[str, Any]:
    """By the names that these have among all that is known."""
    found: dict[str, Any] = {}
    for table, ids, folds in (
        ("categories", named.category_ids, named.category_folds),
        ("budgets", named.budget_ids, named.budget_folds),
        ("bills", named.bill_ids, named.bill_folds),
        ("tags", named.tag_ids, named.tag_folds),
    ):
        if ids or folds:
            found[table] = _of(db, user_id, table, ids, folds)
            found[f"{table}_named"] = {name_fold: one for one, name_fold in found[table].items()}
    return found


def _pots(db: Unit, user_id: int, named: Named) -> dict[str, Any]:
    pots = piggy_banks.named(db, user_id, named.piggy_bank_ids, named.piggy_bank_folds)
    return {
        "piggy_banks": {one.id: one.account_id for one in pots},
        "piggy_banks_named": {one.name_fold: one.id for one in pots},
    }


def _named_in(bodies: list[Naming]) -> Named:
    """Only what was sent is looked at: of thirty fields a transaction has seven or eight."""
    splits = [split for body in bodies for split in body.transactions or ()]
    named: dict[str, set[Any]] = {}
    groups: list[Naming | SplitBody] = [*bodies, *splits]
    for group in groups:
        for field in group.model_fields_set:
            value = getattr(group, field)
            if value and field in _NAMES:
                kind, sought = _NAMES[field]
                named.setdefault(kind, set()).add(sought(value))
    tag_folds = {fold(tag) for body in bodies for tag in body.tags or ()}
    return Named(**named, tag_folds=tag_folds, cash=_needs_cash(splits))


# What each field names, and what is looked up for it.
_NAMES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "source_id": ("account_ids", int),
    "destination_id": ("account_ids", int),
    "source_name": ("account_folds", fold),
    "destination_name": ("account_folds", fold),
    "currency_id": ("currency_ids", int),
    "foreign_currency_id": ("currency_ids", int),
    "currency_code": ("currency_codes", str.upper),
    "foreign_currency_code": ("currency_codes", str.upper),
    "category_id": ("category_ids", int),
    "category_name": ("category_folds", fold),
    "budget_id": ("budget_ids", int),
    "budget_name": ("budget_folds", fold),
    "bill_id": ("bill_ids", int),
    "bill_name": ("bill_folds", fold),
    "piggy_bank_id": ("piggy_bank_ids", int),
    "piggy_bank_name": ("piggy_bank_folds", fold),
}


def _accounts(
    db: Unit, user_id: int, named: Named
) -> tuple[dict[int, KnownAccount], dict[str, list[KnownAccount]], KnownAccount | None]:
    ids, folds = sorted(named.account_ids), sorted(named.account_folds)
    # Only what is asked for: a transaction that names its accounts by id costs a third of the whole question.
    parts = [part for part, asked in ((_BY_ID, ids), (_BY_NAME, folds), (_CASH, named.cash)) if asked]
    by_id: dict[int, KnownAccount] = {}
    by_name: dict[str, list[KnownAccount]] = defaultdict(list)
    for account_id, kind, name, active, iban, name_fold, *currency in _all(
        db, parts, user_id=user_id, ids=ids, folds=folds
    ):
        account = KnownAccount(account_id, Kind(kind), name, active == 1, Currency._make(currency), iban)
        by_id[account_id] = account
        by_name[name_fold].append(account)
    return by_id, by_name, next((one for one in by_id.values() if one.kind == Kind.CASH), None)


_NOT_EXCHANGE = f"a.kind <> '{Kind.EXCHANGE.value}'"
_BY_ID = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.id IN :ids AND {_NOT_EXCHANGE}"
_BY_NAME = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.name_fold IN :folds AND {_NOT_EXCHANGE}"
_CASH = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.kind = '{Kind.CASH.value}'"


def _all(db: Unit, parts: list[str], **parameters: Any) -> list[Row]:
    """The rows of all parts, each once, the oldest first."""
    return db.all(f"{' UNION '.join(parts)} ORDER BY 1", **parameters) if parts else []


def _needs_cash(splits: list[SplitBody]) -> bool:
    """A side that nobody names is the cash account."""
    return any(
        not (split.source_id or split.source_name) or not (split.destination_id or split.destination_name)
        for split in splits
    )


def _currencies(db: Unit, named: Named, met: set[Currency]) -> set[Currency]:
    """Those of the accounts have come with them, and mostly no other is named."""
    ids = sorted(named.currency_ids - {one.id for one in met})
    codes = sorted(named.currency_codes - {one.code for one in met})
    parts = [part for part, asked in ((_CURRENCY_BY_ID, ids), (_CURRENCY_BY_CODE, codes)) if asked]
    return met | {Currency._make(row) for row in _all(db, parts, ids=ids, codes=codes)}


_CURRENCY_BY_ID = "SELECT id, code, name, symbol, places FROM currencies WHERE id IN :ids"
_CURRENCY_BY_CODE = "SELECT id, code, name, symbol, places FROM currencies WHERE code IN :codes"


def _of(db: Unit, user_id: int, table: str, ids: Set[int], folds: Set[str]) -> dict[int, str]:
    """The folds of these names, by id."""
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
    return dict(rows)


def spelled(db: Unit, user_id: int, table: str, ids: Set[int]) -> dict[int, str]:
    """The names of labels or bills as people write them, by id."""
    if not ids:
        return {}
    rows = db.all(
        f"SELECT id, name FROM {table} WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=sorted(ids)
    )
    return dict(rows)


def joined(known: Known, more: Known) -> Known:
    """What was looked up later counts: it may know all accounts of a name, where the other met one by its id."""
    both = {name: {**getattr(known, name), **getattr(more, name)} for name in Known._fields if name != "cash"}
    return Known(**both, cash=known.cash or more.cash)
