"""Names the labels of a report, and joins those that are shown as one row."""

from collections.abc import Collection

from msgspec import Struct

from farthing.storage.unit import Unit

from .kept import table_of
from .model import Dimension


class LabelName(Struct, frozen=True):
    id: int
    name: str
    name_fold: str
    parent_id: int | None = None


class RowName(Struct, frozen=True):
    """The labels of one row, by the name of the first."""

    label: LabelName
    label_ids: tuple[int, ...]


def load(db: Unit, user_id: int, dimension: Dimension, label_ids: Collection[int]) -> list[LabelName]:
    table = table_of(dimension)
    parent = "parent_id" if dimension is Dimension.CATEGORY else "NULL AS parent_id"
    return db.structs(
        LabelName,
        f"SELECT id, name, name_fold, {parent} FROM {table} WHERE user_id = :user_id AND id IN :ids ORDER BY id",
        user_id=user_id,
        ids=sorted(label_ids),
    )


def join_payees(names: list[LabelName]) -> list[RowName]:
    """Accounts of the same name are one payee, so that a refund lowers what was spent there."""
    joined: dict[str, list[LabelName]] = {}
    for one in names:
        joined.setdefault(one.name_fold, []).append(one)
    return [RowName(label=of[0], label_ids=tuple(one.id for one in of)) for of in joined.values()]


def fold_children(db: Unit, user_id: int, names: list[LabelName]) -> list[RowName]:
    """Sub-categories count under their parents."""
    parents = {one.parent_id for one in names if one.parent_id} - {one.id for one in names}
    known = {one.id: one for one in [*names, *load(db, user_id, Dimension.CATEGORY, parents)]}
    joined: dict[int, list[int]] = {}
    for one in names:
        joined.setdefault(one.parent_id or one.id, []).append(one.id)
    return [RowName(label=known[label_id], label_ids=tuple(of)) for label_id, of in joined.items()]


def keep_apart(names: list[LabelName]) -> list[RowName]:
    return [RowName(label=one, label_ids=(one.id,)) for one in names]
