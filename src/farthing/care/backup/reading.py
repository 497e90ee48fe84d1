"""Opens backups. A backup is untrusted, so everything in it is checked before it is used."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from zipfile import ZipFile, ZipInfo

import msgspec
from msgspec import Struct

from farthing.kernel.errors import Unusable
from farthing.storage.zip_archives import DAMAGES, BadArchive, is_plain, open_archive

from .manifest import CONTENTS, DATABASE, FORMAT, MANIFEST, BackupManifest, File

PIECE = 1024 * 1024
_MEMBERS_MAX = 1_000_000
# Each attachment takes about 150 bytes in the zip file's central directory.
_CONTENTS_BYTES_MAX = _MEMBERS_MAX * 200
# The largest manifest: the first number leaves room to list tens of thousands of missing contents, and the second is
# for each file in the archive.
_MANIFEST_BYTES, _MANIFEST_BYTES_EACH = 4 * 1024**2, 1024


def manifest_bytes_max(members: int) -> int:
    return _MANIFEST_BYTES + members * _MANIFEST_BYTES_EACH


class BackupArchive(Struct, frozen=True):
    """Reads the files of a backup, and checks each against the manifest."""

    _file: ZipFile
    _members: Mapping[str, ZipInfo]
    manifest: BackupManifest

    def contents(self) -> Iterator[tuple[int, str]]:
        """Yields the user id and the hash of each attachment's content."""
        for name in self.manifest.files:
            if name.startswith(f"{CONTENTS}/"):
                _, user_id, sha256 = name.split("/")
                yield int(user_id), sha256

    def content(self, user_id: int, sha256: str) -> Iterator[bytes]:
        return self.pieces(f"{CONTENTS}/{user_id}/{sha256}")

    def pieces(self, name: str) -> Iterator[bytes]:
        expected = self.manifest.files.get(name)
        if expected is None or name not in self._members:
            raise Unusable(f"The backup does not contain {name}.")
        digest, size = hashlib.sha256(), 0
        for piece in _read_pieces(self._file, self._members[name]):
            digest.update(piece)
            size += len(piece)
            if size > expected.size:
                break
            yield piece
        if File(sha256=digest.hexdigest(), size=size) != expected:
            raise Unusable(f"The backup is damaged: {name} differs from what was packed.")


@contextmanager
def open_backup(path: Path) -> Iterator[BackupArchive]:
    with _refuse_damage(str(path)):
        opened = path.open("rb")
    with opened, _open_archive(path, opened) as file:
        members = _list_members(path, file)
        manifest = _read_manifest(path, file, members)
        _refuse_false_claims(members, manifest)
        yield BackupArchive(file, members, manifest)


def _open_archive(path: Path, file: BinaryIO) -> ZipFile:
    """Opens the zip file. Refuses archive comments, so that no attachment can imitate the end of the archive."""
    with _refuse_damage(str(path)):
        try:
            return open_archive(file, _CONTENTS_BYTES_MAX, comment_bytes_max=0)
        except BadArchive as error:
            raise Unusable(f"{path} is not a Farthing backup: it {error}.") from error


def _list_members(path: Path, file: ZipFile) -> dict[str, ZipInfo]:
    infos = file.infolist()
    members = {info.filename: info for info in infos}
    if len(members) != len(infos) or len(infos) > _MEMBERS_MAX:
        raise Unusable(f"{path} is not a Farthing backup: it contains a file name twice, or too many files.")
    if MANIFEST not in members:
        raise Unusable(f"{path} is not a Farthing backup: it has no {MANIFEST}.")
    for info in infos:
        if not is_plain(info):
            raise Unusable(f"{path} is not a Farthing backup: it is encrypted, or compressed by an unknown method.")
    return members


def _read_manifest(path: Path, file: ZipFile, members: Mapping[str, ZipInfo]) -> BackupManifest:
    bytes_max = manifest_bytes_max(len(members))
    if members[MANIFEST].file_size > bytes_max:
        raise Unusable(f"{path} is not a Farthing backup: its {MANIFEST} is too large.")
    with _refuse_damage(str(path)), file.open(members[MANIFEST]) as member:
        text = member.read(bytes_max)
    try:
        manifest = msgspec.json.decode(text, type=BackupManifest)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise Unusable(f"{path} is not a backup that this version can read: {error}.") from error
    if manifest.format > FORMAT:
        raise Unusable(f"{path} was made by a newer Farthing ({manifest.version}): install that version.")
    return manifest


def _refuse_false_claims(members: Mapping[str, ZipInfo], manifest: BackupManifest) -> None:
    for name, file in manifest.files.items():
        if name not in members:
            raise Unusable(f"The backup does not contain {name}.")
        if members[name].file_size != file.size or (name.startswith(f"{CONTENTS}/") and name[-64:] != file.sha256):
            raise Unusable(f"The backup is damaged: {name} differs from what was packed.")
    if DATABASE not in manifest.files:
        raise Unusable(f"The backup does not contain {DATABASE}.")


def _read_pieces(file: ZipFile, member: ZipInfo) -> Iterator[bytes]:
    with _refuse_damage(member.filename), file.open(member) as opened:
        while piece := opened.read(PIECE):
            yield piece


@contextmanager
def _refuse_damage(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise Unusable(f"{name} does not exist.") from None
    except OSError as error:
        raise Unusable(f"{name} cannot be read: {error.strerror or error}") from error
    except DAMAGES as error:
        raise Unusable(f"{name} cannot be read; the backup is damaged: {error or type(error).__name__}") from error
