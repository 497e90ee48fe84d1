"""Serves one address: receives the request, lets its route answer, and sends the reply."""

from collections.abc import Mapping
from functools import partial

from msgspec import structs
from starlette.types import Receive, Scope, Send

from farthing.kernel.errors import FarthingError, TooSlow

from ..answer import encoding, once, problems
from ..answer.reply import LONG_BYTES, Reply, close_after, make_reply, send_reply
from ..body import decoding
from ..body.stream import BodyStream
from ..callers.identification import is_stranger
from ..request.request import Fields, Request, make_request
from ..route import Route
from .calls import Calls


class Endpoint:
    def __init__(self, calls: Calls, routes: Mapping[str, Route]) -> None:
        self._calls = calls
        self._runtime = calls.runtime
        self._routes = routes
        self._allowed = sorted({*routes, "HEAD"} if "GET" in routes else routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        route = self._routes.get("GET" if method == "HEAD" else method)
        if route is None:
            await send_reply(make_reply(problems.wrong_method(self._allowed), state=scope["state"]), send)
            return
        await self.send(route, await self._reply(route, scope, receive), scope, send)

    async def send(self, route: Route, reply: Reply, scope: Scope, send: Send) -> None:
        scope["state"]["user_id"] = reply.user_id
        compress = partial(encoding.compress, reply, scope["state"]["headers"], may=route.is_of_books)
        sent = await self._runtime.run_in_thread(compress) if len(reply.body) > LONG_BYTES else compress()
        await send_reply(sent, send, head=scope["method"] == "HEAD")

    async def _reply(self, route: Route, scope: Scope, receive: Receive) -> Reply:
        headers = scope["state"]["headers"]
        if route.method == "GET":
            return await self._calls.answer(route, make_request(scope, headers, receive))
        stream, request = BodyStream(headers, receive, self._runtime.patience), make_request(scope, headers, receive)
        try:
            if not route.is_open and (is_stranger(headers, request.root) or await stream.is_long()):
                await self._calls.identify(route, request)
            request = await self._receive(route, request, stream)
        except FarthingError as error:
            return close_after(
                make_reply(problems.answer_to(error, version=request.api_version), state=request.state), stream
            )
        return close_after(await self._calls.answer(route, request), stream)

    async def _receive(self, route: Route, request: Request, stream: BodyStream) -> Request:
        """Reads the body of the request. No lock is held meanwhile."""
        headers = request.headers
        try:
            sent = await stream.read_all(self._runtime.settings.body_bytes_max)
        except TooSlow:  # the request is incomplete: nothing is looked up or done
            raise
        except FarthingError as error:
            return structs.replace(request, fields=error)
        request = structs.replace(request, fields=self._decode(route, headers, sent))
        reads_key = route.is_of_books or route.shows_secret
        return add_key(request, headers, sent) if reads_key and once.HEADER in headers else request

    def _decode(self, route: Route, headers: Mapping[bytes, bytes], sent: bytes) -> Fields:
        content_type = headers.get(b"content-type", b"").decode("latin-1") or None
        try:
            return decoding.decode(content_type, sent, self._runtime.settings.form_fields_max, route.text_field)
        except FarthingError as error:
            return error


def add_key(request: Request, headers: Mapping[bytes, bytes], *sent: bytes) -> Request:
    """Adds the request's idempotency key, if it has one."""
    return structs.replace(request, key=once.key_of(headers.get(once.HEADER), request.target, *sent))
