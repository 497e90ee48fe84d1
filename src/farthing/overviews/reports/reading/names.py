"""Names the labels of a report, and joins labels that share a row."""

from collections.abc import Collection

from msgspec import Struct

from farthing.storage.unit import Unit

from .model import Dimension
from .stored_sums import table_of


class RowLabel(Struct, frozen=True):
    id: int
    name: str
    name_fold: str
    parent_id: int | None = None


class RowName(Struct, frozen=True):
    """The labels of one row, named after the first."""

    label: RowLabel
    label_ids: tuple[int, ...]


def load(db: Unit, user_id: int, dimension: Dimension, label_ids: Collection[int]) -> list[RowLabel]:
    table = table_of(dimension)
    parent = "parent_id" if dimension is Dimension.CATEGORY else "NULL AS parent_id"
    return db.structs(
        RowLabel,
        f"SELECT id, name, name_fold, {parent} FROM {table} WHERE user_id = :user_id AND id IN :ids ORDER BY id",
        user_id=user_id,
        ids=sorted(label_ids),
    )


def join_payees(names: list[RowLabel]) -> list[RowName]:
    """Joins accounts of the same name into one payee, so that a refund lowers the spending there."""
    joined: dict[str, list[RowLabel]] = {}
    for name in names:
        joined.setdefault(name.name_fold, []).append(name)
    return [RowName(label=of[0], label_ids=tuple(name.id for name in of)) for of in joined.values()]


def fold_children(db: Unit, user_id: int, names: list[RowLabel]) -> list[RowName]:
    """Joins sub-categories with their parents."""
    parents = {name.parent_id for name in names if name.parent_id} - {name.id for name in names}
    by_id = {name.id: name for name in [*names, *load(db, user_id, Dimension.CATEGORY, parents)]}
    joined: dict[int, list[int]] = {}
    for name in names:
        joined.setdefault(name.parent_id or name.id, []).append(name.id)
    return [RowName(label=by_id[label_id], label_ids=tuple(of)) for label_id, of in joined.items()]


def keep_apart(names: list[RowLabel]) -> list[RowName]:
    return [RowName(label=name, label_ids=(name.id,)) for name in names]
