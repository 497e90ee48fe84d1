"""Which transactions are left when a list is narrowed? By labels, accounts, bills, types, days and amounts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from ..currencies import store as currencies
from ..ledger.entry import Label
from ..ledger.kinds import Type
from ..storage.unit import Unit
from .counts import Book, Days, Labelled, total
from .streams import Source, of_account, of_types


@dataclass(frozen=True)
class Narrowed:
    """What must hold of one and the same split; the tag and the bill are those of its transaction.

    Amounts are compared with a split's own amount and with its foreign one, each in its currency.
    """

    types: frozenset[Type] = frozenset(Type)
    days: Days = field(default_factory=Days)
    account_id: int | None = None
    category_id: int | None = None
    budget_id: int | None = None
    tag_id: int | None = None
    bill_id: int | None = None
    lowest: Decimal | None = None
    highest: Decimal | None = None

    @cached_property
    def _of_split(self) -> dict[str, Any]:
        wanted = {
            "category_id = :category_id": self.category_id,
            "budget_id = :budget_id": self.budget_id,
            "(source_id = :account_id OR destination_id = :account_id)": self.account_id,
            "type IN :types": None if self.types == frozenset(Type) else sorted(map(int, self.types)),
        }
        return {condition: value for condition, value in wanted.items() if value is not None}

    @property
    def asks_amounts(self) -> bool:
        return self.lowest is not None or self.highest is not None

    @property
    def is_any(self) -> bool:
        """Does it leave everything?"""
        return self == Narrowed(days=self.days)

    def holds(self, amounts: Sequence[tuple[int | None, int | None]]) -> bool:
        """Amounts in units, with the decimal places of their currency."""
        return any(
            (self.lowest is None or units >= self.lowest.scaleb(places))
            and (self.highest is None or units <= self.highest.scaleb(places))
            for units, places in amounts
            if units is not None and places is not None
        )


def leads(db: Unit, user_id: int, narrowed: Narrowed) -> list[tuple[int, list[Source]]]:
    """By what its entries could be found, and about how many that would be; from kept counts."""
    found = [(_number(db, Book(user_id, narrowed.types)), of_types(sorted(narrowed.types)))]
    if narrowed.account_id:
        found.append((_number(db, Book(user_id, narrowed.types, narrowed.account_id)), of_account(narrowed.account_id)))
    labels: tuple[tuple[Label, int | None, Source], ...] = (
        ("categories", narrowed.category_id, Source("splits", "category_id", narrowed.category_id or 0)),
        ("budgets", narrowed.budget_id, Source("splits", "budget_id", narrowed.budget_id or 0)),
        ("tags", narrowed.tag_id, Source("entry_tags", "tag_id", narrowed.tag_id or 0)),
    )
    for label, label_id, source in labels:
        if label_id:
            book = Book(user_id, narrowed.types, labelled=Labelled(label, label_id))
            found.append((_number(db, book), [source]))
    if narrowed.bill_id:  # few pay one and the same bill
        found.append((0, [Source("entries", "bill_id", narrowed.bill_id, "id")]))
    return found


def _number(db: Unit, book: Book) -> int:
    return total(db, book, Days())


def fitting(db: Unit, user_id: int, narrowed: Narrowed, entry_ids: list[int]) -> set[int]:
    """Those of these entries that it leaves."""
    kept = set(entry_ids)
    if narrowed.tag_id:
        kept &= _ids(db, _TAGGED, user_id=user_id, entry_ids=sorted(kept), wanted=narrowed.tag_id)
    if narrowed.bill_id:
        kept &= _ids(db, _BILLED, user_id=user_id, entry_ids=sorted(kept), wanted=narrowed.bill_id)
    if narrowed._of_split or narrowed.asks_amounts:
        kept &= _by_split(db, user_id, narrowed, sorted(kept))
    return kept


_TAGGED = "SELECT entry_id FROM entry_tags WHERE user_id = :user_id AND entry_id IN :entry_ids AND tag_id = :wanted"
_BILLED = "SELECT id FROM entries WHERE user_id = :user_id AND id IN :entry_ids AND bill_id = :wanted"


def _ids(db: Unit, statement: str, **parameters: Any) -> set[int]:
    return {entry_id for (entry_id,) in db.all(statement, **parameters)}


def _by_split(db: Unit, user_id: int, narrowed: Narrowed, entry_ids: list[int]) -> set[int]:
    names = ("category_id", "budget_id", "account_id")
    conditions = "".join(f" AND {condition}" for condition in narrowed._of_split)
    rows = db.all(
        f"""
        SELECT entry_id, units, currency_id, foreign_units, foreign_currency_id FROM splits
        WHERE user_id = :user_id AND entry_id IN :entry_ids{conditions}
        """,
        user_id=user_id,
        entry_ids=entry_ids,
        **{name: getattr(narrowed, name) for name in names if getattr(narrowed, name) is not None},
        **({"types": sorted(map(int, narrowed.types))} if ":types" in conditions else {}),
    )
    if not narrowed.asks_amounts:
        return {row[0] for row in rows}
    known = currencies.by_ids(db, {one for row in rows for one in (row[2], row[4]) if one})
    places = {currency_id: currency.places for currency_id, currency in known.items()}
    return {row[0] for row in rows if narrowed.holds([(row[1], places[row[2]]), (row[3], places.get(row[4]))])}
