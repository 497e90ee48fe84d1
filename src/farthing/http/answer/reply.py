"""Encodes an answer to bytes, then sends it."""

from msgspec import Struct
from starlette.types import Send

from ..request.call import Answer, Produced, Stored
from .document import encode

# Longer answers are compressed in a thread.
LONG_BYTES = 256 * 1024


class Reply(Struct, frozen=True):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    user_id: int | None = None
    file: Stored | None = None
    produced: Produced | None = None


def make_reply(answer: Answer, user_id: int | None = None) -> Reply:
    headers = [(name.encode(), value.encode()) for name, value in answer.headers] if answer.headers else []
    if answer.document is None:
        return Reply(answer.status, headers, b"", user_id, answer.file, answer.produced)
    body = encode(answer.document)
    headers.append((b"content-type", answer.media_type.encode()))
    headers.append((b"content-length", b"%d" % len(body)))
    return Reply(answer.status, headers, body, user_id)


async def send_reply(reply: Reply, send: Send, *, head: bool = False) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
    await send({"type": "http.response.body", "body": b"" if head else reply.body})


class Refused(Exception):
    """The caller may not use the route; `reply` says why."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply
