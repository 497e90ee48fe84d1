"""Serves the change log, and undoes changes."""

from collections.abc import Sequence
from typing import Any

from farthing.books.currencies import store as currencies
from farthing.books.preferences.model import NOTICES
from farthing.care.changes import compare, object_names, preview, rights, store
from farthing.care.changes.model import KINDS, Change, Image
from farthing.http.answer.document import All, Item, Thing
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, Parameter, Route
from farthing.identity.sharing import members
from farthing.identity.sharing.members import OWNER
from farthing.identity.user import Share
from farthing.kernel.errors import Conflict, Forbidden, Invalid, refuse_field
from farthing.moving.import_runs import undo

from ..resources.lists import make_thing
from ..resources.resource import Resource
from . import wire

ChangeThing = Thing[wire.ChangeAttributes]
WholeChangeThing = Thing[wire.WholeChangeAttributes]
UNDO_THIS = (
    "undo this change, because it affects preferences, webhooks, or accounts that somebody else created or deleted"
)
OWNER_ONLY = (
    "Only the owner of these books, without a token with scopes, may undo this change, because it affects settings of"
    " notices, or a webhook that tells of sign-ins."
)
_SHOWN_MAX = 1000


def index(call: Call) -> Answer:
    """Lists all changes, or only those of one kind of object, of one object or with one revision."""
    at, kind, revision = read_page_request(call), call.query.get("kind", ""), call.number("revision")
    if revision is not None:
        changes = store.list_of_revision(call.db, call.user_id, revision)
        total = len(changes)
    elif not kind:
        total, changes = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    else:
        total, changes = store.page_of(
            call.db, call.user_id, _table(kind), _object_id(call, kind), limit=at.size, offset=at.offset
        )
    names = object_names.load_names(call.db, call.user_id, changes)
    things = [_thing(call, change, wire.show(change, names[change.revision])) for change in changes]
    filters = {name: call.query.get(name, "") for name in ("kind", "object_id", "revision")}
    return Answer(page(call, "/changes", things, total, filters))


def diff(call: Call) -> Answer:
    change = _CHANGES.find(call)
    compared = compare.compare(call.db, call.user_id, change.revision)
    differences = [difference for difference in compared if _may_see(call, difference.kind, difference.name)]
    return Answer(All([wire.show_difference(difference) for difference in differences]))


def show_undo(call: Call) -> Answer:
    """Shows what an undo would do, without doing it."""
    change = _CHANGES.find(call)
    shown = preview.preview(call.db, call.user_id, change)
    reason = shown.reason
    if reason is None and change.import_job_id is not None:
        reason = undo.find_reason(call.db, call.user_id, change.import_job_id)
    names = object_names.load_names(call.db, call.user_id, shown.changes)
    of_sums = currencies.by_ids(call.db, {each.currency_id for each in shown.sums})
    return Answer(Item(wire.show_undo(shown, reason and call.say(reason), names, of_sums)))


def take_back(call: Call) -> Answer:
    """Answers with the new change, which can itself be undone."""
    change = _CHANGES.find(call)
    if _needs_full_access(call, change):
        call.full_access_only(UNDO_THIS)
    if change.by_id not in (None, call.caller.user.id) and not call.flag("others"):
        raise Conflict(f"{change.by or 'Somebody else'} made this change. To undo it anyway, send `others=1`.")
    undo.undo_change(call.db, call.user_id, change, call.now, with_later=call.flag("with_later"))
    refuse_beyond_role(call)
    assert call.db.author is not None, "every write has an author"
    [done] = store.list_of_revision(call.db, call.user_id, call.db.author.revision)
    return _CHANGES.answer(call, done)


def _needs_full_access(call: Call, change: Change) -> bool:
    """Returns whether undoing the change requires full access.

    Full access is required if the change affects preferences, webhooks, or accounts that somebody else created or
    deleted.
    """
    if change.by_id != call.caller.user.id and {("accounts", "created"), ("accounts", "removed")} & set(change.counts):
        return True
    return any(table in ("preferences", "webhooks") for table, _ in change.counts)


def revision(call: Call) -> Answer:
    """Shows the current revision.

    Polling with the last ETag is cheap: while nothing has changed, only the caller is looked up.
    """
    caller = call.caller
    role = OWNER if caller.share is None else caller.share.value
    is_shared = caller.share is not None or bool(members.list_of_books(call.db, call.user_id))
    revision = wire.RevisionShown(
        revision=caller.revision,
        books_id=str(call.user_id),
        email=caller.books.email,
        role=role,
        is_shared=is_shared,
    )
    return Answer(Item(revision))


