"""Sends a file piece by piece: the whole, a range of it, or 304 when the caller has it already."""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct, structs
from starlette.types import Send

from farthing.kernel.errors import Conflict, FarthingError, Unavailable, WrongRange
from farthing.storage.blobs import Lost, Reader

from .answer import problems
from .answer.headers import NOT_STORED
from .answer.reply import Reply, make_reply, send_reply
from .endpoint import READING_FILES, Runtime
from .request.call import Stored

_LOG = logging.getLogger("farthing.contents")
_RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))")


class Stretch(Struct, frozen=True):
    """The bytes from `first` on."""

    first: int
    count: int


def parse_range(header: str, size: int) -> Stretch | None:
    """None means the whole file: for invalid or several ranges, and for units other than bytes."""
    found = _RANGE.fullmatch(header.replace(" ", ""))
    if found is None:
        return None
    first, last, suffix = found.groups()
    if suffix is not None:
        return _clip(max(0, size - int(suffix)), size - 1, size)
    if last and int(last) < int(first):
        return None
    return _clip(int(first), min(int(last), size - 1) if last else size - 1, size)


def _clip(first: int, last: int, size: int) -> Stretch:
    if first > last:
        raise WrongRange(f"The file has {size} bytes, and none of them is in that range.")
    return Stretch(first=first, count=last - first + 1)


def has_content(if_none_match: str, tag: str) -> bool:
    """Whether the caller has this content already."""
    return if_none_match.strip() == "*" or tag in if_none_match


async def send_file(
    runtime: Runtime, reply: Reply, file: Stored, asked: Mapping[bytes, bytes], send: Send, *, head: bool
) -> None:
    """`asked` are the headers of the request; a HEAD gets the headers for the whole file, and no body."""
    tag = f'"{file.sha256}"'
    headers = [*reply.headers, (b"etag", tag.encode()), (b"accept-ranges", b"bytes")]
    if has_content(_text(asked, b"if-none-match"), tag):
        await send_reply(structs.replace(reply, status=304, headers=headers), send)
        return
    try:
        stretch = None if head else _stretch(asked, tag, file.size)
        if not head and _may_redirect(asked) and (link := await runtime.run_in_thread(_link, runtime, reply, file)):
            await send_reply(_redirect(reply, link), send)
            return
        first, count = (stretch.first, stretch.count) if stretch else (0, file.size)
        reader = await runtime.run_in_thread(_open, runtime, file, first, 0 if head else count)
    except FarthingError as error:
        if isinstance(error, Unavailable):
            runtime.outages.note(READING_FILES, error)
        await send_reply(_refuse(error, file), send, head=head)
        return
    runtime.outages.note_success(READING_FILES)
    headers += [(b"content-type", b"application/octet-stream"), (b"content-length", str(count).encode())]
    if stretch:
        headers.append((b"content-range", f"bytes {first}-{first + count - 1}/{file.size}".encode()))
    await send({"type": "http.response.start", "status": 206 if stretch else 200, "headers": headers})
    await _send_pieces(runtime, reader, send)


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1")


def _stretch(asked: Mapping[bytes, bytes], tag: str, size: int) -> Stretch | None:
    """With `If-Range`, a part is sent only if the tag still matches; a date never matches, because we send none."""
    if b"range" not in asked or _text(asked, b"if-range") not in ("", tag):
        return None
    return parse_range(_text(asked, b"range"), size)


def _may_redirect(asked: Mapping[bytes, bytes]) -> bool:
    """Only programs: our pages may load nothing from elsewhere. Not with `If-Range`: contents have other tags there."""
    return b"authorization" in asked and b"if-range" not in asked


def _redirect(reply: Reply, link: str) -> Reply:
    headers = [(b"location", link.encode()), (b"content-length", b"0"), NOT_STORED]
    return structs.replace(reply, status=302, headers=headers, file=None)


def _link(runtime: Runtime, reply: Reply, file: Stored) -> str | None:
    disposition = dict(reply.headers)[b"content-disposition"].decode("latin-1")
    with _refuse_lost(file):
        return runtime.blobs.link(file.user_id, file.sha256, size=file.size, disposition=disposition)


def _open(runtime: Runtime, file: Stored, first: int, count: int) -> Reader:
    """Compares the whole with its hash before anything is sent under the tag of the right bytes."""
    with _refuse_lost(file):
        runtime.blobs.verify(file.user_id, file.sha256, size=file.size)
        return runtime.blobs.read(file.user_id, file.sha256, size=file.size, first=first, count=count)


@contextmanager
def _refuse_lost(file: Stored) -> Iterator[None]:
    try:
        yield
    except Lost as error:
        _LOG.error("content %s of user %s cannot be sent: %s", file.sha256, file.user_id, error)
        raise Conflict("The content of this attachment is damaged, or not on this server; upload it again.") from error


def _refuse(error: FarthingError, file: Stored) -> Reply:
    answer = problems.answer_to(error)
    if isinstance(error, WrongRange):
        answer = structs.replace(answer, headers=(("content-range", f"bytes */{file.size}"),))
    return make_reply(answer)


async def _send_pieces(runtime: Runtime, reader: Reader, send: Send) -> None:
    """Sends what is in the page cache at once; reads the rest in a thread, so that nobody else waits for the disk."""
    try:
        while reader.has_more:
            piece: bytes | bytearray | None = reader.at_hand()
            if not piece:
                piece = await runtime.run_in_thread(reader.read)
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    except Unavailable as error:  # the answer has begun: all that is left is to break it off
        runtime.outages.note(READING_FILES, error)
    finally:
        await runtime.run_in_thread(reader.close)
