"""Shows changes."""

from typing import Any

from msgspec import Struct, field

from farthing.care.changes.compare import ObjectChange
from farthing.care.changes.model import OBJECTS, Change, Image
from farthing.kernel.shown import Instant

# Columns that mean nothing to the user.
_HIDDEN = frozenset(("id", "user_id", "name_fold", "title_fold", "words_key", "longest_word"))


class Counted(Struct, gc=False):
    kind: str
    made: int
    changed: int
    deleted: int


class ChangeAttributes(Struct, gc=False):
    """`doing` is what was asked for: a resource and what to do with it. `counts` is by kind of object.

    `names` is what the objects are called that it was about; empty where there are more than three. `by_id` and `by`
    are the person who did it and their email address; null for what the program did by itself.
    """

    created_at: Instant
    revision: int
    doing: str
    token_id: int | None
    summary: str
    names: list[str]
    counts: list[Counted]
    undoes: str | None
    undone_by: str | None
    by_id: str | None = None
    by: str | None = None


class RevisionShown(Struct, gc=False):
    """`revision` is that of the last change of these books, `email` that of their owner; `role` is what the caller is
    there: `owner` of their own. `is_shared`: several people work in them."""

    revision: int
    books_id: str
    email: str
    role: str
    is_shared: bool


class Touched(Struct, gc=False):
    """One row. `before` is as it was stored: amounts in whole units of the currency; null for what was made then."""

    kind: str
    id: str
    action: str
    name: str | None
    before: dict[str, Any] | None


class WholeChangeAttributes(ChangeAttributes):
    """`objects` are the last thousand at most."""

    objects: list[Touched] = field(default_factory=list)


class FieldDifference(Struct, gc=False):
    """As people write it: amounts with their currency, names instead of ids. Null where there was nothing.

    `part` counts the splits of a transaction, the triggers of a rule and so on, from 1.
    """

    name: str
    part: int | None
    before: str | bool | None
    after: str | bool | None


class ObjectDifference(Struct, gc=False):
    kind: str
    id: str
    name: str | None
    fields: list[FieldDifference]


def show_difference(difference: ObjectChange) -> ObjectDifference:
    fields = [FieldDifference(name=f.name, part=f.part, before=f.before, after=f.after) for f in difference.fields]
    return ObjectDifference(kind=_kind(difference.kind), id=str(difference.id), name=difference.name, fields=fields)


def show(change: Change, names: list[str]) -> ChangeAttributes:
    return ChangeAttributes(**_attributes(change, names))


def show_in_full(change: Change, names: list[str], images: list[Image]) -> WholeChangeAttributes:
    return WholeChangeAttributes(**_attributes(change, names), objects=[_show_touched(image) for image in images])


def _attributes(change: Change, names: list[str]) -> dict[str, Any]:
    kinds = dict.fromkeys(kind for kind, _ in change.counts)
    return {
        "created_at": change.at,
        "revision": change.revision,
        "doing": change.doing,
        "token_id": change.token_id,
        "summary": change.summary,
        "names": names,
        "counts": [
            Counted(
                _kind(kind), *(change.counts.get((kind, action), 0) for action in ("created", "changed", "removed"))
            )
            for kind in sorted(kinds, key=_kind)
        ],
        "undoes": None if change.undoes is None else str(change.undoes),
        "undone_by": None if change.undone_by is None else str(change.undone_by),
        "by_id": None if change.by_id is None else str(change.by_id),
        "by": change.by,
    }


def _show_touched(image: Image) -> Touched:
    before = {name: value for name, value in image.before.items() if name not in _HIDDEN} if image.before else None
    action = {"created": "made", "removed": "deleted"}.get(image.action, image.action)
    return Touched(kind=_kind(image.kind), id=str(image.object_id), action=action, name=image.name, before=before)


def _kind(table: str) -> str:
    return OBJECTS[table][1] if table in OBJECTS else table
