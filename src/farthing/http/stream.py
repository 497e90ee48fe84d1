"""Serves addresses at which files are uploaded or downloaded, besides the usual routes."""

from collections.abc import Mapping

from starlette.types import Receive, Scope, Send

from .answer.reply import send_reply
from .download import send_file
from .endpoint import Endpoint, Runtime
from .produce import send_produced
from .request.request import make_request
from .route import Route
from .upload import Uploading


class StreamEndpoint:
    def __init__(self, runtime: Runtime, routes: Mapping[str, Route]) -> None:
        self._runtime = runtime
        self._routes = routes
        self._others = Endpoint(runtime, routes)
        self._uploads = {
            method: Uploading(runtime, route, route.upload) for method, route in routes.items() if route.upload
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        uploading = self._uploads.get(method)
        route = self._routes.get("GET") if method in ("GET", "HEAD") else None
        if uploading and uploading.takes(scope["state"]["headers"]):
            reply = await uploading.reply(scope, receive)
            scope["state"]["user_id"] = reply.user_id
            await send_reply(reply, send)
        elif route and route.is_download:
            await self._download(route, scope, receive, send)
        else:
            await self._others(scope, receive, send)

    async def _download(self, route: Route, scope: Scope, receive: Receive, send: Send) -> None:
        headers, head = scope["state"]["headers"], scope["method"] == "HEAD"
        reply = await self._runtime.answer(route, make_request(scope, headers, receive))
        scope["state"]["user_id"] = reply.user_id
        if reply.file:
            await send_file(self._runtime, reply, reply.file, headers, send, head=head)
        elif reply.produced and not head:
            await send_produced(self._runtime, reply, reply.produced, receive, send)
        else:
            await send_reply(reply, send, head=head)


def streams(routes: Mapping[str, Route]) -> bool:
    return any(route.upload or route.is_download for route in routes.values())
