"""Stores the contents of attachments in an S3 bucket.

    7/3fa1…              a file of user 7, named by its SHA-256
    aside/7/3fa1…/17…    a file that is marked for deletion, with the time in seconds since 1970

An upload is first written to a nameless temporary file in the data folder: its name and type are known only when it is
complete, and a refused upload must never reach the bucket.
"""

import secrets
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import BinaryIO, Self

from farthing.kernel.clock import wall_clock
from farthing.kernel.config import Settings

from .bucket import PART_BYTES, Bucket, StoredObject, read_address, sign_link
from .content import (
    READ_BYTES,
    Content,
    Digest,
    Incoming,
    Lost,
    StoredContent,
    Verified,
    is_name,
    translate_disk_errors,
)

_ASIDE, _PROBE = "aside", "probe"
# Contents up to this size are sent without first asking S3 whether it has them already.
_SMALL_BYTES = 1024 * 1024


class S3Reader:
    """Reads a range of bytes with one request per piece, so that a slow client does not occupy a connection to S3."""

    def __init__(self, bucket: Bucket, key: str, first: int, count: int) -> None:
        self._bucket = bucket
        self._key = key
        self._at = first
        self._left = count
        self._ahead = b""

    @property
    def has_more(self) -> bool:
        return bool(self._ahead) or self._left > 0

    def read_ahead(self) -> Self:
        """Reads the first piece before the response begins, because S3 may find an object and yet fail to read it."""
        self._ahead = self.read()
        return self

    def at_hand(self) -> bytes | None:
        piece, self._ahead = self._ahead, b""
        return piece or None

    def read(self) -> bytes:
        if piece := self.at_hand():
            return piece
        size = min(READ_BYTES, self._left)
        piece = self._bucket.read(self._key, self._at, size) if size else b""
        if size and not piece:
            raise Lost("The content was shortened while it was being read.")
        self._at += len(piece)
        self._left -= len(piece)
        return piece

    def close(self) -> None:
        pass


