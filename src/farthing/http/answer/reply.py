"""Encodes and sends answers. Also provides the endpoint class for addresses outside the API."""

from collections.abc import Awaitable, Callable

from msgspec import Struct
from starlette.types import Receive, Scope, Send

from ..body.stream import BodyStream
from ..request.call import Answer, Produced, Pushed, StoredFile
from ..request.language import State, is_language_known, language_of
from . import problems
from .document import encode, translate

# Answers longer than this are compressed in a thread.
LONG_BYTES = 256 * 1024
GET_METHODS = ["GET", "HEAD"]
_REFUSED = 400
_VARY = (b"vary", b"Accept-Language")


class Reply(Struct, frozen=True):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    user_id: int | None = None
    file: StoredFile | None = None
    produced: Produced | None = None
    pushed: Pushed | None = None


def make_reply(answer: Answer, user_id: int | None = None, state: State | None = None) -> Reply:
    """Encodes an answer. If it refuses a request, it says why in the language of the caller.

    `state` is that of the ASGI scope. Without it, the caller is somebody about whom nothing is known.
    """
    headers = [(name.encode(), value.encode()) for name, value in answer.headers] if answer.headers else []
    document = answer.document
    if document is None:
        return Reply(answer.status, headers, b"", user_id, answer.file, answer.produced, answer.pushed)
    if answer.status >= _REFUSED and state is not None:
        document = translate(document, language_of(state))
        if not is_language_known(state):
            headers.append(_VARY)
    body = encode(document)
    headers.append((b"content-type", answer.media_type.encode()))
    headers.append((b"content-length", b"%d" % len(body)))
    return Reply(answer.status, headers, body, user_id)


async def send_reply(reply: Reply, send: Send, *, head: bool = False) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
    await send({"type": "http.response.body", "body": b"" if head else reply.body})


class GetEndpoint:
    """Answers GET and HEAD requests outside the API. Identifies no caller, and ignores the body of the request."""

    def __init__(self, respond: "Callable[[Scope], Responded | Awaitable[Responded]]") -> None:
        self._respond = respond

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 -- ASGI's signature
        method = scope["method"]
        answer = self._respond(scope) if method in GET_METHODS else problems.wrong_method(GET_METHODS)
        if isinstance(answer, Awaitable):
            answer = await answer
        reply = answer if isinstance(answer, Reply) else make_reply(answer, state=scope["state"])
        await send_reply(reply, send, head=method == "HEAD")


Responded = Answer | Reply


def close_after(reply: Reply, stream: BodyStream) -> Reply:
    """Closes the connection after this answer unless the whole body has arrived, because nobody reads the rest."""
    if stream.has_more:
        reply.headers.append((b"connection", b"close"))
    return reply


class NotAdmitted(Exception):
    """Stops an upload because its caller may not use the route. `reply` is the answer that says why."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply
