"""Opens zip and gzip files of strangers within stated limits."""

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import IO, BinaryIO

from ..findings import Unreadable

FILES_MAX = 2_000
UNPACKED_BYTES_MAX = 256 * 2**20
# Text shrinks to a tenth, rarely to a fiftieth; a bomb to a thousandth. Small files may be as empty as they like.
RATIO_MAX = 200
RATIO_COUNTS_FROM_BYTES = 8 * 2**20
NAME_LETTERS_MAX = 255
_CHUNK_BYTES = 2**18
# What the library raises on damaged archives, documented or not.
_DAMAGES = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, NotImplementedError, LookupError)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_gzip(head: bytes) -> bool:
    return head.startswith(b"\x1f\x8b")


def gunzip_head(head: bytes, bytes_max: int = 4096) -> bytes:
    """The beginning of what a gzip file holds, for a first look."""
    try:
        return zlib.decompressobj(wbits=31).decompress(head, bytes_max)
    except zlib.error:
        return b""


def open_files(files: Mapping[str, BinaryIO], bytes_max: int = UNPACKED_BYTES_MAX) -> dict[str, bytes]:
    """All files by name, zip archives unpacked one level deep; `bytes_max` is for all of them together."""
    contents: dict[str, bytes] = {}
    left = bytes_max
    for name, file in files.items():
        head = file.read(4)
        file.seek(0)
        found = unzip(file, name, left) if is_zip(head) else ((name, _whole(file, name, left)) for _ in (1,))
        for inner, content in found:
            left -= len(content)
            contents[inner] = content
    return contents


def unzip(file: BinaryIO, name: str, bytes_max: int = UNPACKED_BYTES_MAX) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(file) as opened:
            yield from _members(opened, name, bytes_max)
    except _DAMAGES as error:
        raise Unreadable(f"{name} is a damaged zip archive.") from error
    except (RuntimeError, ValueError, UnicodeDecodeError, OverflowError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"{name} is a zip archive that is encrypted or damaged.") from error


def _members(opened: zipfile.ZipFile, name: str, bytes_max: int) -> Iterator[tuple[str, bytes]]:
    infos = [info for info in opened.infolist() if not info.is_dir()]
    if len(infos) > FILES_MAX:
        raise Unreadable(f"{name} contains {len(infos)} files; at most {FILES_MAX} are read.")
    left = bytes_max
    seen: set[str] = set()
    for info in infos:
        _check_member(info, name)
        if info.filename in seen:
            raise Unreadable(f"{name} contains two files named {info.filename[:80]}.")
        seen.add(info.filename)
        with opened.open(info) as member:
            content = _limited(member, f"{info.filename[:80]} in {name}", left, info.compress_size)
        left -= len(content)
        yield info.filename, content


def _check_member(info: zipfile.ZipInfo, name: str) -> None:
    path = info.filename
    if len(path) > NAME_LETTERS_MAX or "\0" in path:
        raise Unreadable(f"{name} contains a file whose name is too long.")
    if path.startswith("/") or "\\" in path or ":" in path[:3] or ".." in path.split("/"):
        raise Unreadable(f"{name} contains a file that points outside the archive: {path[:80]}.")
    if info.flag_bits & 1 or info.compress_type not in _METHODS:
        raise Unreadable(f"{path[:80]} in {name} is encrypted or packed in a way that is not read; plain zip is right.")


def gunzip(file: BinaryIO, name: str, bytes_max: int = UNPACKED_BYTES_MAX) -> bytes:
    packed = file.seek(0, io.SEEK_END)
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file) as opened:
            return _limited(opened, name, bytes_max, packed)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"{name} is a damaged gzip file.") from error


def _limited(member: IO[bytes] | gzip.GzipFile, name: str, bytes_max: int, packed: int) -> bytes:
    found = io.BytesIO()
    while chunk := member.read(_CHUNK_BYTES):
        size = found.tell() + len(chunk)
        if size > bytes_max:
            raise Unreadable(f"{name} unpacks to more than {bytes_max >> 20} MiB; this is the most that is read.")
        if size > RATIO_COUNTS_FROM_BYTES and size > packed * RATIO_MAX:
            raise Unreadable(f"{name} unpacks to more than {RATIO_MAX} times its size; such files are not read.")
        found.write(chunk)
    return found.getvalue()


def _whole(file: BinaryIO, name: str, bytes_max: int) -> bytes:
    content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise Unreadable(f"{name} has more than {bytes_max >> 20} MiB; this is the most that is read.")
    return content
