"""Opens the files in a zip archive one after the other, within limits."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from ..findings import Unreadable

DIRECTORY_BYTES_MAX = 2**20
UNPACKED_BYTES_MAX = 500 * 2**20
_END = b"PK\x05\x06"
_END_BYTES = 22
_ZIP64 = b"PK\x06\x07"
_BROKEN = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError, ValueError)


def open_members(file: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    """Those whose name ends in this, by name; what a Mac adds is passed over."""
    _check_directory(file)
    with _open_archive(file) as archive:
        names = sorted(name for name in archive.namelist() if name.lower().endswith(suffix) and "__MACOSX" not in name)
        if not names:
            raise Unreadable(f"The archive holds no file whose name ends in {suffix}.")
        left = [UNPACKED_BYTES_MAX]
        for name in names:
            try:
                member = archive.open(name)
            except _BROKEN:
                raise Unreadable("The archive is broken or encrypted.") from None
            with member:
                yield cast(BinaryIO, io.BufferedReader(_Limited(member, left)))


def _open_archive(file: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except _BROKEN:
        raise Unreadable("The archive is broken or not complete.") from None


def _check_directory(file: BinaryIO) -> None:
    """Python reads the archive's directory whole, so its size is looked at first."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - 2**16 - _END_BYTES))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0:
        raise Unreadable("The archive is not complete.")
    directory_bytes = int.from_bytes(tail[at + 12 : at + 16], "little")
    if directory_bytes > DIRECTORY_BYTES_MAX or _ZIP64 in tail[max(0, at - 20) : at]:
        raise Unreadable("The archive holds too many files.")


class _Limited(io.RawIOBase):
    """Reads a member, and counts the bytes of all of them: a small archive can unpack to terabytes."""

    def __init__(self, member: "zipfile.ZipExtFile | object", left: list[int]) -> None:
        self.member = cast(BinaryIO, member)
        self.left = left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        try:
            data = self.member.read(len(buffer))
        except _BROKEN:
            raise Unreadable("The archive is broken or encrypted.") from None
        self.left[0] -= len(data)
        if self.left[0] < 0:
            raise Unreadable(f"The archive unpacks to more than {UNPACKED_BYTES_MAX // 2**20} MB.")
        buffer[: len(data)] = data
        return len(data)
