"""Makes conditions on the accounts, labels, files and currencies of transactions."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from farthing.books.currencies import store as currencies
from farthing.books.transactions.counts import LabelFilter
from farthing.ledger.entry import Label
from farthing.ledger.kinds import COUNTERPARTIES, Kind, Type
from farthing.storage.unit import Unit

from ..conditions import NEVER, Condition, Node, Not, Way
from ..streams import StreamSource, of_uncategorised
from ..word_matches import count_splits
from .context import Context, Unreadable, read_flag, read_ids
from .fields import Maker, of_entry
from .texts import How, make_test

# If there are more accounts or labels than this, all transactions are scanned instead.
_SOURCES_MAX = 100
BOTH_SIDES = ("source_id", "destination_id")


def account_name(how: How, sides: Sequence[str]) -> Maker:
    def make(context: Context, value: str) -> Node:
        return _on_accounts(context, _find_named(context, "accounts", how, value), sides)

    return make


def account_number(how: How, sides: Sequence[str]) -> Maker:
    """Compares the IBAN and the account number, without spaces."""

    def make(context: Context, value: str) -> Node:
        fits = make_test(how, value.replace(" ", ""))
        sql = "SELECT id, iban, account_number FROM accounts WHERE user_id = :user_id"
        rows = context.db.all(sql, user_id=context.user_id)
        is_fitting = [(row[0], any(fits(text and text.replace(" ", "")) for text in row[1:])) for row in rows]
        return _on_accounts(context, [account_id for account_id, fits in is_fitting if fits], sides)

    return make


def account_id(sides: Sequence[str]) -> Maker:
    return lambda context, value: _on_accounts(context, read_ids(value), sides)


def account_is_cash(sides: Sequence[str]) -> Maker:
    def make(context: Context, value: str) -> Node:
        sql = "SELECT id FROM accounts WHERE user_id = :user_id AND kind = :kind"
        rows = context.db.all(sql, user_id=context.user_id, kind=Kind.CASH.value)
        node = _on_accounts(context, [account_id for (account_id,) in rows], sides)
        return node if read_flag(value) else Not(node)

    return make


def _on_accounts(context: Context, account_ids: list[int], sides: Sequence[str]) -> Node:
    if not account_ids:
        return NEVER
    sql = " OR ".join(f"splits.{side} IN :account_ids" for side in sides)

    def find_way(db: Unit, user_id: int) -> Way | None:
        if len(account_ids) > _SOURCES_MAX:
            return None
        sources = [
            StreamSource(table="splits", column=side, value=account_id) for account_id in account_ids for side in sides
        ]
        return Way(count_splits(db, user_id, "accounts", account_ids), sources)

    condition = Condition(sql, {"account_ids": account_ids}, find_way=find_way)
    types = _find_types(context, account_ids[0], sides) if len(account_ids) == 1 else None
    if types is None:
        return condition
    return replace(condition, types=types, labelled=LabelFilter("accounts", account_ids[0]), is_span=True)


def _find_types(context: Context, account_id: int, sides: Sequence[str]) -> frozenset[Type] | None:
    """Returns the types of the transactions that have the account on these sides, or None if types do not tell sides.

    Payees receive what is withdrawn, and pay what is deposited.
    """
    if sides == BOTH_SIDES:
        return frozenset(Type)
    sql = "SELECT kind FROM accounts WHERE user_id = :user_id AND id = :id"
    if context.db.value(sql, user_id=context.user_id, id=account_id) not in COUNTERPARTIES:
        return None
    return frozenset({Type.WITHDRAWAL if sides == ("destination_id",) else Type.DEPOSIT})


def _find_named(context: Context, table: str, how: How, value: str) -> list[int]:
    """Finds objects by their names. There are few, so all names are read: SQL cannot ignore accents."""
    hidden = f" AND kind <> '{Kind.EXCHANGE.value}'" if table == "accounts" else ""
    rows = context.db.all(f"SELECT id, name FROM {table} WHERE user_id = :user_id{hidden}", user_id=context.user_id)
    fits = make_test(how, value)
    return [object_id for object_id, name in rows if fits(name)]


_TAGGED = """
EXISTS (SELECT 1 FROM entry_tags t WHERE t.user_id = :user_id AND t.entry_id = splits.entry_id AND {condition})
"""
_LABELLED = {
    "categories": "splits.category_id IN :label_ids",
    "budgets": "splits.budget_id IN :label_ids",
    "bills": of_entry("e.bill_id IN :label_ids"),
    "tags": _TAGGED.format(condition="t.tag_id IN :label_ids"),
}
_SOURCE: dict[str, Callable[[int], StreamSource]] = {
    "categories": lambda label_id: StreamSource(table="splits", column="category_id", value=label_id),
    "budgets": lambda label_id: StreamSource(table="splits", column="budget_id", value=label_id),
    "bills": lambda label_id: StreamSource(table="entries", column="bill_id", value=label_id, entry="id"),
    "tags": lambda label_id: StreamSource(table="entry_tags", column="tag_id", value=label_id),
}
_HAS_LABEL = {
    "categories": "splits.category_id IS NOT NULL",
    "budgets": "splits.budget_id IS NOT NULL",
    "bills": of_entry("e.bill_id IS NOT NULL"),
    "tags": _TAGGED.format(condition="t.tag_id IS NOT NULL"),
}
_SUMMED: dict[str, Label] = {"categories": "categories", "budgets": "budgets", "tags": "tags"}


def label_name(table: str, how: How) -> Maker:
    def make(context: Context, value: str) -> Node:
        label_ids = _find_named(context, table, how, value)
        return _on_labels(table, label_ids) if label_ids else NEVER

    return make


def _on_labels(table: str, label_ids: list[int]) -> Node:
    def find_way(db: Unit, user_id: int) -> Way | None:
        if len(label_ids) > _SOURCES_MAX:
            return None
        # Few transactions pay the same bill.
        number = count_splits(db, user_id, _SUMMED[table], label_ids) if table in _SUMMED else 0
        return Way(number, [_SOURCE[table](label_id) for label_id in label_ids])

    condition = Condition(_LABELLED[table], {"label_ids": label_ids}, find_way=find_way)
    if len(label_ids) > 1 or table not in _SUMMED:
        return condition
    return replace(condition, labelled=LabelFilter(_SUMMED[table], label_ids[0]), is_span=True)


def has_label(table: str, *, any_: bool) -> Maker:
    """Returns an operator for transactions with or without a label. The value `false` means the opposite."""

    def make(_context: Context, value: str) -> Node:
        if read_flag(value) != any_:
            return _without_category() if table == "categories" else Not(Condition(_HAS_LABEL[table]))
        return Condition(_HAS_LABEL[table], find_way=_find_billed if table == "bills" else None)

    return make


def _find_billed(db: Unit, user_id: int) -> Way | None:
    sql = "SELECT id FROM bills WHERE user_id = :user_id LIMIT :most"
    rows = db.all(sql, user_id=user_id, most=_SOURCES_MAX + 1)
    counted = "SELECT 1 FROM entries WHERE user_id = :user_id AND bill_id IS NOT NULL LIMIT 10000"
    number = db.value(f"SELECT COUNT(*) FROM ({counted}) AS counted", user_id=user_id)
    return Way(int(number), [_SOURCE["bills"](row[0]) for row in rows]) if len(rows) <= _SOURCES_MAX else None


def _without_category() -> Node:
    def find_way(db: Unit, user_id: int) -> Way:
        counted = "SELECT SUM(splits) FROM {table} WHERE user_id = :user_id AND grain = 'all'"
        labelled = "AND label_id IN (SELECT id FROM categories WHERE user_id = :user_id)"
        everything = db.value(counted.format(table="counts"), user_id=user_id)
        categorised = db.value(f"{counted.format(table='sums_of_categories')} {labelled}", user_id=user_id)
        return Way(int(everything or 0) - int(categorised or 0), of_uncategorised(user_id))

    return Condition("splits.category_id IS NULL", find_way=find_way)


HAS_FILES = """
EXISTS (
    SELECT 1 FROM attachments a
    WHERE a.user_id = :user_id AND a.entry_id = splits.entry_id AND a.uploaded_at IS NOT NULL
)
"""


HAVING_FILES = """
SELECT entry_id FROM attachments WHERE user_id = :user_id AND entry_id IS NOT NULL AND uploaded_at IS NOT NULL
"""


def currency(column: str) -> Maker:
    """Compares the currency, by code, id or name."""

    def make(context: Context, value: str) -> Node:
        word = value.strip()
        ids = [
            one.id
            for one in currencies.all_coded(context.db).values()
            if word.upper() == one.code or word == str(one.id) or word.casefold() == one.name.casefold()
        ]
        if not ids:
            raise Unreadable("needs the code, the id or the name of a currency")
        way = _find_foreign if column == "foreign_currency_id" else partial(_find_in_currency, ids)
        return Condition(f"splits.{column} IN :ids", {"ids": ids}, find_way=way)

    return make


def _find_foreign(db: Unit, user_id: int) -> Way:
    """Reads the splits with a foreign currency, which are few and have an index. In its order, SQLite counts by it."""
    sql = """
        SELECT COUNT(*) FROM (
            SELECT 1 FROM splits WHERE user_id = :user_id AND foreign_currency_id IS NOT NULL
            ORDER BY on_day DESC, entry_id DESC LIMIT 10000
        ) AS counted
    """
    number = db.value(sql, user_id=user_id)
    source = StreamSource(table="splits", column="user_id", value=user_id, only="foreign_currency_id IS NOT NULL")
    return Way(int(number), [source])


def _find_in_currency(currency_ids: list[int], db: Unit, user_id: int) -> Way | None:
    """Reads the accounts with a balance in the currency, and the splits that both accounts book in another one."""
    rows = db.all(
        """
        SELECT a.id FROM accounts a WHERE a.user_id = :user_id AND EXISTS (
            SELECT 1 FROM balances b
            WHERE b.user_id = a.user_id AND b.account_id = a.id AND b.currency_id IN :ids AND b.grain = 'all'
        ) LIMIT :most
        """,
        user_id=user_id,
        ids=currency_ids,
        most=_SOURCES_MAX + 1,
    )
    account_ids = [account_id for (account_id,) in rows]
    if len(account_ids) > _SOURCES_MAX:
        return None
    foreign = _find_foreign(db, user_id)
    sources = [
        StreamSource(table="splits", column=side, value=account_id) for account_id in account_ids for side in BOTH_SIDES
    ]
    return Way(count_splits(db, user_id, "accounts", account_ids) + foreign.number, [*sources, *foreign.sources])
