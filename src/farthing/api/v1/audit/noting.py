"""Writes to the audit what a request did."""

from farthing.http.request.call import Call
from farthing.identity import audit, devices
from farthing.identity.audit import AuditSource, Event
from farthing.identity.sessions import name_device
from farthing.identity.user import User


def note(call: Call, event: Event, *, about: str = "", user_id: int | None = None) -> None:
    """Writes to the caller's own audit, or to that of the user concerned."""
    by_id = call.caller.user.id
    audit.note(call.db, user_id or by_id, event, _place(call, is_known=True), now=call.now, about=about, by_id=by_id)


def note_sign_in(call: Call, event: Event, user: User, *, about: str = "") -> None:
    """Notes an attempt to sign in. Call it before the device is remembered."""
    device = call.visitor.device
    is_known = bool(device) and devices.is_known(call.db, device or "", user.email)
    audit.note(call.db, user.id, event, _place(call, is_known=is_known), now=call.now, about=about)


def note_joined(call: Call, books_id: int, *, by_id: int, about: str, event: Event = Event.JOINED) -> None:
    """Writes to the audit of the books. The member is passed, because the caller may be new or have a new id."""
    audit.note(call.db, books_id, event, _place(call, is_known=True), now=call.now, about=about, by_id=by_id)


def _place(call: Call, *, is_known: bool) -> AuditSource:
    if call.see is None:  # our own commands record the demo
        return audit.COMMAND_LINE
    who = call.visitor
    return AuditSource(address=who.address, device=name_device(who.agent), is_known=is_known)
