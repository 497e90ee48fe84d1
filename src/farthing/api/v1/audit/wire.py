"""Shows the audit."""

from msgspec import Struct

from farthing.identity.audit import Note
from farthing.kernel.shown import Instant


class AuditAttributes(Struct, gc=False):
    """`known_device` is false where the user had not signed in before. `by` is who did it, if it was somebody else."""

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
    return AuditAttributes(
        created_at=note.at,
        event=note.event,
        user_id=str(note.user_id),
        email=note.email,
        about=note.about,
        address=note.address,
        device=note.device,
        known_device=note.is_known,
        by_id=None if note.by_id is None else str(note.by_id),
        by=note.by,
    )
