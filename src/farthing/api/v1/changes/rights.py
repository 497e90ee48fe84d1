"""Keeps an undo within the role of whoever asks for it: it may not do what the routes of the objects would refuse."""

from farthing.care.changes import rights
from farthing.http.request.call import Call
from farthing.identity.user import Share

UNDO_THIS = "undo this, because it touches accounts that others made or deleted, or preferences"


def refuse_beyond_role(call: Call) -> None:
    """Looks at what was done in this unit of work, which is rolled back if it was too much."""
    author = call.db.author
    assert author is not None, "a write takes its user first"
    if call.caller.share in (None, Share.FULL):
        return
    call.db.flush()
    if rights.needs_full_access(call.db, call.user_id, author.revision, call.caller.user.id):
        call.full_access_only(UNDO_THIS)
