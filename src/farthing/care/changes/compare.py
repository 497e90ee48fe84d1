"""Compares the objects that a change touched, before and after it, field by field."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct

from farthing.books.accounts import store as accounts
from farthing.books.currencies import store as currencies
from farthing.kernel.money import Currency, as_text
from farthing.ledger.kinds import Type
from farthing.storage.change_log import restoring
from farthing.storage.unit import Unit

from . import object_names, store
from .fields import FIELDS, PARTS, Field, FieldKind
from .model import Image

# How many rows of a change are compared at most, and how many of their later images are read.
ROWS_MAX, LATER_MAX = 200, 5000

# Parts of which an object has only one, or whose order means nothing.
_UNNUMBERED = ("carry_releases", "entry_tags", "entry_details", "piggy_bank_shares")
# Columns that hold a currency.
_CURRENCIES = ("currency_id", "foreign_currency_id", "from_currency_id", "to_currency_id")

Values = Mapping[str, Any]
Key = tuple[str, int]  # table and id
PartKey = tuple[str, int, bool]  # table and position, and whether another part has the same position
Shown = str | bool | None


class FieldChange(Struct, frozen=True):
    """Describes how one field has changed. `part` numbers the splits, triggers and so on of an object, from 1."""

    name: str
    part: int | None
    before: Shown
    after: Shown


class ObjectChange(Struct, frozen=True):
    kind: str
    id: int
    name: str | None
    fields: list[FieldChange]


class _Row(Struct, frozen=True):
    """Holds a row as it was before and after a change. Either is None if the row did not exist then."""

    before: Values | None
    after: Values | None

    @property
    def either(self) -> Values:
        return self.before or self.after or {}


def compare(db: Unit, user_id: int, revision: int) -> list[ObjectChange]:
    """Lists what a change altered. For a very large change, lists only the rows that were written last."""
    rows = _read_rows(db, user_id, revision)
    objects = _group(rows)
    formatter = _ValueFormatter(db, user_id, rows.values())
    names = object_names.find_names(db, user_id, set(objects))
    return [
        ObjectChange(kind=table, id=object_id, name=names.get((table, object_id)), fields=formatter.list_changes(parts))
        for (table, object_id), parts in objects.items()
    ]


def _read_rows(db: Unit, user_id: int, revision: int) -> dict[Key, _Row]:
    first: dict[Key, Image] = {}
    for image in store.images(db, user_id, revision, kinds=FIELDS, limit=ROWS_MAX):
        first[image.kind, image.object_id] = image  # listed newest first, so the oldest image remains
    before: dict[Key, Values | None] = {key: image.before for key, image in first.items()}
    revision = max(store.list_parts(db, user_id, [revision]))
    made = [entry_id for (table, entry_id), row in before.items() if table == "entries" and row is None]
    if made:  # for a new entry, the log does not list its splits
        splits = store.find_splits_of(db, user_id, made, revision, limit=LATER_MAX)
        before = {**{("splits", split_id): None for split_id in splits}, **before}
    after = _read_after(db, user_id, revision, before)
    return {key: _Row(before=row, after=after.get(key)) for key, row in before.items()}


def _read_after(db: Unit, user_id: int, revision: int, keys: Iterable[Key]) -> dict[Key, Values]:
    """Reconstructs the rows as they were after the change, from the current rows and the images of later changes."""
    ids: dict[str, list[int]] = defaultdict(list)
    for table, row_id in keys:
        ids[table].append(row_id)
    after: dict[Key, Values] = {}
    for table, some in ids.items():
        later = store.images_since(db, user_id, table, some, revision, limit=LATER_MAX)
        columns = [*dict.fromkeys(name for field in FIELDS[table] for name in (field.column, field.currency) if name)]
        if table in PARTS:
            columns = [*dict.fromkeys((*columns, PARTS[table].parent, PARTS[table].position))]
        for row_id, values in store.rows_now(db, user_id, table, some, columns).items():
            after[table, row_id] = values
        for image in reversed(later):  # applied newest first, so that the image closest to the change prevails
            key = (table, image.object_id)
            if image.before is None:
                after.pop(key, None)
            else:
                after[key] = {**after.get(key, {}), **image.before}
    return after


def _group(rows: Mapping[Key, _Row]) -> dict[Key, dict[PartKey, _Row]]:
    """Groups rows by object, with the object's own row first, then its parts in order.

    If a part was deleted and another created at the same position, they are treated as one part that has changed. A
    part that was created at the former position of one that has moved remains a part of its own.
    """
    objects: dict[Key, dict[PartKey, _Row]] = defaultdict(dict)
    for (table, row_id), row in rows.items():
        part = PARTS.get(table)
        if part is None:
            objects[table, row_id][table, -1, False] = row
        elif part.parent in row.either:
            number = _number_of(row.either[part.position])
            of_object = objects[part.table, int(row.either[part.parent])]
            other = of_object.get((table, number, False))
            if other and ((other.before and row.before) or (other.after and row.after)):
                of_object[table, number, True] = row
            else:
                joined = other and _Row(before=other.before or row.before, after=other.after or row.after)
                of_object[table, number, False] = joined or row
    tables = [*PARTS]
    return {
        key: dict(
            sorted(parts.items(), key=lambda part: (part[0][0] in PARTS and tables.index(part[0][0]), part[0][1]))
        )
        for key, parts in objects.items()
    }


def _number_of(position: int | str) -> int:
    """Returns a number by which parts are sorted. For parts that are identified by a date, the number is the day."""
    return position if isinstance(position, int) else date.fromisoformat(position).toordinal()


class _ValueFormatter:
    """Formats values for people: amounts with their currency, and names instead of ids."""

    def __init__(self, db: Unit, user_id: int, rows: Iterable[_Row]) -> None:
        values = [value for row in rows for value in (row.before, row.after) if value]
        account_ids = sorted({int(value["account_id"]) for value in values if value.get("account_id")})
        self._of_accounts = _find_currencies(db, user_id, account_ids) if account_ids else {}
        currency_ids = {int(value[name]) for value in values for name in _CURRENCIES if value.get(name)}
        self._currencies = currencies.by_ids(db, currency_ids | set(self._of_accounts.values()))
        self._names = object_names.find_names(
            db,
            user_id,
            {
                (field.table, int(value[field.column]))
                for fields in FIELDS.values()
                for field in fields
                if field.kind is FieldKind.NAME
                for value in values
                if value.get(field.column)
            },
        )

    def list_changes(self, parts: Mapping[PartKey, _Row]) -> list[FieldChange]:
        numbers: dict[str, int] = defaultdict(int)
        changes = []
        for (table, number, _), row in parts.items():
            numbers[table] += 1
            part = None if number < 0 or table in _UNNUMBERED else number + 1 if table == "splits" else numbers[table]
            for field in FIELDS[table]:
                before, after = self._show(field, row.before), self._show(field, row.after)
                if before != after:
                    changes.append(FieldChange(name=field.name, part=part, before=before, after=after))
        return changes

    def _show(self, field: Field, row: Values | None) -> Shown:
        value = row.get(field.column) if row else None
        if row is None or value is None:
            return None
        match field.kind:
            case FieldKind.FLAG:
                return bool(value)
            case FieldKind.LIST:
                return ", ".join(map(str, msgspec.json.decode(value)))
            case FieldKind.JSON:
                return _show_json(msgspec.json.decode(value))
            case FieldKind.TYPE:
                return Type(value).label
            case FieldKind.CURRENCY:
                return self._currencies[int(value)].code
            case FieldKind.AMOUNT:
                currency = self._find_currency(field, row)
                return f"{as_text(int(value), currency.places)} {currency.code}" if currency else str(value)
            case FieldKind.NAME:
                return self._names.get((field.table, int(value)))
            case FieldKind.TEXT:
                return str(value)

    def _find_currency(self, field: Field, row: Values) -> Currency | None:
        key = row.get(field.currency)
        if key is not None and field.currency == "account_id":
            key = self._of_accounts.get(int(key))
        return None if key is None else self._currencies.get(int(key))


def _find_currencies(db: Unit, user_id: int, account_ids: list[int]) -> dict[int, int]:
    """Finds the currencies of accounts, including deleted ones."""
    currency_of = accounts.currencies(db, user_id, account_ids)
    deleted = [account_id for account_id in account_ids if account_id not in currency_of]
    if not deleted:
        return currency_of
    return {**currency_of, **restoring.read_former_at(db, user_id, 0, "accounts", "currency_id", deleted)}


def _show_json(value: Any) -> str:
    """Formats a JSON value: texts without quotes, the items of lists, and the names of objects."""
    if isinstance(value, list):
        return ", ".join(map(_show_json, value))
    if isinstance(value, dict) and "name" in value:
        return str(value["name"])
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
