"""Sends a whole file or a range of it, piece by piece. Answers 304 if the caller already has the file."""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct, structs
from starlette.types import Send

from farthing.kernel.errors import Conflict, FarthingError, Unavailable, WrongRange
from farthing.storage.blobs import BlobReader, Lost

from ..answer import problems
from ..answer.headers import NOT_STORED
from ..answer.reply import Reply, make_reply, send_reply
from ..handling.runtime import Runtime
from ..request.call import StoredFile
from ..request.language import State

_LOG = logging.getLogger("farthing.contents")
READING_FILES = "reading attachments"
_RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))")


class ByteRange(Struct, frozen=True):
    """Selects `count` bytes, beginning with the byte at `first`."""

    first: int
    count: int


def parse_range(header: str, size: int) -> ByteRange | None:
    """Returns the range that a `Range` header asks for, or None for the whole file.

    The whole file is sent if the header is invalid, contains several ranges, or has a unit other than bytes.
    """
    match = _RANGE.fullmatch(header.replace(" ", ""))
    if match is None:
        return None
    first, last, suffix = match.groups()
    if suffix is not None:
        return _clip(max(0, size - int(suffix)), size - 1, size)
    if last and int(last) < int(first):
        return None
    return _clip(int(first), min(int(last), size - 1) if last else size - 1, size)


def _clip(first: int, last: int, size: int) -> ByteRange:
    if first > last:
        raise WrongRange(f"The range lies outside the file, which has {size} bytes.")
    return ByteRange(first=first, count=last - first + 1)


def has_content(if_none_match: str, tag: str) -> bool:
    """Returns whether the caller already has the content with this tag."""
    return if_none_match.strip() == "*" or tag in if_none_match


async def send_file(runtime: Runtime, reply: Reply, file: StoredFile, state: State, send: Send, *, head: bool) -> None:
    """Answers a GET or a HEAD request for a file. A HEAD request gets the headers of the whole file and no body."""
    headers = state["headers"]
    tag = f'"{file.sha256}"'
    answered = [*reply.headers, (b"etag", tag.encode()), (b"accept-ranges", b"bytes")]
    if has_content(_text(headers, b"if-none-match"), tag):
        await send_reply(structs.replace(reply, status=304, headers=answered), send)
        return
    try:
        range_ = None if head else _choose_range(headers, tag, file.size)
        if not head and _may_redirect(headers) and (link := await runtime.run_in_thread(_link, runtime, reply, file)):
            await send_reply(_redirect(reply, link), send)
            return
        first, count = (range_.first, range_.count) if range_ else (0, file.size)
        reader = await runtime.run_in_thread(_open, runtime, file, first, 0 if head else count)
    except FarthingError as error:
        if isinstance(error, Unavailable):
            runtime.outages.note(READING_FILES, error)
        await send_reply(_refuse(error, file, state), send, head=head)
        return
    runtime.outages.note_success(READING_FILES)
    answered += [(b"content-type", b"application/octet-stream"), (b"content-length", str(count).encode())]
    if range_:
        answered.append((b"content-range", f"bytes {first}-{first + count - 1}/{file.size}".encode()))
    await send({"type": "http.response.start", "status": 206 if range_ else 200, "headers": answered})
    await _send_pieces(runtime, reader, send)


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1")


def _choose_range(headers: Mapping[bytes, bytes], tag: str, size: int) -> ByteRange | None:
    """Returns the range to send, or None for the whole file. If `If-Range` is sent, its tag must still match.

    A date in `If-Range` never matches, because our answers contain none.
    """
    if b"range" not in headers or _text(headers, b"if-range") not in ("", tag):
        return None
    return parse_range(_text(headers, b"range"), size)


def _may_redirect(headers: Mapping[bytes, bytes]) -> bool:
    """Returns whether the request may be redirected to the S3 server.

    This is allowed only for programs with a token, because our pages may load nothing from other hosts. It is not
    allowed with `If-Range`, because the S3 server has other tags for the same contents.
    """
    return b"authorization" in headers and b"if-range" not in headers


def _redirect(reply: Reply, link: str) -> Reply:
    headers = [(b"location", link.encode()), (b"content-length", b"0"), NOT_STORED]
    return structs.replace(reply, status=302, headers=headers, file=None)


def _link(runtime: Runtime, reply: Reply, file: StoredFile) -> str | None:
    disposition = dict(reply.headers)[b"content-disposition"].decode("latin-1")
    with _refuse_lost(file):
        return runtime.blobs.link(file.user_id, file.sha256, size=file.size, disposition=disposition)


def _open(runtime: Runtime, file: StoredFile, first: int, count: int) -> BlobReader:
    """Opens the file for reading, after checking its hash, because the ETag of the answer promises this content."""
    with _refuse_lost(file):
        runtime.blobs.verify(file.user_id, file.sha256, size=file.size)
        return runtime.blobs.read(file.user_id, file.sha256, size=file.size, first=first, count=count)


@contextmanager
def _refuse_lost(file: StoredFile) -> Iterator[None]:
    try:
        yield
    except Lost as error:
        _LOG.error("content %s of user %s cannot be sent: %s", file.sha256, file.user_id, error)
        raise Conflict(
            "The content of this attachment is damaged or missing on this server. Upload it again."
        ) from error


def _refuse(error: FarthingError, file: StoredFile, state: State) -> Reply:
    answer = problems.answer_to(error)
    if isinstance(error, WrongRange):
        answer = structs.replace(answer, headers=(("content-range", f"bytes */{file.size}"),))
    return make_reply(answer, state=state)


async def _send_pieces(runtime: Runtime, reader: BlobReader, send: Send) -> None:
    """Sends the file. Pieces in the page cache are sent directly. All others are read in a thread, so that no other
    request waits for the disk."""
    try:
        while reader.has_more:
            piece: bytes | bytearray | None = reader.at_hand()
            if not piece:
                piece = await runtime.run_in_thread(reader.read)
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    except Unavailable as error:  # the answer has begun, so all that remains is to end it early
        runtime.outages.note(READING_FILES, error)
    finally:
        await runtime.run_in_thread(reader.close)
