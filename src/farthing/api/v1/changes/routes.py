"""Serves the change log, and undoes changes."""

from farthing.care.changes import compare, known, store, undo
from farthing.care.changes.model import KINDS, Change
from farthing.http.answer.document import All, Item, Page, Thing, thing
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, Parameter, Route
from farthing.identity.sharing import members
from farthing.identity.sharing.members import OWNER
from farthing.kernel.errors import Conflict, Forbidden, Invalid, refuse_field

from . import wire
from .rights import UNDO_THIS, refuse_beyond_role

ChangeThing = Thing[wire.ChangeAttributes]
WholeChangeThing = Thing[wire.WholeChangeAttributes]
_SHOWN_MAX = 1000


def index(call: Call) -> Answer:
    """Newest first: all, those of a kind, or those of one object."""
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
    names = known.load_names(call.db, call.user_id, changes)
    things = [_thing(call, change, wire.show(change, names[change.revision])) for change in changes]
    filters = {name: call.query.get(name, "") for name in ("kind", "object_id", "revision")}
    return Answer(page(call, "/changes", things, total, filters))


def show(call: Call) -> Answer:
    change = or_404(store.get(call.db, call.user_id, call.id))
    return _answer_in_full(call, change)


def diff(call: Call) -> Answer:
    change = or_404(store.get(call.db, call.user_id, call.id))
    return Answer(
        All(
            [wire.show_difference(difference) for difference in compare.compare(call.db, call.user_id, change.revision)]
        )
    )


def take_back(call: Call) -> Answer:
    """Answers with the change that undid it, which can itself be undone."""
    change = or_404(store.get(call.db, call.user_id, call.id))
    if _needs_full_access(call, change):
        call.full_access_only(UNDO_THIS)
    if change.by_id not in (None, call.caller.user.id) and not call.flag("others"):
        raise Conflict(f"{change.by or 'Somebody else'} did this. To undo it all the same, send `others=1`.")
    undo.undo(call.db, call.user_id, change)
    refuse_beyond_role(call)
    assert call.db.author is not None, "a write takes its user first"
    [done] = store.list_of_revision(call.db, call.user_id, call.db.author.revision)
    return _answer_in_full(call, done)


def _needs_full_access(call: Call, change: Change) -> bool:
    """Undoing must not be a way around the role; but an account that one has made by mistake can go again."""
    if change.by_id != call.caller.user.id and {("accounts", "created"), ("accounts", "removed")} & set(change.counts):
        return True
    return any(table == "preferences" for table, _ in change.counts)


def revision(call: Call) -> Answer:
    """To ask again and again with the tag of the last answer: as long as nothing changes, only the caller is found."""
    caller = call.caller
    role = OWNER if caller.share is None else caller.share.value
    is_shared = caller.share is not None or bool(members.list_of_books(call.db, call.user_id))
    return Answer(
        Item(
            wire.RevisionShown(
                revision=caller.revision, books_id=str(call.user_id), email=caller.books.email, role=role,
                is_shared=is_shared,
            )
        )
    )  # fmt: skip


def _answer_in_full(call: Call, change: Change) -> Answer:
    images = store.images(call.db, call.user_id, change.revision, limit=_SHOWN_MAX)
    names = known.load_names(call.db, call.user_id, [change])[change.revision]
    return Answer(Item(_thing(call, change, wire.show_in_full(change, names, images))))


def _thing(call: Call, change: Change, attributes: wire.ChangeAttributes) -> ChangeThing:
    return thing(call.base, "changes", change.id, attributes, uri=f"/changes/{change.id}")


def _table(kind: str) -> str:
    if kind not in KINDS:
        refuse_field("kind", f"The kind must be one of: {', '.join(sorted(KINDS))}.")
    return KINDS[kind]


def _object_id(call: Call, kind: str) -> int | None:
    number = call.number("object_id")
    if number is not None and kind == "transactions":
        return store.entry_of_split(call.db, call.user_id, number) or 0
    return number


_KIND = Parameter("kind", {"type": "string", "enum": sorted(KINDS)}, "Only changes that touched such objects.")
_OBJECT_ID = Parameter("object_id", {"type": "string"}, "Only changes that touched this one; acts with `kind`.")
_REVISION = Parameter(
    "revision", {"type": "integer", "minimum": 1}, "The one that a write named in its header `Farthing-Revision`."
)
_OTHERS = Parameter(
    "others", {"type": "boolean", "default": False}, "Undo it also if somebody else did it; else that is 409."
)
ROUTES = (
    Route(
        "GET", "/revision", revision, "Say whether anything has changed, and what you may do in these books",
        gives=Item[wire.RevisionShown],
    ),
    Route(
        "GET", "/changes", index, "List what was done, the newest first",
        gives=Page[ChangeThing], parameters=(_KIND, _OBJECT_ID, _REVISION, *PAGED), fails=(Invalid,),
    ),
    Route("GET", "/changes/{id}", show, "Show a change with everything as it was before", gives=Item[WholeChangeThing]),
    Route(
        "GET", "/changes/{id}/diff", diff, "Compare what a change touched, before and after, field by field",
        gives=All[wire.ObjectDifference],
    ),
    Route(
        "POST", "/changes/{id}/undo", take_back, "Undo a change, or say what stands in the way",
        gives=Item[WholeChangeThing], parameters=(_OTHERS,), runs=LARGE, fails=(Forbidden, Conflict),
    ),
)  # fmt: skip
