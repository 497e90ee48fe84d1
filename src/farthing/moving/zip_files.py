"""Reads untrusted zip files. Checks the declared contents against limits before unpacking anything."""

import io
from typing import IO, BinaryIO, cast
from zipfile import ZipInfo

from msgspec import Struct

from farthing.storage.zip_archives import DAMAGES, BadArchive, is_plain, open_archive

from .findings import Unreadable

START = b"PK\x03\x04"
_BUFFER_BYTES = 2**16
_NAME_LETTERS_MAX = 255
# Compressed text shrinks to a tenth, rarely to a fiftieth; a zip bomb to a thousandth. Small files may have any ratio.
_RATIO_MAX = 200
_RATIO_FREE_BYTES = 16 * 2**20


class ZipLimits(Struct, frozen=True, kw_only=True):
    """Limits the size of all unpacked files together (`unpacked_bytes`), and the size of the zip file's table of
    contents (`contents_bytes`), which is read as a whole.
    """

    files: int
    unpacked_bytes: int
    contents_bytes: int = 2**20
    # Allows the zip file to unpack to any multiple of its size.
    any_ratio: bool = False


class ZipFiles:
    """Reads the files of a zip file by name, except folders and files that macOS adds. The zip file must stay open."""

    def __init__(self, file: BinaryIO, name: str, limits: ZipLimits) -> None:
        """`name` is the name of the zip file in error messages. Raises Unreadable."""
        self._name = name
        self._packed_bytes = file.seek(0, io.SEEK_END)
        try:
            self._file = open_archive(file, limits.contents_bytes)
        except BadArchive as error:
            raise Unreadable(f"{name} {error}.") from error
        listed = self._file.infolist()
        self._infos = _by_name([info for info in listed if not info.is_dir() and not _is_hidden(info.filename)], name)
        self.sizes = {path: info.file_size for path, info in self._infos.items()}
        # The zip library never unpacks more than these declared sizes.
        if len(self.sizes) > limits.files:
            raise Unreadable(f"{self._name} contains {len(self.sizes)} files, but at most {limits.files} are allowed.")
        unpacked = sum(self.sizes.values())
        if unpacked > limits.unpacked_bytes:
            most = f"{limits.unpacked_bytes >> 20} MiB"
            raise Unreadable(f"{self._name} unpacks to more than {most}, which is the largest size allowed.")
        if not limits.any_ratio and unpacked > _RATIO_FREE_BYTES + _RATIO_MAX * self._packed_bytes:
            raise Unreadable(f"{self._name} unpacks to more than {_RATIO_MAX} times its size, so it is not read.")

    def open(self, path: str) -> BinaryIO:
        """Opens a file in the zip file. Raises Unreadable, either here or while the file is being read."""
        described = f"{path[:80]} in {self._name}"
        try:
            member = self._file.open(self._infos[path])
        except DAMAGES as error:
            raise Unreadable(f"{described} is damaged.") from error
        return cast(BinaryIO, io.BufferedReader(_Member(member, described), _BUFFER_BYTES))

    def read(self, path: str) -> bytes:
        with self.open(path) as member:
            return member.read()


class _Member(io.RawIOBase):
    """Reads one file of a zip file. Raises Unreadable if damage is noticed meanwhile."""

    def __init__(self, member: IO[bytes], described: str) -> None:
        self._member, self._described = member, described

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        try:
            data = self._member.read(len(buffer))
        except DAMAGES as error:
            raise Unreadable(f"{self._described} is damaged.") from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._member.close()
        super().close()


def _is_hidden(path: str) -> bool:
    """Recognizes files that macOS adds to zip files."""
    name = path.rpartition("/")[2]
    return path.startswith("__MACOSX/") or name.startswith("._") or name == ".DS_Store"


def _by_name(infos: list[ZipInfo], name: str) -> dict[str, ZipInfo]:
    infos_by_path: dict[str, ZipInfo] = {}
    for info in infos:
        path = info.filename.replace("\\", "/").removeprefix("./")
        if not path or len(path) > _NAME_LETTERS_MAX or "\0" in path:
            raise Unreadable(f"{name} contains a file whose name is too long.")
        if path.startswith("/") or ":" in path[:3] or ".." in path.split("/"):
            raise Unreadable(f"{name} contains a file that points outside the archive: {path[:80]}.")
        if not is_plain(info):
            problem = "is encrypted or uses an unsupported compression. Use a plain zip file."
            raise Unreadable(f"{path[:80]} in {name} {problem}")
        if path in infos_by_path:
            raise Unreadable(f"{name} contains two files named {path[:80]}.")
        infos_by_path[path] = info
    return infos_by_path
