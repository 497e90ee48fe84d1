"""Shows changes."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from farthing.care.changes.compare import ObjectChange
from farthing.care.changes.model import OBJECTS, Change, Image
from farthing.care.changes.preview import UndoPreview
from farthing.kernel.money import Currency
from farthing.kernel.shown import Instant, Number, number, show_as

# These columns are not shown, because they mean nothing to the user, or are secret.
_HIDDEN = frozenset(("id", "user_id", "name_fold", "title_fold", "words_key", "longest_word", "secret"))


class Counted(Struct, gc=False):
    kind: str
    made: int
    changed: int
    deleted: int


class ChangeAttributes(Struct, gc=False):
    """`doing` names the resource and the action. `counts` counts the affected objects by kind.

    `names` lists the names of the main objects, and is empty if there are more than three. `by_id` and `by` are the id
    and the email address of the user who made the change; both are null if no user made it.
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
    """`revision` is the revision of the last change to these books, and `email` is the address of their owner.

    `role` is your role in these books; it is `owner` in your own. `is_shared` is true if several people use them.
    """

    revision: int
    books_id: str
    email: str
    role: str
    is_shared: bool


class Touched(Struct, gc=False):
    """`before` is the object as it was stored before the change, with amounts in the smallest units of the currency.

    `before` is null if the change created the object.
    """

    kind: str
    id: str
    action: str
    name: str | None
    before: dict[str, Any] | None


class WholeChangeAttributes(ChangeAttributes):
    """`objects` lists the affected objects in reverse order, at most a thousand of them."""

    objects: list[Touched] = field(default_factory=list)


class UndoneChange(Struct, gc=False):
    id: str
    created_at: Instant
    summary: str
    names: list[str]
    by: str | None


class UndoneObject(Struct, gc=False):
    """Shows what the undo does to an object: `made` if it is created again, and otherwise `deleted` or `changed`.

    `id` is the id in the object's address. It is null if the object does not exist at present.
    """

    kind: str
    id: str | None
    name: str | None
    action: str


class UndoneSum(Struct, gc=False):
    """Shows the sum of the affected transactions in one currency, and their number."""

    currency_code: str
    currency_decimal_places: int
    amount: Number
    transactions: int


class UndoShown(Struct, gc=False):
    """`changes` are undone in this order, the change itself last. If there are several, `with_later=1` is required.

    `reason` says why a plain undo would be refused; it is null if no reason is known. `is_possible` is false if the
    change can never be undone. `objects` lists at most a hundred of the affected objects; `counts` counts all of them.
    `import_job_id` is the import that the change belongs to, if any.
    """

    is_possible: bool
    reason: str | None
    changes: list[UndoneChange]
    objects: list[UndoneObject]
    counts: list[Counted]
    sums: list[UndoneSum]
    import_job_id: str | None


class FieldDifference(Struct, gc=False):
    """Shows readable values: amounts with their currency, and names instead of ids. An empty value is null.

    If the field belongs to a part of the object, such as a split or a trigger, `part` is the number of this part,
    starting at 1.
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
    fields = [show_as(FieldDifference, changed) for changed in difference.fields]
    return ObjectDifference(kind=_kind(difference.kind), id=str(difference.id), name=difference.name, fields=fields)


def show_undo(
    shown: UndoPreview, reason: str | None, names: Mapping[int, list[str]], currencies: Mapping[int, Currency]
) -> UndoShown:
    import_job_id = shown.changes[-1].import_job_id if shown.changes else None
    return UndoShown(
        is_possible=shown.reason is None,
        reason=reason,
        changes=[
            UndoneChange(
                id=str(change.id),
                created_at=change.at,
                summary=change.summary,
                names=names.get(change.revision, []),
                by=change.by,
            )
            for change in shown.changes
        ],
        objects=[
            UndoneObject(
                kind=_kind(each.kind),
                id=None if each.address is None else str(each.address),
                name=each.name,
                action=each.action,
            )
            for each in shown.objects
        ],
        counts=[show_as(Counted, each, kind=_kind(each.kind)) for each in shown.counts],
        sums=[
            UndoneSum(
                currency_code=currencies[each.currency_id].code,
                currency_decimal_places=currencies[each.currency_id].places,
                amount=number(each.units, currencies[each.currency_id].places),
                transactions=each.transactions,
            )
            for each in shown.sums
        ],
        import_job_id=None if import_job_id is None else str(import_job_id),
    )


def show(change: Change, names: list[str]) -> ChangeAttributes:
    return show_as(ChangeAttributes, change, **_attributes(change, names))


def show_in_full(change: Change, names: list[str], images: list[Image]) -> WholeChangeAttributes:
    objects = [_show_touched(image) for image in images]
    return show_as(WholeChangeAttributes, change, **_attributes(change, names), objects=objects)


def _attributes(change: Change, names: list[str]) -> dict[str, Any]:
    kinds = dict.fromkeys(kind for kind, _ in change.counts)
    counts = [
        Counted(_kind(kind), *(change.counts.get((kind, action), 0) for action in ("created", "changed", "removed")))
        for kind in sorted(kinds, key=_kind)
    ]
    ids = {name: getattr(change, name) for name in ("undoes", "undone_by", "by_id")}
    return {
        "created_at": change.at,
        "names": names,
        "counts": counts,
        **{name: None if value is None else str(value) for name, value in ids.items()},
    }


def _show_touched(image: Image) -> Touched:
    before = {name: value for name, value in image.before.items() if name not in _HIDDEN} if image.before else None
    action = {"created": "made", "removed": "deleted"}.get(image.action, image.action)
    return Touched(kind=_kind(image.kind), id=str(image.object_id), action=action, name=image.name, before=before)


def _kind(table: str) -> str:
    return OBJECTS[table][1] if table in OBJECTS else table
