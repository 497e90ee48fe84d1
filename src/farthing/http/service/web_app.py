"""Serves the files of the web app, which are compressed when they are built."""

import mimetypes
from functools import cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route as Address
from starlette.types import Scope

from farthing.identity.user import ApiVersion

from ..answer.encoding import choose_encoding
from ..answer.headers import FOR_EVERYBODY, PAGE_POLICY
from ..answer.reply import GetEndpoint, Reply, make_reply
from ..request.call import Answer

BUILT = Path(__file__).parents[2] / "web" / "built"
# The endings of the compressed copies that a build makes of each file. The smallest copy comes first.
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_FOREVER = b"public, max-age=31536000, immutable"
_REVALIDATE = b"no-cache"
_NOT_BUILT = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Farthing</title>
<h1>Farthing runs, but its web app is not built</h1>
<p>The API works: see <a href="api/docs">its documentation</a>. To build the web app, run
<code>make web</code> in a clone, or <code>pip install .</code>, and start Farthing again.</p></html>
"""


class _File(Struct, frozen=True):
    media_type: bytes
    tag: bytes
    cache: bytes
    bodies: dict[str, bytes]

    @property
    def encodings(self) -> tuple[str, ...]:
        return tuple(name for name, _ in _ENCODINGS if name in self.bodies)


class WebApp:
    """Serves the files from memory. The files are few and small, and are read once, when the process starts."""

    def __init__(self, folder: Path = BUILT) -> None:
        self._files = _load_files(folder) if (folder / "index.html").is_file() else {"index.html": _NO_APP}

    def addresses(self) -> list[Address]:
        endpoint = GetEndpoint(self._reply)
        files = [Address("/" if name == "index.html" else f"/{name}", endpoint) for name in self._files]
        return [*files, Address("/share", _redirect_shared, methods=["POST"])]

    def _reply(self, scope: Scope) -> Reply:
        if scope["state"]["api_version"] is ApiVersion.V6:  # the app only uses version 1
            return _redirect(scope)
        name = scope["path"].removeprefix("/") or "index.html"
        if name == "index.html" and not scope.get("raw_path", b"/").endswith(b"/"):
            # The page names its files relative to its own address, which must end in a slash.
            return _redirect(scope)
        headers = scope["state"]["headers"]
        file = self._files[name]
        encoding = choose_encoding(headers.get(b"accept-encoding", b""), file.encodings)
        described, body = _describe(file, encoding), file.bodies[encoding]
        if file.tag in headers.get(b"if-none-match", b""):
            return Reply(304, described, b"")
        return Reply(200, [*described, (b"content-length", str(len(body)).encode())], body)


async def _redirect_shared(request: HttpRequest) -> Response:
    """Answers a phone that shares files before the service worker, which takes them, is there. Reads none of them."""
    headers = {"location": f"{request.scope['state']['root']}/#/share?missed=1", "connection": "close"}
    return Response(status_code=303, headers=headers)


def _redirect(scope: Scope) -> Reply:
    headers = (("location", f"{scope['state']['root']}/"), ("content-length", "0"))
    return make_reply(Answer(None, 308, headers=headers))


def _describe(file: _File, encoding: str) -> list[tuple[bytes, bytes]]:
    headers = [
        (b"content-type", file.media_type),
        (b"etag", file.tag),
        (b"cache-control", file.cache),
        (b"vary", b"accept-encoding"),
        (b"content-security-policy", PAGE_POLICY.encode()),
        *((FOR_EVERYBODY,) if file.cache == _FOREVER else ()),
    ]
    return [*headers, (b"content-encoding", encoding.encode())] if encoding else headers


@cache
def _load_files(folder: Path) -> dict[str, _File]:
    compressed = tuple(ending for _, ending in _ENCODINGS)
    plain = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in compressed]
    return {path.relative_to(folder).as_posix(): _load_file(path) for path in plain}


def _load_file(path: Path) -> _File:
    body = path.read_bytes()
    copies = {name: path.with_name(path.name + ending) for name, ending in _ENCODINGS}
    bodies = {"": body} | {name: copy.read_bytes() for name, copy in copies.items() if copy.is_file()}
    # File names under assets/ contain a hash of the contents.
    cache = _FOREVER if path.parent.name == "assets" else _REVALIDATE
    return _File(media_type=_media_type(path), tag=_tag(body), cache=cache, bodies=bodies)


def _media_type(path: Path) -> bytes:
    web_types = {
        ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml",
        ".webmanifest": "application/manifest+json",
    }  # fmt: skip
    media_type = web_types.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return (f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type).encode()


def _tag(body: bytes) -> bytes:
    return b'"' + sha256(body).hexdigest()[:16].encode() + b'"'


_NO_APP = _File(
    media_type=b"text/html; charset=utf-8", tag=_tag(_NOT_BUILT), cache=_REVALIDATE, bodies={"": _NOT_BUILT}
)
