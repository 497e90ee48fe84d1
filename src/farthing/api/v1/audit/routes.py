"""Serves the audit log. Users see their own events, and the owner can see the events of all users."""

from msgspec import Struct

from farthing.http.answer.document import Page, Thing, thing
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import PAGED, Gate, Parameter, Route
from farthing.identity import audit
from farthing.identity.audit import Event, Note
from farthing.kernel.errors import Forbidden, Invalid, refuse_field
from farthing.kernel.shown import Instant, show_as

from ..reports.query import FORMAT
from ..reports.table import Table, answer_table


class AuditAttributes(Struct, gc=False):
    """`known_device` is false if the user had never signed in on this device before.

    If another user caused the event, `by_id` and `by` are the id and the email address of that user.
    """

    created_at: Instant
    event: str
    user_id: str
    email: str
    about: str
    address: str
    device: str
    known_device: bool
    by_id: str | None
    by: str | None


def _show(note: Note) -> AuditAttributes:
    return show_as(
        AuditAttributes,
        note,
        created_at=note.at,
        user_id=str(note.user_id),
        known_device=note.is_known,
        by_id=None if note.by_id is None else str(note.by_id),
    )


AuditThing = Thing[AuditAttributes]
_EXPORTED_MAX = 100_000
_COLUMNS = ("at", "event", "email", "about", "address", "device", "known device", "by")


def index(call: Call) -> Answer:
    everybody, format_ = call.flag("everybody"), call.query.get("format", "json")
    if everybody:
        call.owner_only("see the audit log of all users")
    if format_ not in ("json", "csv"):
        refuse_field("format", "The format must be json or csv.")
    user_id, events = None if everybody else call.user_id, _read_events(call)
    if format_ == "csv":
        _, notes = audit.page(call.db, user_id, events, limit=_EXPORTED_MAX, offset=0)
        return answer_table("audit", Table(_COLUMNS, map(_row, notes)))
    at = read_page_request(call)
    total, notes = audit.page(call.db, user_id, events, limit=at.size, offset=at.offset)
    filters = {name: call.query.get(name, "") for name in ("event", "everybody")}
    return Answer(
        page(call, "/audit", [thing(call.base, "audit", note.id, _show(note)) for note in notes], total, filters)
    )


def _read_events(call: Call) -> list[str]:
    events = [word.strip() for word in call.query.get("event", "").split(",") if word.strip()]
    unknown = next((word for word in events if word not in list(Event)), None)
    if unknown:
        refuse_field("event", f"There is no event {unknown}. The events are {', '.join(Event)}.")
    return events


def _row(note: Note) -> list[str]:
    known_device = "yes" if note.is_known else "no"
    return [note.at, note.event, note.email, note.about, note.address, note.device, known_device, note.by or ""]


_EVENT = Parameter(
    "event", {"type": "string"}, f"Lists only these events, comma-separated. Possible events: {', '.join(Event)}."
)
_EVERYBODY = Parameter("everybody", {"type": "boolean", "default": False}, "Lists the events of all users; owner only.")
ROUTES = (
    Route(
        "GET", "/audit", index, "List sign-ins and changes to security settings, newest first",
        gives=Page[AuditThing], parameters=(_EVENT, _EVERYBODY, FORMAT, *PAGED), gate=Gate.IDENTITY,
        fails=(Forbidden, Invalid),
    ),
)  # fmt: skip