def refuse_beyond_role(call: Call) -> None:
    """Checks the changes made by this request against the caller's role.

    If the role does not allow them, raises an error, which rolls the changes back.
    """
    author, caller = call.db.author, call.caller
    assert author is not None, "every write has an author"
    if caller.share is None and caller.scopes is None:
        return
    call.db.flush()
    if rights.needs_owner(call.db, call.user_id, author.revision):
        raise Forbidden(OWNER_ONLY)
    if caller.share not in (None, Share.FULL) and rights.needs_full_access(
        call.db, call.user_id, author.revision, call.caller.user.id
    ):
        call.full_access_only(UNDO_THIS)


def _show_in_full(call: Call, changes: Sequence[Change]) -> list[ChangeThing]:
    names = object_names.load_names(call.db, call.user_id, list(changes))
    return [
        _thing(call, change, wire.show_in_full(change, names[change.revision], _load_images(call, change)))
        for change in changes
    ]


def _load_images(call: Call, change: Change) -> list[Image]:
    images = store.images(call.db, call.user_id, change.revision, limit=_SHOWN_MAX)
    return [image for image in images if _may_see(call, image.kind, image.name)]


def _may_see(call: Call, kind: str, name: str | None) -> bool:
    """Tells whether the caller may see a touched object. Webhooks, and settings of notices, are not for all members."""
    share = call.caller.share
    return (kind != "webhooks" or share in (None, Share.FULL)) and (
        kind != "preferences" or name != NOTICES or share is None
    )


def _thing(call: Call, change: Change, attributes: wire.ChangeAttributes) -> ChangeThing:
    return make_thing(call, "changes", change.id, attributes)


def _table(kind: str) -> str:
    if kind not in KINDS:
        refuse_field("kind", f"The kind must be one of: {', '.join(sorted(KINDS))}.")
    return KINDS[kind]


def _object_id(call: Call, kind: str) -> int | None:
    number = call.number("object_id")
    if number is not None and kind == "transactions":
        return store.entry_of_split(call.db, call.user_id, number) or 0
    return number


_KIND = Parameter(
    "kind", {"type": "string", "enum": sorted(KINDS)}, "Lists only changes that affected objects of this kind."
)
_OBJECT_ID = Parameter("object_id", {"type": "string"}, "Lists only changes to this object. Ignored without `kind`.")
_REVISION = Parameter(
    "revision",
    {"type": "integer", "minimum": 1},
    "Lists only the change with this revision. Every write returns its revision in the header `Farthing-Revision`.",
)
_OTHERS = Parameter(
    "others",
    {"type": "boolean", "default": False},
    "Undoes the change even if somebody else made it. Otherwise, undoing such a change is refused (409).",
)
_WITH_LATER = Parameter(
    "with_later",
    {"type": "boolean", "default": False},
    "Also undoes the later changes that prevent this undo, newest first, as one change. For an import, also deletes"
    " transactions that have been changed since the import.",
)
_CHANGES: Resource[Change, Any] = Resource(path="/changes", shows=ChangeThing, things=_show_in_full, get=store.get)

ROUTES = (
    Route(
        "GET", "/revision", revision, "Show the current revision, and your role in these books",
        gives=Item[wire.RevisionShown],
    ),
    _CHANGES.index("List changes, newest first", _KIND, _OBJECT_ID, _REVISION, handler=index, fails=(Invalid,)),
    _CHANGES.show("Show a change, with every affected object as it was before", gives=Item[WholeChangeThing]),
    _CHANGES.own(
        "GET", "diff", diff, "Compare the affected objects before and after a change, field by field",
        gives=All[wire.ObjectDifference],
    ),
    _CHANGES.own(
        "GET", "undo", show_undo, "Show what an undo would do, and which later changes must be undone with it",
        gives=Item[wire.UndoShown],
    ),
    _CHANGES.own(
        "POST", "undo", take_back, "Undo a change; if that is impossible, the answer says why", _OTHERS, _WITH_LATER,
        gives=Item[WholeChangeThing], runs=LARGE, fails=(Forbidden, Conflict),
    ),
)  # fmt: skip
