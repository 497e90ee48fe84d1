"""Fetches everything that the API of a running Firefly III returns into one archive, which `read` understands.

The archive is a zip file. It contains the unchanged responses as `api/<list>/page-<n>.json`, the `attachments/<id>`,
and `index.json`, which lists the requests and the files of their responses. Equal responses result in equal bytes, so
the archive's hash can prove what was imported.
"""

import time
from collections.abc import Callable
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
from msgspec import Struct

from farthing.kernel.errors import FarthingError
from farthing.kernel.network import outgoing
from farthing.kernel.network.outgoing import Destination

from .files.api_pages import find_value

VERSION_MIN = 6
# The API used to have its own version numbers: 2 came with Firefly III 6. Newer versions report the program's version.
API_VERSION_MIN = 2
PAGE_SIZE = 250
TRIES_MAX = 5
WAIT_S_MAX = 60
SPOOLED_BYTES = 2**20

# The lists that are requested, by their folders in the archive. Some versions lack some of the optional lists.
_NEEDED = ("accounts", "transactions")
_LISTS = (
    *(*_NEEDED, "attachments", "available-budgets", "bills", "budgets", "categories", "currencies", "exchange-rates"),
    *("link-types", "object-groups", "piggy-banks", "preferences", "recurrences", "rule-groups", "rules", "tags"),
    *("transaction-links", "webhooks"),
)
# Lists that belong to each object of another list: their folder, and the last part of their address.
_BELOW = {"budgets": ("budget-limits-of", "limits"), "piggy-banks": ("piggy-bank-events", "events")}
_AGAIN = frozenset({429, 500, 502, 503, 504})
_LACKING = frozenset({403, 404, 405, 410})


class FetchFailed(FarthingError):
    """Stops the fetch. The message is shown to the person who started the import."""


class FetchLimits(Struct, frozen=True):
    """Limits a fetch to what a zip file without extensions can contain: 65 535 files and 4 GiB."""

    total_s: float = 6 * 3600
    request_s: float = 120
    page_bytes_max: int = 32 * 2**20
    attachment_bytes_max: int = 64 * 2**20
    total_bytes_max: int = 3 * 2**30
    files_max: int = 60_000


class IndexEntry(Struct, frozen=True):
    """Describes one request. `file` is None if the response was not kept; `problem` then says why."""

    request: str
    file: str | None
    problem: str | None = None


FetchProgress = Callable[[str, int, int], None]
Wait = Callable[[float], None]


def fetch(
    url: str,
    token: str,
    archive: BinaryIO,
    *,
    allow_private: bool,
    limits: FetchLimits | None = None,
    progress: FetchProgress = lambda _what, _done, _total: None,
    wait: Wait = time.sleep,
) -> str:
    """Writes the archive, calls `progress` with a name, the number done and the total, and returns the version."""
    limits = limits or FetchLimits()
    to = outgoing.look_up(url, allow_private=allow_private)
    with ZipFile(archive, "w", ZIP_DEFLATED) as into:
        fetching = _Fetching(to, token.strip(), into, limits, progress, wait)
        version = fetching.check_server()
        for name in _LISTS:
            fetching.fetch_list(name, name)
        for name, (folder, last) in _BELOW.items():
            for key in fetching.ids[name]:
                fetching.fetch_list(f"{folder}/{key}", f"{name}/{key}/{last}")
        fetching.fetch_attachments()
        fetching.write("index.json", msgspec.json.format(msgspec.json.encode(fetching.index)))
    return version


