"""Opens untrusted zip archives. Refuses archives that would fill the memory or confuse the zip library."""

import io
import re
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

# All errors that the zip library raises for damaged archives, whether documented or not.
DAMAGES = (
    BadZipFile, zlib.error, struct.error, EOFError, OSError, LookupError, RuntimeError, ValueError, OverflowError,
    MemoryError,
)  # fmt: skip
# The records at the end of an archive: their signature, and where the size of the central directory is in them.
_ENDS = ((b"PK\x05\x06", 12, 4), (b"PK\x06\x06", 40, 8))
_DECLARED_ELSEWHERE = 2**32 - 1
_END_BYTES = 22
# Large archives have a zip64 end record and its locator, just before the usual end record.
_LARGE_END_BYTES = 56 + 20
_COMMENT_BYTES_MAX = 2**16
_METHODS = (ZIP_STORED, ZIP_DEFLATED)
# Encrypted contents, strong encryption, encrypted names.
_ENCRYPTED = 0x1 | 0x40 | 0x2000


class BadArchive(ValueError):
    """Raised for an archive that cannot be used. The message completes a sentence that begins with the file's name."""


def open_archive(file: BinaryIO, contents_bytes_max: int, *, comment_bytes_max: int = _COMMENT_BYTES_MAX) -> ZipFile:
    """Opens an archive. Raises BadArchive if it is damaged, or its central directory exceeds `contents_bytes_max`.

    The size of the central directory is limited because the library reads all of it into memory. If the comment of the
    archive contains further end records, the sizes in all of them are checked, because programs disagree on which end
    record is valid.
    """
    _check_contents(file, contents_bytes_max, comment_bytes_max)
    try:
        return ZipFile(file)
    except DAMAGES as error:
        raise BadArchive("is a damaged zip archive") from error


def is_plain(member: ZipInfo) -> bool:
    """Tells whether a file in an archive is not encrypted, and compressed by a method that is always supported."""
    return not member.flag_bits & _ENCRYPTED and member.compress_type in _METHODS


def _check_contents(file: BinaryIO, bytes_max: int, comment_bytes_max: int) -> None:
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _LARGE_END_BYTES - _END_BYTES - comment_bytes_max))
    tail = file.read()
    file.seek(0)
    if _ENDS[0][0] not in tail[-_END_BYTES - comment_bytes_max :]:
        raise BadArchive("is a damaged zip archive: its end is missing")
    if any(size > bytes_max for size in _declared_sizes(tail)):
        raise BadArchive("holds too many files")


def _declared_sizes(tail: bytes) -> Iterator[int]:
    """Yields the size of the central directory according to everything that looks like an end record."""
    for signature, offset, length in _ENDS:
        for match in re.finditer(re.escape(signature), tail):
            size = int.from_bytes(tail[match.start() + offset :][:length], "little")
            if size != _DECLARED_ELSEWHERE:
                yield size
