"""Serves an address that pushes events: https://html.spec.whatwg.org/multipage/server-sent-events.html"""

import asyncio
import time
from collections.abc import Mapping
from random import randint

from msgspec import structs
from starlette.types import Message, Receive, Scope, Send

from farthing.kernel.errors import FarthingError, Overloaded, Unavailable

from ..answer import problems
from ..answer.headers import NOT_STORED
from ..answer.reply import Reply, make_reply, send_reply
from ..handling.calls import Calls
from ..handling.endpoint import Endpoint
from ..request.call import Pushed
from ..request.request import Presence, make_request
from ..route import Route
from .listeners import End, Listener, Listeners

# The connection of a request, which `http/server` adds to its scope. It is missing if there is none, as in tests.
CONNECTION = "farthing.connection"
# The key, in the state of the scope, of the time at which the answer began. Metrics take it as the end of the request.
ANSWERED_AT = "answered_at"
_HEADERS = [
    (b"content-type", b"text/event-stream"),
    # Some proxies would otherwise collect the events before they pass them on.
    (b"x-accel-buffering", b"no"),
    NOT_STORED,
]
_BEAT = b": still there\n\n"
_RETRY_MS = 2000
# Clients of a server that stops wait for a random time within this range, so that they do not all return at once.
_RETURN_MS = (1000, 5000)


class EventEndpoint:
    def __init__(self, calls: Calls, listeners: Listeners, routes: Mapping[str, Route]) -> None:
        self._calls = calls
        self._listeners = listeners
        self._route = routes["GET"]
        self._plain = Endpoint(calls, routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            await self._plain(scope, receive, send)
            return
        reply = await self._answer(scope, receive)
        scope["state"]["user_id"] = reply.user_id
        if reply.pushed is None:
            await self._plain.send(self._route, reply, scope, send)
        elif scope["method"] == "HEAD":
            await send_reply(Reply(200, [*reply.headers, *_HEADERS], b""), send, head=True)
        else:
            await self._push(reply.pushed, scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> Reply:
        """Identifies the caller. A client that returns says in a header what it has received last."""
        headers = scope["state"]["headers"]
        request = make_request(scope, headers, receive)
        last = headers.get(b"last-event-id", b"").decode("latin-1").strip()
        if last:
            request = structs.replace(request, query={**request.query, "after": last})
        return await self._calls.answer(self._route, request)

    async def _push(self, pushed: Pushed, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            listener = self._listeners.enter(pushed)
        except FarthingError as error:
            await send_reply(make_reply(problems.answer_to(error), state=scope["state"]), send)
            return
        presence = Presence(receive)
        try:
            connection = (scope.get("extensions") or {}).get(CONNECTION)
            if connection is None:
                presence.gone().add_done_callback(lambda _: listener.stop(End.GONE))
            elif not connection.listen(lambda stopping: listener.stop(End.STOPPING if stopping else End.GONE)):
                await send_reply(
                    make_reply(problems.answer_to(Overloaded("Too many clients are listening.")), state=scope["state"]),
                    send,
                )
                return
            scope["state"][ANSWERED_AT] = time.perf_counter()
            await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
            await self._send_events(listener, send)
        finally:
            presence.end()
            self._listeners.leave(listener)

    async def _send_events(self, listener: Listener, send: Send) -> None:
        await send(_piece(b"retry: %d\n\n%b" % (_RETRY_MS, listener.pushed.opening)))
        while listener.end is None:
            if listener.is_behind:
                await self._catch_up(listener, send)
            if listener.is_due:
                await self._send(listener, _BEAT, send)
            if listener.end is None:
                await listener.wait()
        if listener.end is not End.GONE:
            returns = randint(*_RETURN_MS)  # noqa: S311 -- only spreads the load
            farewell = b"retry: %d\n\n" % returns if listener.end is End.STOPPING else b""
            await send({"type": "http.response.body", "body": farewell})

    async def _catch_up(self, listener: Listener, send: Send) -> None:
        try:
            while listener.is_behind and listener.end is None:
                batch = await self._listeners.read(listener)
                listener.advance(batch)
                if batch.event:
                    await self._send(listener, batch.event, send)
        except Unavailable:  # tried again after the next poll
            return
        except FarthingError:  # the client gets the reason when it reconnects
            listener.stop(End.OVER)

    async def _send(self, listener: Listener, event: bytes, send: Send) -> None:
        listener.is_due = False
        listener.sent_at = asyncio.get_running_loop().time()
        await send(_piece(event))


def _piece(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}
