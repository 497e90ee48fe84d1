"""Reads an archive that anybody may have written: strictly, line by line, in bounded memory."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import BinaryIO

import msgspec
from msgspec import Struct

from farthing.kernel.money import Currency

from ..findings import Unreadable
from ..zip_files import ZipFiles, ZipLimits
from .consistency import Checker
from .fields import ArchiveKind
from .layout import BY_NAME, CONTENTS, FORMAT, KINDS
from .manifest import MANIFEST, ArchiveManifest
from .values import Misfit, Values, read_line

LINE_BYTES_MAX = 4 * 1024 * 1024
# Applies to kinds with `is_large`.
LARGE_LINE_BYTES_MAX = 16 * 1024 * 1024
_MANIFEST_BYTES_MAX = 64 * 1024 * 1024
_PIECE_BYTES = 1024 * 1024
_CONTENT = re.compile(rf"{CONTENTS}/[0-9a-f]{{64}}")
# These limits are generous, because quotas and the limits of lines restrict how much is stored.
_LIMITS = ZipLimits(files=1_000_000, unpacked_bytes=2**50, contents_bytes=2**28, any_ratio=True)


class CheckQuestion(Struct, frozen=True):
    currencies: Mapping[str, Currency]


class OpenArchive:
    """`contents` holds the hashes of the attachments' contents, `contents_bytes` their total size."""

    def __init__(self, files: ZipFiles, manifest: ArchiveManifest) -> None:
        self._files = files
        self.manifest = manifest
        self.contents = frozenset(name[-64:] for name in files.sizes if _CONTENT.fullmatch(name))
        self.contents_bytes = sum(files.sizes[f"{CONTENTS}/{sha256}"] for sha256 in self.contents)

    def rows(self, kind: ArchiveKind, currencies: Mapping[str, Currency]) -> Iterator[Values]:
        number = 0
        for number, line in enumerate(self._lines(kind), start=1):
            with naming(kind, number):
                yield read_line(kind, line, currencies)
        expected = self.manifest.counts.get(kind.name, 0)
        if number != expected:
            raise Unreadable(f"{kind.file} has {number} lines, but {MANIFEST} says that it has {expected}.")

    def pieces(self, sha256: str) -> Iterator[bytes]:
        with self._files.open(f"{CONTENTS}/{sha256}") as member:
            while piece := member.read(_PIECE_BYTES):
                yield piece

    def _lines(self, kind: ArchiveKind) -> Iterator[bytes]:
        if kind.file not in self._files.sizes:
            return
        most = LARGE_LINE_BYTES_MAX if kind.is_large else LINE_BYTES_MAX
        with self._files.open(kind.file) as member:
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
    """Adds the file and the line number to an error about a line."""
    try:
        yield
    except Misfit as error:
        raise Unreadable(f"{kind.file}, line {number}: {error}.") from error


def open_archive(file: BinaryIO) -> OpenArchive:
    """Opens an archive. The file must stay open as long as the archive is used."""
    files = ZipFiles(file, "The archive", _LIMITS)
    if MANIFEST not in files.sizes:
        raise Unreadable(f"This is no archive of Farthing: it has no {MANIFEST}.")
    names = {MANIFEST, *(kind.file for kind in KINDS)}
    for name in files.sizes:
        if name not in names and not _CONTENT.fullmatch(name):
            raise Unreadable(f"This archive of Farthing has a file that does not belong there: {name[:80]!r}.")
    return OpenArchive(files, _read_manifest(files))


def check_file(question: CheckQuestion, files: Sequence[BinaryIO]) -> Iterator[None]:
    """Checks an untrusted archive. Runs in a separate process and yields nothing. Raises Unreadable."""
    archive = open_archive(files[0])
    check(archive, {**question.currencies, **read_own_currencies(archive, question.currencies)})
    yield from ()


def read_own_currencies(archive: OpenArchive, currencies: Mapping[str, Currency]) -> dict[str, Currency]:
    """Reads currencies that do not exist here yet. Raises Unreadable if one exists with different decimal places."""
    own: dict[str, Currency] = {}
    for values in archive.rows(BY_NAME["currencies"], {}):
        code, places = values["code"], values["decimal_places"]
        if code not in currencies:
            own[code] = Currency(id=0, code=code, name=values["name"], symbol=values["symbol"], places=places)
        elif currencies[code].places != places:
            own_places = f"{currencies[code].places} decimal places here"
            raise Unreadable(f"currencies.jsonl: {code} has {own_places}, not {places}.")
    return own


def check(archive: OpenArchive, currencies: Mapping[str, Currency]) -> None:
    checker = Checker(archive.contents | set(archive.manifest.missing))
    for kind in KINDS:
        for number, values in enumerate(archive.rows(kind, currencies), start=1):
            with naming(kind, number):
                checker.check(kind, values)
    try:
        checker.finish()
    except Misfit as error:
        raise Unreadable(f"{BY_NAME['accounts'].file}: {error}.") from error


def _read_manifest(files: ZipFiles) -> ArchiveManifest:
    if files.sizes[MANIFEST] > _MANIFEST_BYTES_MAX:
        raise Unreadable(f"{MANIFEST} is too large.")
    text = files.read(MANIFEST)
    try:
        manifest = msgspec.json.decode(text, type=ArchiveManifest)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise Unreadable(f"{MANIFEST} cannot be read by this version: {error}.") from error
    if manifest.format > FORMAT:
        raise Unreadable(f"The archive was made by a newer Farthing ({manifest.version}): install that version.")
    return manifest
