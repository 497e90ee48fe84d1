"""Shows the audit."""

from msgspec import Struct

from farthing.identity.audit import Note
from farthing.kernel.shown import Instant, show_as


class AuditAttributes(Struct, gc=False):
    """`known_device` is false if the user had not signed in there before. `by` is set if somebody else did it."""

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


def show(note: Note) -> AuditAttributes:
    return show_as(
        AuditAttributes,
        note,
        created_at=note.at,
        user_id=str(note.user_id),
        known_device=note.is_known,
        by_id=None if note.by_id is None else str(note.by_id),
    )
