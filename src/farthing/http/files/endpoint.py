"""Serves addresses where files are uploaded or downloaded, and lists, which may be as long as files.

These addresses may also have methods without files.
"""

from collections.abc import Mapping

from starlette.types import Receive, Scope, Send

from farthing.kernel.config import Settings

from ..answer.reply import send_reply
from ..handling.calls import Calls
from ..handling.endpoint import Endpoint
from ..request.request import make_request
from ..route import Route
from .download import send_file
from .produce import ProductionLimit, send_produced
from .unfinished_uploads import UnfinishedUploads
from .upload import UploadHandler


class FileLimits:
    def __init__(self, settings: Settings) -> None:
        self.productions = ProductionLimit()
        self.uploads = UnfinishedUploads(settings.upload_bytes_max)


class FileEndpoint:
    def __init__(self, calls: Calls, limits: FileLimits, routes: Mapping[str, Route]) -> None:
        self._calls = calls
        self._limits = limits
        self._routes = routes
        self._plain = Endpoint(calls, routes)
        self._uploads = {
            method: UploadHandler(calls, limits.uploads, route, route.upload)
            for method, route in routes.items()
            if route.upload
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        upload = self._uploads.get(method)
        route = self._routes.get("GET") if method in ("GET", "HEAD") else None
        if upload and upload.takes(scope["state"]["headers"]):
            reply = await upload.reply(scope, receive)
            scope["state"]["user_id"] = reply.user_id
            await send_reply(reply, send)
        elif route and (route.is_download or route.is_paged):
            await self._download(route, scope, receive, send)
        else:
            await self._plain(scope, receive, send)

    async def _download(self, route: Route, scope: Scope, receive: Receive, send: Send) -> None:
        headers, head = scope["state"]["headers"], scope["method"] == "HEAD"
        reply = await self._calls.answer(route, make_request(scope, headers, receive))
        scope["state"]["user_id"] = reply.user_id
        runtime = self._calls.runtime
        if reply.file:
            await send_file(runtime, reply, reply.file, scope["state"], send, head=head)
        elif reply.produced and not head:
            await send_produced(runtime, self._limits.productions, reply, reply.produced, scope["state"], receive, send)
        else:
            await self._plain.send(route, reply, scope, send)


def handles_files(routes: Mapping[str, Route]) -> bool:
    return any(route.upload or route.is_download or route.is_paged for route in routes.values())
