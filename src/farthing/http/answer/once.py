"""Carries out a request with an `Idempotency-Key` only once. A repeated request gets the first answer again.

A user's writes run one after the other. If two requests with the same key arrive at the same moment, one of them waits,
and then finds the answer to the other.
"""

import hashlib
import re
from collections.abc import Callable
from typing import NoReturn

from farthing.kernel.errors import FarthingError, refuse_field
from farthing.storage import answers

from ..request.call import Call, Key
from .reply import Reply

HEADER = b"idempotency-key"
_FIELD = "Idempotency-Key"
_REPLAYED = (b"idempotent-replay", b"true")
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class Repeated(Exception):
    """Ends a request that was carried out before. Rolls back the unit of work; `reply` is the earlier answer."""

    def __init__(self, reply: Reply) -> None:
        super().__init__("answered before")
        self.reply = reply


def key_of(header: bytes | None, *parts: str | bytes) -> Key | None:
    if header is None:
        return None
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(b"%d:" % len(data) + data)
    return Key(text=header.decode("latin-1").strip(), request=digest.hexdigest())


def refuse_key() -> NoReturn:
    refuse_field(_FIELD, "The answer shows a secret only once and so cannot be repeated. Send no Idempotency-Key.")


def run_once(call: Call, key: Key, work: Callable[[], Reply]) -> Reply:
    if not _KEY.fullmatch(key.text):
        refuse_field(_FIELD, "The Idempotency-Key must have 1 to 255 visible ASCII characters.")
    name = _name(call, key)

    def refuse_repeated(before: answers.StoredAnswer) -> None:
        if before.request != key.request:
            refuse_field(_FIELD, "This Idempotency-Key was used for another request. Use a new one.")
        raise Repeated(_repeat(before, call.user_id))

    answers.ask(call.db, call.user_id, name, refuse_repeated)
    try:
        reply = work()
    except FarthingError:
        call.db.flush()  # an earlier answer takes precedence over any error now
        raise
    if 200 <= reply.status < 300:
        answers.keep(call.db, call.user_id, name, _record(key, reply), call.now)
    return reply


def was_answered(call: Call) -> bool:
    """Returns whether the idempotency key was used before.

    If so, the call needs no other checks, because it is refused or gets the earlier answer.
    """
    return call.key is not None and answers.is_there(call.db, call.user_id, _name(call, call.key))


def _name(call: Call, key: Key) -> str:
    """Returns the name under which the answer is stored.

    In shared books, the name begins with the member's id and a space, because two members may choose the same key. Keys
    themselves contain no spaces.
    """
    return f"{call.caller.user.id} {key.text}" if call.caller.share else key.text


def _record(key: Key, reply: Reply) -> answers.StoredAnswer:
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in reply.headers]
    return answers.StoredAnswer(key.request, reply.status, headers, reply.body.decode())


def _repeat(before: answers.StoredAnswer, user_id: int) -> Reply:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in before.headers]
    return Reply(before.status, [*headers, _REPLAYED], before.body.encode(), user_id)
