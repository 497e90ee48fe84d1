"""A small Firefly III that answers with the pages of the sample, and has troubles when it is told to."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

from .books import sample_api

TOKEN = "a-personal-access-token"
_FOLDERS = (
    (re.compile(r"budgets/([0-9]+)/limits"), r"budget-limits-of/\1"),
    (re.compile(r"piggy-banks/([0-9]+)/events"), r"piggy-bank-events/\1"),
)


@dataclass
class Replay:
    """`troubles` by path: what to answer first, before the pages. `largest` is its own limit of a page."""

    root: str = ""
    largest: int = 50
    about: dict[str, Any] = field(default_factory=lambda: {"data": {"version": "6.0.30", "api_version": "2.0.11"}})
    troubles: dict[str, list[tuple[int, dict[str, str]]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    lists: dict[str, list[Any]] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with ZipFile(sample_api()) as archive:
            for name in archive.namelist():
                if page := re.fullmatch(r"api/(.+)/page-[0-9]+\.json", name):
                    self.lists.setdefault(page[1], []).extend(json.loads(archive.read(name))["data"])
                elif name.startswith("attachments/"):
                    self.contents[name.removeprefix("attachments/")] = archive.read(name)

    def answer(self, target: str, authorization: str | None) -> tuple[int, dict[str, str], bytes]:
        self.asked.append(target)
        split = urlsplit(target)
        path = split.path.removeprefix(f"{self.root}/api/v1/")
        if path == split.path:
            return 404, {}, b"<html>not here</html>"
        if authorization != f"Bearer {TOKEN}":
            return 401, {}, b'{"message":"Unauthenticated","exception":"AuthenticationException"}'
        if self.troubles.get(path):
            status, headers = self.troubles[path].pop(0)
            return status, headers, b'{"message":"trouble"}'
        if path == "about":
            return 200, {}, json.dumps(self.about).encode()
        if content := re.fullmatch(r"attachments/([0-9]+)/download", path):
            return 200, {"Content-Type": "application/octet-stream"}, self.contents[content[1]]
        return self._page(path, parse_qs(split.query))

    def _page(self, path: str, query: dict[str, list[str]]) -> tuple[int, dict[str, str], bytes]:
        folder = path
        for pattern, name in _FOLDERS:
            folder = pattern.sub(name, folder)
        if folder not in self.lists:
            return 404, {}, b'{"message":"Resource not found"}'
        everything = self.lists[folder]
        size, page = min(self.largest, int(query["limit"][0])), int(query["page"][0])
        data = everything[(page - 1) * size : page * size]
        pages = max(1, -(-len(everything) // size))
        told = {
            "total": len(everything),
            "count": len(data),
            "per_page": size,
            "current_page": page,
            "total_pages": pages,
        }
        return 200, {}, json.dumps({"data": data, "meta": {"pagination": told}}).encode()


@contextmanager
def served(replay: Replay) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = replay.answer(self.path, self.headers["Authorization"])
            self.send_response(status)
            for name, value in {
                "Content-Type": "application/json",
                **headers,
                "Content-Length": str(len(body)),
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{replay.root}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
