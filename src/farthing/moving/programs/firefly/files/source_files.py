"""Opens the files of an import, zips included, within limits of size."""

import codecs
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import IO, BinaryIO

from msgspec import Struct

from ....findings import Unreadable, shorten
from ....zip_files import START, ZipFiles, ZipLimits

CHUNK_BYTES = 64 * 1024
LINE_CHARACTERS_MAX = 4 * 2**20
# 16 MiB of contents are some 200 000 files.
_LIMITS = ZipLimits(files=200_000, unpacked_bytes=8 * 2**30, contents_bytes=16 * 2**20)


class SourceFile(Struct, frozen=True):
    """`name` is the path within the zip, or the name of a file that is not zipped."""

    name: str
    open: Callable[[], AbstractContextManager[IO[bytes]]]

    def chunks(self) -> Iterator[bytes]:
        with self.open() as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    def read(self, bytes_max: int) -> bytes:
        content = bytearray()
        for chunk in self.chunks():
            content += chunk
            if len(content) > bytes_max:
                raise Unreadable(f"The file {shorten(self.name)} is larger than {bytes_max // 2**20} MiB.")
        return bytes(content)

    def lines(self) -> Iterator[str]:
        """Yields the lines of a UTF-8 text, including their line ends."""
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


def list_files(files: Mapping[str, BinaryIO]) -> dict[str, SourceFile]:
    """Lists all files by name, and those in zips by their path within the zip. The given files must stay open."""
    files_by_name: dict[str, SourceFile] = {}
    for name, file in files.items():
        file.seek(0)
        is_zip = file.read(len(START)) == START
        for source_file in _unzip(name, file) if is_zip else [SourceFile(name=name, open=partial(_rewind, file))]:
            if source_file.name in files_by_name:
                raise Unreadable(f"There are two files named {shorten(source_file.name)}: send only one of them.")
            files_by_name[source_file.name] = source_file
    return files_by_name


@contextmanager
def _rewind(file: BinaryIO) -> Iterator[BinaryIO]:
    """Yields the file from its start. The caller keeps it open."""
    file.seek(0)
    yield file


def _unzip(name: str, file: BinaryIO) -> list[SourceFile]:
    packed = ZipFiles(file, f"The zip file {shorten(name)}", _LIMITS)
    return [SourceFile(name=path, open=partial(packed.open, path)) for path in packed.sizes]