class S3Blobs:
    def __init__(self, settings: Settings) -> None:
        self._address = read_address(settings)
        self._bucket = Bucket(self._address)
        self._spool = settings.data
        self._gives_links = settings.s3_redirect
        self._verified = Verified()

    def probe(self) -> None:
        """Tries to write, list and delete. Writes first, because only that makes SeaweedFS create a missing bucket."""
        key = f"{_PROBE}/{secrets.token_hex(8)}"
        self._bucket.add(key, b"Farthing can write here.")
        self._bucket.list_folders()
        self._bucket.delete(key)

    def receive(self) -> Incoming:
        return Incoming(self._open_spool(), self._keep, lambda: None)

    def _keep(self, file: BinaryIO, user_id: int, content: Content) -> None:
        key = _key(user_id, content.sha256)
        if not self._add(key, file, content.size) and self._read_content(key) != content:
            self._bucket.put(key, file)  # the existing object is damaged

    def _add(self, key: str, file: BinaryIO, size: int) -> bool:
        """Uploads the file. Returns False if the key is already taken."""
        if size > _SMALL_BYTES and self._bucket.find_size(key) is not None:
            return False
        if size > PART_BYTES:
            self._bucket.put(key, file)
            return True
        file.seek(0)
        return self._bucket.add(key, file.read(), patient=size > _SMALL_BYTES)

    def read(self, user_id: int, sha256: str, *, size: int, first: int = 0, count: int | None = None) -> S3Reader:
        key = self._find(user_id, sha256, size).key
        return S3Reader(self._bucket, key, first, size - first if count is None else count).read_ahead()

    def verify(self, user_id: int, sha256: str, *, size: int) -> None:
        stored = self._find(user_id, sha256, size)
        if self._verified.has(user_id, sha256, stored):
            return
        if self._hash(stored.key, stored.size).sha256 != sha256:
            raise Lost("The content is damaged.")
        self._verified.add(user_id, sha256, stored)

    def link(self, user_id: int, sha256: str, *, size: int, disposition: str) -> str | None:
        if not self._gives_links:
            return None
        stored = self._find(user_id, sha256, size)
        return sign_link(self._address, stored.key, disposition, wall_clock())

    def _find(self, user_id: int, sha256: str, size: int) -> StoredObject:
        stored = self._locate(user_id, sha256)
        if stored is None:
            raise Lost("The content is missing.")
        if stored.size != size:
            raise Lost("The content has the wrong length.")
        return stored

    def _locate(self, user_id: int, sha256: str) -> StoredObject | None:
        """Finds a file under its usual key, or among the files that are marked for deletion."""
        if stored := self._bucket.find(_key(user_id, sha256)):
            return stored
        for stored in self._bucket.list_objects(_key_aside(user_id, sha256)):
            return stored
        self._bucket.list_folders()  # raises if the whole bucket is missing, which S3 reports like a missing object
        return None

    def open(self, user_id: int, sha256: str) -> BinaryIO:
        stored = self._locate(user_id, sha256)
        if stored is None:
            raise Lost("The content is missing.")
        file = self._open_spool()
        with translate_disk_errors():
            for piece in self._pieces(stored.key, stored.size):
                file.write(piece)
            file.seek(0)
        return file

    def content(self, user_id: int, sha256: str) -> Content | None:
        stored = self._locate(user_id, sha256)
        return self._hash(stored.key, stored.size) if stored else None

    def has(self, user_id: int, sha256: str) -> bool:
        return self._bucket.find_size(_key(user_id, sha256)) is not None

    def take_back(self, user_id: int, sha256: str) -> None:
        self._bucket.delete(_key(user_id, sha256))

    def user_ids(self) -> list[int]:
        return sorted(int(name) for name in self._bucket.list_folders() if name.isdigit())

    def of_user(self, user_id: int) -> Iterator[StoredContent]:
        for stored in self._bucket.list_objects(str(user_id)):
            sha256 = stored.key.partition("/")[2]
            if is_name(sha256):
                kept_at, md5 = stored.changed_at, stored.md5
                yield StoredContent(user_id=user_id, sha256=sha256, size=stored.size, kept_at=kept_at, md5=md5)

    def set_aside(self, user_id: int, sha256: str, now: float) -> None:
        key = _key(user_id, sha256)
        if self._bucket.copy(key, f"{_key_aside(user_id, sha256)}/{int(now)}"):
            self._bucket.delete(key)

    def aside(self) -> Iterator[StoredContent]:
        for stored in self._bucket.list_objects(_ASIDE):
            _, user_id, sha256, kept_at = stored.key.split("/")
            yield StoredContent(user_id=int(user_id), sha256=sha256, size=stored.size, kept_at=float(kept_at))

    def bring_back(self, user_id: int, sha256: str) -> None:
        for stored in list(self._bucket.list_objects(_key_aside(user_id, sha256))):
            if self._bucket.copy(stored.key, _key(user_id, sha256)):
                self._bucket.delete(stored.key)

    def forget(self, user_id: int, sha256: str) -> None:
        for stored in list(self._bucket.list_objects(_key_aside(user_id, sha256))):
            self._bucket.delete(stored.key)

    def _read_content(self, key: str) -> Content | None:
        size = self._bucket.find_size(key)
        return None if size is None else self._hash(key, size)

    def _hash(self, key: str, size: int) -> Content:
        digest = Digest()
        for piece in self._pieces(key, size):
            digest.add(piece)
        return digest.content()

    def _pieces(self, key: str, size: int) -> Iterator[bytes]:
        return iter(S3Reader(self._bucket, key, 0, size).read, b"")

    def _open_spool(self) -> BinaryIO:
        with translate_disk_errors():
            self._spool.mkdir(mode=0o700, parents=True, exist_ok=True)
            return TemporaryFile(dir=self._spool)


def _key(user_id: int, sha256: str) -> str:
    assert is_name(sha256), "contents are named by their hash, never by text from a client"
    return f"{user_id}/{sha256}"


def _key_aside(user_id: int, sha256: str) -> str:
    return f"{_ASIDE}/{_key(user_id, sha256)}"
