"""Reads an archive that anybody may have written: strictly, line by line, in bounded memory."""

import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec

from farthing.kernel.errors import FarthingError
from farthing.kernel.money import Currency

from ..findings import Unreadable
from .consistency import Checker
from .fields import ArchiveKind
from .layout import BY_NAME, CONTENTS, FORMAT, KINDS, MANIFEST
from .manifest import Manifest
from .values import Misfit, Values, read_line

LINE_BYTES_MAX = 4 * 1024 * 1024
# Of the kinds that are large.
LARGE_LINE_BYTES_MAX = 16 * 1024 * 1024
MEMBERS_MAX = 1_000_000
_MANIFEST_BYTES_MAX = 64 * 1024 * 1024
_PIECE_BYTES = 1024 * 1024
_ENCRYPTED = 0x1
_CONTENT = re.compile(rf"{CONTENTS}/[0-9a-f]{{64}}")
_DAMAGES = (BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, KeyError, OSError, RuntimeError)


class Archive:
    """`currencies` are those of this installation, by code; `own` those that the archive brings along."""

    def __init__(self, file: ZipFile, members: Mapping[str, ZipInfo], manifest: Manifest) -> None:
        self._file = file
        self._members = members
        self.manifest = manifest
        self.contents = frozenset(name[-64:] for name in members if _CONTENT.fullmatch(name))

    def rows(self, kind: ArchiveKind, currencies: Mapping[str, Currency]) -> Iterator[Values]:
        """The lines of one kind, each valid by itself."""
        number = 0
        for number, line in enumerate(self._lines(kind), start=1):
            with naming(kind, number):
                yield read_line(kind, line, currencies)
        expected = self.manifest.counts.get(kind.name, 0)
        if number != expected:
            raise Unreadable(f"{kind.file} has {number} lines, but {MANIFEST} says that it has {expected}.")

    def pieces(self, sha256: str) -> Iterator[bytes]:
        name = f"{CONTENTS}/{sha256}"
        with _refuse_damage(name), self._file.open(self._members[name]) as member:
            while piece := member.read(_PIECE_BYTES):
                yield piece

    def size(self, sha256: str) -> int:
        return self._members[f"{CONTENTS}/{sha256}"].file_size

    def _lines(self, kind: ArchiveKind) -> Iterator[bytes]:
        if kind.file not in self._members:
            return
        most = LARGE_LINE_BYTES_MAX if kind.is_large else LINE_BYTES_MAX
        with _refuse_damage(kind.file), self._file.open(self._members[kind.file]) as member:
            for number in range(1, kind.lines_max + 2):
                line = member.readline(most + 1)
                if not line:
                    return
                if len(line) > most:
                    raise Unreadable(f"{kind.file}, line {number}: a line may have at most {most} bytes.")
                if number > kind.lines_max:
                    raise Unreadable(f"{kind.file} may have at most {kind.lines_max} lines.")
                yield line


@contextmanager
def naming(kind: ArchiveKind, number: int) -> Iterator[None]:
    """Says which line it is that does not fit."""
    try:
        yield
    except Misfit as error:
        raise Unreadable(f"{kind.file}, line {number}: {error}.") from error


@contextmanager
def open_archive(file: BinaryIO) -> Iterator[Archive]:
    with _refuse_damage("the file"):
        opened = ZipFile(file)
    with opened:
        members = _list_members(opened)
        yield Archive(opened, members, _read_manifest(opened, members))


def check(archive: Archive, currencies: Mapping[str, Currency]) -> None:
    """Every line of every kind, before anything is stored."""
    checker = Checker(archive.contents | set(archive.manifest.missing))
    for kind in KINDS:
        for number, values in enumerate(archive.rows(kind, currencies), start=1):
            with naming(kind, number):
                checker.check(kind, values)
    try:
        checker.finish()
    except Misfit as error:
        raise Unreadable(f"{BY_NAME['accounts'].file}: {error}.") from error


def _list_members(file: ZipFile) -> dict[str, ZipInfo]:
    found = file.infolist()
    members = {one.filename: one for one in found}
    if len(members) != len(found) or len(found) > MEMBERS_MAX:
        raise Unreadable("This is no archive of Farthing: names occur twice in it, or it has too many of them.")
    if MANIFEST not in members:
        raise Unreadable(f"This is no archive of Farthing: it has no {MANIFEST}.")
    known = {MANIFEST, *(kind.file for kind in KINDS)}
    for name, one in members.items():
        if name not in known and not _CONTENT.fullmatch(name):
            raise Unreadable(f"This archive of Farthing has a file that does not belong there: {name[:80]!r}.")
        if one.flag_bits & _ENCRYPTED or one.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise Unreadable("The archive is encrypted, or packed in an unknown way.")
    return members


def _read_manifest(file: ZipFile, members: Mapping[str, ZipInfo]) -> Manifest:
    with _refuse_damage(MANIFEST), file.open(members[MANIFEST]) as member:
        text = member.read(_MANIFEST_BYTES_MAX + 1)
    if len(text) > _MANIFEST_BYTES_MAX:
        raise Unreadable(f"{MANIFEST} is too large.")
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise Unreadable(f"{MANIFEST} is not what this version can read: {error}.") from error
    if manifest.format > FORMAT:
        raise Unreadable(f"The archive was made by a newer Farthing ({manifest.version}): install that version.")
    return manifest


@contextmanager
def _refuse_damage(name: str) -> Iterator[None]:
    try:
        yield
    except (Unreadable, FarthingError):
        raise
    except _DAMAGES as error:
        raise Unreadable(f"{name} cannot be read; the archive is damaged: {error or type(error).__name__}") from error
