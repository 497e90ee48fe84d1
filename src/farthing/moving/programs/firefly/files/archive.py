"""Opens the files of an import, zips included, within limits of size."""

import codecs
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from msgspec import Struct

from ....findings import Unreadable
from .remarks import shorten

CHUNK_BYTES = 64 * 1024
LINE_CHARACTERS_MAX = 4 * 2**20
# The list of contents is read into memory at once; 16 MiB are some 200 000 files.
CONTENTS_BYTES_MAX = 16 * 2**20
# What a zip may unpack to. Pages of JSON shrink to a twentieth; only a bomb shrinks to a thousandth.
UNPACKED_BYTES_MAX = 8 * 2**30
UNPACKED_RATIO_MAX = 200
UNPACKED_FREE_BYTES = 16 * 2**20

_ZIP_START = b"PK\x03\x04"
_END, _END_64, _END_BYTES = b"PK\x05\x06", b"PK\x06\x07", 22
_ZIP_ERRORS = (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, struct.error, zlib.error)


class ArchiveFile(Struct, frozen=True):
    """`name` is the path within the zip, or the name of a file that came alone."""

    name: str
    open: Callable[[], AbstractContextManager[IO[bytes]]]

    def chunks(self) -> Iterator[bytes]:
        try:
            with self.open() as file:
                while chunk := file.read(CHUNK_BYTES):
                    yield chunk
        except _ZIP_ERRORS as error:
            raise Unreadable(f"The file {shorten(self.name)} is damaged or encrypted: {shorten(error)}.") from error

    def read(self, bytes_max: int) -> bytes:
        content = bytearray()
        for chunk in self.chunks():
            content += chunk
            if len(content) > bytes_max:
                raise Unreadable(f"The file {shorten(self.name)} is larger than {bytes_max // 2**20} MiB.")
        return bytes(content)

    def lines(self) -> Iterator[str]:
        """The lines of a UTF-8 text, with their ends."""
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        rest = ""
        for chunk in self.chunks():
            *lines, rest = (rest + self._decode(decoder, chunk)).split("\n")
            for line in lines:
                yield line + "\n"
            if len(rest) > LINE_CHARACTERS_MAX:
                raise Unreadable(f"The file {shorten(self.name)} has a line of more than 4 million characters.")
        rest += self._decode(decoder, b"", final=True)
        if rest:
            yield rest

    def _decode(self, decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> str:
        try:
            return decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            raise Unreadable(f"The file {shorten(self.name)} is not UTF-8 text, as Firefly III writes it.") from error


def list_files(files: Mapping[str, BinaryIO]) -> dict[str, ArchiveFile]:
    """All files by name; those of zips by their path within the zip. The given files must stay open."""
    found: dict[str, ArchiveFile] = {}
    for name, file in files.items():
        file.seek(0)
        is_zip = file.read(len(_ZIP_START)) == _ZIP_START
        for one in _unzip(name, file) if is_zip else [ArchiveFile(name=name, open=partial(_rewind, file))]:
            if one.name in found:
                raise Unreadable(f"There are two files of the name {shorten(one.name)}: send one of them.")
            found[one.name] = one
    return found


@contextmanager
def _rewind(file: BinaryIO) -> Iterator[BinaryIO]:
    """The caller keeps the file open; it is read from its start."""
    file.seek(0)
    yield file


def _unzip(name: str, file: BinaryIO) -> list[ArchiveFile]:
    packed_bytes = _check_contents(name, file)
    try:
        archive = ZipFile(file)
    except _ZIP_ERRORS as error:
        raise Unreadable(f"The zip file {shorten(name)} is damaged: {shorten(error)}.") from error
    members = [info for info in archive.infolist() if info.filename and not info.is_dir() and not _is_hidden(info)]
    if any(info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for info in members):
        raise Unreadable(f"The zip file {shorten(name)} is compressed in an unusual way: use the plain one.")
    unpacked_bytes = sum(info.file_size for info in members)
    if unpacked_bytes > min(UNPACKED_BYTES_MAX, UNPACKED_FREE_BYTES + UNPACKED_RATIO_MAX * packed_bytes):
        raise Unreadable(f"The zip file {shorten(name)} would unpack to {unpacked_bytes} bytes, which is too much.")
    return [
        ArchiveFile(name=info.filename.removeprefix("./"), open=partial(_open_member, archive, info))
        for info in members
    ]


def _is_hidden(info: ZipInfo) -> bool:
    """What macOS puts into zips beside the files."""
    return info.filename.startswith("__MACOSX/") or info.filename.rsplit("/", 1)[-1].startswith(".")


def _open_member(archive: ZipFile, info: ZipInfo) -> AbstractContextManager[IO[bytes]]:
    return archive.open(info)


def _check_contents(name: str, file: BinaryIO) -> int:
    """Refuses a list of contents that would fill the memory, before anything reads it; the size of the whole file."""
    size = file.seek(0, 2)
    file.seek(max(0, size - CHUNK_BYTES - _END_BYTES))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_BYTES:
        raise Unreadable(f"The zip file {shorten(name)} is damaged: its end is missing.")
    if _END_64 in tail or int.from_bytes(tail[at + 12 : at + 16], "little") > CONTENTS_BYTES_MAX:
        raise Unreadable(f"The zip file {shorten(name)} holds too many files, or more than 4 GiB.")
    return size
