"""Looks up everything that transactions refer to, with a few queries for any number of transactions."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache
from typing import Any

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.kinds import Kind
from farthing.storage.unit import Answer, Row, Unit, columns_of

from ..piggy_banks import store as piggy_banks
from ..transactions.model import KnownAccount, Lookup, LookupRequest
from .inputs import ReferringInput, SplitInput


class _NamedAccount(Struct, frozen=True):
    name_fold: str
    account: KnownAccount


_ACCOUNT = f"""
SELECT a.id, a.kind, a.name, a.active, a.iban, a.name_fold, {columns_of(Currency, "c", "currency")}
FROM accounts a JOIN currencies c ON c.id = a.currency_id
"""


def load(db: Unit, user_id: int, bodies: Iterable[ReferringInput]) -> Lookup:
    return look_up(db, user_id, _gather_all(list(bodies)))


def look_up(db: Unit, user_id: int, named: LookupRequest) -> Lookup:
    """Looks up the requested ids and names. Queries only the tables that are needed."""
    currencies: dict[int, Currency] = {}
    asked_accounts, asked_labels = _ask_accounts(db, user_id, named), _ask_labels(db, user_id, named)
    pots = _pots(db, user_id, named)
    by_id, by_name, cash = _accounts(asked_accounts, named, currencies)
    coded = _currencies(db, named, currencies)
    return Lookup(
        accounts=by_id,
        accounts_named=by_name,
        cash=cash,
        currencies=currencies,
        currencies_coded=coded,
        **_labels(asked_labels),
        **pots,
    )


def _ask_labels(db: Unit, user_id: int, named: LookupRequest) -> dict[str, Answer[Row]]:
    return {
        table: _ask_folds(db, user_id, table, ids, folds)
        for table, ids, folds in (
            ("categories", named.category_ids, named.category_folds),
            ("budgets", named.budget_ids, named.budget_folds),
            ("bills", named.bill_ids, named.bill_folds),
            ("tags", named.tag_ids, named.tag_folds),
        )
        if ids or folds
    }


def _labels(answers: Mapping[str, Answer[Row]]) -> dict[str, Any]:
    """Returns the labels, keyed by the fields of `Lookup` that hold them."""
    labels: dict[str, Any] = {}
    for table, folds in answers.items():
        labels[table] = dict(folds.rows())
        labels[f"{table}_named"] = {name_fold: label_id for label_id, name_fold in labels[table].items()}
    return labels


def _pots(db: Unit, user_id: int, named: LookupRequest) -> dict[str, Any]:
    if not named.piggy_bank_ids and not named.piggy_bank_folds:
        return {}
    pots = piggy_banks.find_named(db, user_id, named.piggy_bank_ids, named.piggy_bank_folds)
    account_ids: dict[int, set[int]] = defaultdict(set)
    for piggy_bank in pots:
        account_ids[piggy_bank.id].add(piggy_bank.account_id)
    return {
        "piggy_banks": account_ids,
        "piggy_banks_named": {piggy_bank.name_fold: piggy_bank.id for piggy_bank in pots},
    }


def _gather_all(bodies: list[ReferringInput]) -> LookupRequest:
    named: dict[str, set[Any]] = {}
    needs_cash = False
    for body in bodies:
        _gather(body, named)
        if body.tags:
            named.setdefault("tag_folds", set()).update(map(fold, body.tags))
        for split in body.transactions or ():
            _gather(split, named)
            needs_cash = needs_cash or _needs_cash(split)
    return LookupRequest(**named, cash=needs_cash)


def _gather(group: ReferringInput | SplitInput, named: dict[str, set[Any]]) -> None:
    """Collects the references in a body.

    To save time, reads only the fields that were sent, usually eight of thirty.
    """
    values = vars(group)
    for field in group.model_fields_set:
        value = values[field]
        if value and field in _NAMES:
            kind, sought = _NAMES[field]
            named.setdefault(kind, set()).add(sought(value))


# The field of `LookupRequest` for each field of a body, and how its value is normalized.
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


_Accounts = tuple[dict[int, KnownAccount], dict[str, list[KnownAccount]], KnownAccount | None]


def _ask_accounts(db: Unit, user_id: int, named: LookupRequest) -> Answer[_NamedAccount] | None:
    query = _accounts_query(bool(named.account_ids), bool(named.account_folds), named.cash)
    if not query:
        return None
    return db.ask_structs(
        _NamedAccount, query, user_id=user_id, ids=sorted(named.account_ids), folds=sorted(named.account_folds)
    )


def _accounts(answer: Answer[_NamedAccount] | None, named: LookupRequest, currencies: dict[int, Currency]) -> _Accounts:
    """Returns the accounts by id, the accounts by name, and the cash account if it was requested.

    Adds the currencies of the accounts to `currencies`.
    """
    by_id: dict[int, KnownAccount] = {}
    by_name: dict[str, list[KnownAccount]] = defaultdict(list)
    for named_account in answer.rows() if answer else ():
        account = named_account.account
        currencies[account.currency.id] = account.currency
        by_id[account.id] = account
        by_name[named_account.name_fold].append(account)
    cash = next((account for account in by_id.values() if account.kind == Kind.CASH), None) if named.cash else None
    return by_id, by_name, cash


_NOT_EXCHANGE = f"a.kind <> '{Kind.EXCHANGE.value}'"
_BY_ID = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.id IN :ids AND {_NOT_EXCHANGE}"
_BY_NAME = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.name_fold IN :folds AND {_NOT_EXCHANGE}"
_CASH = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.kind = '{Kind.CASH.value}'"


@cache
def _accounts_query(by_id: bool, by_name: bool, cash: bool) -> str:
    """Writes a query that contains only the parts that are needed. A query by ids alone takes a third of the time."""
    return _union((_BY_ID, by_id), (_BY_NAME, by_name), (_CASH, cash))


def _union(*parts: tuple[str, bool]) -> str:
    """Joins the needed parts into one query, which returns the oldest rows first."""
    chosen = [part for part, is_asked in parts if is_asked]
    return f"{' UNION '.join(chosen)} ORDER BY 1" if chosen else ""


def _needs_cash(split: SplitInput) -> bool:
    """Tells whether the source or the destination has neither id nor name, which means the cash account."""
    return not (split.source_id or split.source_name) or not (split.destination_id or split.destination_name)


def _currencies(db: Unit, named: LookupRequest, met: dict[int, Currency]) -> dict[str, Currency]:
    """Returns the requested currencies by code. `met` holds the currencies that are already loaded; this function adds
    the others.

    Usually nothing needs to be loaded, because transactions are in the currencies of their accounts.
    """
    coded = {currency.code: currency for currency in met.values()}
    ids, codes = named.currency_ids - met.keys(), named.currency_codes - coded.keys()
    if ids or codes:
        sql = _union((_CURRENCY_BY_ID, bool(ids)), (_CURRENCY_BY_CODE, bool(codes)))
        for currency in db.structs(Currency, sql, ids=sorted(ids), codes=sorted(codes)):
            met[currency.id] = coded[currency.code] = currency
    return coded


_CURRENCY_BY_ID = "SELECT id, code, name, symbol, places FROM currencies WHERE id IN :ids"
_CURRENCY_BY_CODE = "SELECT id, code, name, symbol, places FROM currencies WHERE code IN :codes"


def _ask_folds(db: Unit, user_id: int, table: str, ids: Set[int], folds: Set[str]) -> Answer[Row]:
    """Asks for the requested labels, as pairs of id and folded name."""
    sql = f"""
        SELECT id, name_fold FROM {table} WHERE user_id = :user_id AND id IN :ids
        UNION
        SELECT id, name_fold FROM {table} WHERE user_id = :user_id AND name_fold IN :folds
    """
    return db.ask(sql, user_id=user_id, ids=sorted(ids), folds=sorted(folds))


def join(lookup: Lookup, more: Lookup) -> Lookup:
    """Merges two lookups.

    `more` takes precedence, because it may have all accounts with a name, while `lookup` may have only one of them,
    found by id.
    """
    both = {
        name: {**getattr(lookup, name), **getattr(more, name)} for name in Lookup.__struct_fields__ if name != "cash"
    }
    return Lookup(**both, cash=lookup.cash or more.cash)
