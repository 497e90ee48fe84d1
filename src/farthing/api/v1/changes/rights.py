"""Keeps an undo within the caller's role: it may not do what the routes of the objects would refuse."""

from farthing.care.changes import rights
from farthing.http.request.call import Call
from farthing.identity.user import Share

UNDO_THIS = "undo this, because it touches accounts that others made or deleted, or preferences"


def refuse_beyond_role(call: Call) -> None:
    """Checks what this unit of work has done, and refuses it if it exceeds the role, which rolls it back."""
    author = call.db.author
    assert author is not None, "a write takes its user first"
    if call.caller.share in (None, Share.FULL):
        return
    call.db.flush()
    if rights.needs_full_access(call.db, call.user_id, author.revision, call.caller.user.id):
        call.full_access_only(UNDO_THIS)