class _Fetching:
    def __init__(
        self, to: Destination, token: str, into: ZipFile, limits: FetchLimits, progress: FetchProgress, wait: Wait
    ) -> None:
        self._to, self._into, self._limits, self._progress, self._wait = to, into, limits, progress, wait
        self._root = to.path.removesuffix("/api/v1").removesuffix("/api")
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": "Farthing"}
        self._deadline = time.monotonic() + limits.total_s
        self._bytes = self._files = 0
        self.index: list[IndexEntry] = []
        self.ids: dict[str, list[str]] = {}

    def check_server(self) -> str:
        """Checks that the server is a Firefly III, accepts the token, and is new enough. Returns its version."""
        status, body = self._get("/api/v1/about", self._limits.page_bytes_max)
        if status == 200:
            self._keep("/api/v1/about", "api/about.json", body)
        about = _decode(body).get("data") if status == 200 else None
        versions = about if isinstance(about, dict) else {}
        version, api_version = (str(versions.get(name) or "") for name in ("version", "api_version"))
        if not version or not api_version:
            sentence = f"{self._to.host} does not answer as a Firefly III"
            raise FetchFailed(f"{sentence}: give the address under which you open it in the browser.")
        if _major(version) < VERSION_MIN and _major(api_version) < API_VERSION_MIN:
            sentence = f"This Firefly III is version {version[:40]}; Farthing reads version {VERSION_MIN} and later."
            raise FetchFailed(f"{sentence} Update it, or import its CSV export.")
        return version

    def fetch_list(self, folder: str, path: str) -> None:
        ids = self.ids.setdefault(folder, [])
        page, pages = 1, 1
        while page <= pages:
            everything = "type=all&" if path in _NEEDED else ""
            request = f"/api/v1/{path}?{everything}limit={PAGE_SIZE}&page={page}"
            status, body = self._get(request, self._limits.page_bytes_max)
            if status != 200:
                if folder in _NEEDED or status not in _LACKING:
                    raise FetchFailed(f"Firefly III answered {status} to {request}; nothing has been imported.")
                self.index.append(IndexEntry(request=f"GET {request}", file=None, problem=f"answered {status}"))
                return
            document = _decode(body)
            data = document.get("data")
            if not isinstance(data, list):
                raise FetchFailed(f"Firefly III did not answer with a list to {request}.")
            self._keep(request, f"api/{folder}/page-{page}.json", body)
            keys = [str(item.get("id")) for item in data if isinstance(item, dict)]
            # Only numeric ids, because they become parts of addresses and filenames.
            ids += (key for key in keys if key.isdecimal() and key.isascii() and len(key) <= 20)
            # If a list has only one page, its number of pages and objects may be missing.
            numbers = [find_value(document, "meta", "pagination", name) for name in ("total_pages", "total")]
            pages, total = (number if isinstance(number, int) else 0 for number in numbers)
            self._progress(folder, len(ids), max(total, len(ids)))
            page += 1

    def fetch_attachments(self) -> None:
        ids = self.ids.get("attachments", [])
        for done, key in enumerate(ids, start=1):
            request = f"/api/v1/attachments/{key}/download"
            with SpooledTemporaryFile(SPOOLED_BYTES) as content:
                try:
                    status = self._stream(request, content, self._limits.attachment_bytes_max, accept="*/*")
                    problem = None if status == 200 else f"answered {status}"
                except outgoing.Unreachable as error:  # becomes a finding and does not stop the rest
                    problem = str(error)
                if problem:
                    self.index.append(IndexEntry(request=f"GET {request}", file=None, problem=problem))
                else:
                    self._keep(request, f"attachments/{key}", content)
            self._progress("attachments' contents", done, len(ids))

    def write(self, name: str, content: bytes | IO[bytes]) -> None:
        """Writes a file without timestamps, so that equal responses result in equal archives."""
        self._files += 1
        if self._files > self._limits.files_max:
            raise FetchFailed(f"This Firefly III has more than {self._limits.files_max} pages and attachments.")
        info = ZipInfo(name)
        info.compress_type = ZIP_DEFLATED
        with self._into.open(info, "w") as file:
            if isinstance(content, bytes):
                file.write(content)
                return
            content.seek(0)
            while chunk := content.read(SPOOLED_BYTES):
                file.write(chunk)

    def _keep(self, request: str, file: str, content: bytes | IO[bytes]) -> None:
        self.write(file, content)
        self.index.append(IndexEntry(request=f"GET {request}", file=file))

    def _get(self, request: str, bytes_max: int) -> tuple[int, bytes]:
        with SpooledTemporaryFile(bytes_max) as content:
            status = self._stream(request, content, bytes_max, accept="application/json")
            content.seek(0)
            return status, content.read()

    def _stream(self, request: str, content: IO[bytes], bytes_max: int, *, accept: str) -> int:
        """Downloads a response. While the server is busy or fails, tries again after longer and longer pauses."""
        for tried in range(1, TRIES_MAX + 1):
            content.seek(0)
            content.truncate()
            try:
                status, pause = self._try(request, content, bytes_max, accept)
            except outgoing.Unreachable as error:
                if tried == TRIES_MAX or isinstance(error, outgoing.AnswerTooLarge):
                    raise
                status, pause = 0, None
            if status and (status not in _AGAIN or tried == TRIES_MAX):
                return status
            self._wait(min(WAIT_S_MAX, pause if pause is not None else 2 ** (tried - 1)))
        raise AssertionError

    def _try(self, request: str, content: IO[bytes], bytes_max: int, accept: str) -> tuple[int, float | None]:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise FetchFailed(f"Fetching took longer than {self._limits.total_s:g} seconds.")
        limits = outgoing.RequestLimits(total_s=min(left, self._limits.request_s), body_bytes_max=bytes_max)
        headers = {**self._headers, "Accept": accept}
        with outgoing.ask(self._to, "GET", self._root + request, headers=headers, limits=limits) as answer:
            if answer.status == 401:
                create = "Create one there, under Options, Profile, OAuth, Personal Access Tokens."
                raise FetchFailed(f"The Firefly III at {self._to.host} does not accept the token. {create}")
            if 300 <= answer.status < 400:
                target = answer.headers.get("location", "another address")[:200]
                raise FetchFailed(f"{self._to.host} redirects to {target}: if that is right, give that address.")
            if answer.status == 200:
                for chunk in answer.chunks():
                    self._bytes += len(chunk)
                    if self._bytes > self._limits.total_bytes_max:
                        most = self._limits.total_bytes_max // 2**20
                        raise FetchFailed(f"This Firefly III has more than {most} MiB of data.")
                    content.write(chunk)
            seconds = answer.headers.get("retry-after", "").strip()
            return answer.status, float(seconds) if seconds.isdecimal() and len(seconds) < 6 else None


def _decode(body: bytes) -> dict[str, Any]:
    try:
        document = msgspec.json.decode(body)
    except (ValueError, RecursionError) as error:
        raise FetchFailed("The server does not answer with JSON, as a Firefly III does: check the address.") from error
    return document if isinstance(document, dict) else {}


def _major(version: str) -> int:
    """Returns the major version. A development version without a number is assumed to be newer than all others."""
    first = version.removeprefix("v").split(".")[0]
    return int(first) if first.isdecimal() and len(first) < 5 else 10**5
