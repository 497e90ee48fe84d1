"""Records in the audit log what a request did."""

from farthing.identity import audit, devices
from farthing.identity.audit import AuditSource, Event
from farthing.identity.sessions import name_device
from farthing.identity.user import User

from ..request.call import Call


def note(call: Call, event: Event, *, about: str = "", user_id: int | None = None) -> None:
    """Records an event in the caller's own audit log, or in the audit log of `user_id`."""
    by_id = call.caller.user.id
    audit.note(call.db, user_id or by_id, event, _place(call, is_known=True), now=call.now, about=about, by_id=by_id)


def note_sign_in(call: Call, event: Event, user: User, *, about: str = "") -> None:
    """Records an attempt to sign in.

    Call it before the device is remembered, because it records whether the device was known.
    """
    device = call.visitor.device
    is_known = bool(device) and devices.is_known(call.db, device or "", user.email)
    audit.note(call.db, user.id, event, _place(call, is_known=is_known), now=call.now, about=about)


def note_joined(call: Call, books_id: int, *, by_id: int, about: str, event: Event = Event.JOINED) -> None:
    """Records that somebody has joined the books or taken them over, in the audit log of these books.

    The member is passed in `by_id`, because the caller may be a new user or have a new id.
    """
    audit.note(call.db, books_id, event, _place(call, is_known=True), now=call.now, about=about, by_id=by_id)


def _place(call: Call, *, is_known: bool) -> AuditSource:
    if call.see is None:  # the request comes from our own command that creates the demo
        return audit.COMMAND_LINE
    who = call.visitor
    return AuditSource(address=who.address, device=name_device(who.agent), is_known=is_known)
