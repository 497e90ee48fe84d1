"""Defines the interface that each storage for the contents of attachments implements."""

from collections.abc import Iterator
from typing import BinaryIO, Protocol

from .content import Content, Incoming, StoredContent


class BlobReader(Protocol):
    """Reads a stored file, or a range of its bytes, piece by piece. An empty piece marks the end."""

    @property
    def has_more(self) -> bool: ...

    def at_hand(self) -> bytes | bytearray | None:
        """Returns the next piece if it is in memory; None if reading would block.

        Only this method may be called on the event loop.
        """

    def read(self) -> bytes: ...

    def close(self) -> None: ...


class Blobs(Protocol):
    def probe(self) -> None:
        """Raises Unavailable, with a sentence for the operator, if contents cannot be stored."""

    def receive(self) -> Incoming: ...

    def read(self, user_id: int, sha256: str, *, size: int, first: int = 0, count: int | None = None) -> BlobReader:
        """Opens a file, or a range of its bytes. Raises Lost if its size is not `size`, as in the database."""

    def verify(self, user_id: int, sha256: str, *, size: int) -> None:
        """Raises Lost unless the stored bytes match the hash.

        Reads the whole file, piece by piece, if this process has not verified it yet or if it has changed since.
        """

    def link(self, user_id: int, sha256: str, *, size: int, disposition: str) -> str | None:
        """Returns a URL at which anybody can download the content for a minute; None if we have to send it."""

    def open(self, user_id: int, sha256: str) -> BinaryIO:
        """Opens the whole content of an attachment as a file in which the caller can seek."""

    def content(self, user_id: int, sha256: str) -> Content | None:
        """Reads all stored bytes and computes their hashes and size. Returns None if the content is missing."""

    def has(self, user_id: int, sha256: str) -> bool:
        """Checks whether the file is stored. Ignores files that are marked for deletion."""

    def take_back(self, user_id: int, sha256: str) -> None:
        """Deletes a file that was just stored, because the operation that needed it has failed."""

    def user_ids(self) -> list[int]:
        """Lists the ids of the users who have files in this storage."""

    def of_user(self, user_id: int) -> Iterator[StoredContent]:
        """Yields all files of a user, in no particular order. May skip files that are deleted meanwhile."""

    def set_aside(self, user_id: int, sha256: str, now: float) -> None:
        """Marks a file for deletion. Until it is deleted, it can still be read, and restored with `bring_back`."""

    def aside(self) -> Iterator[StoredContent]:
        """Yields the files of all users that were marked for deletion, in no particular order."""

    def bring_back(self, user_id: int, sha256: str) -> None: ...

    def forget(self, user_id: int, sha256: str) -> None:
        """Permanently deletes a file that was marked for deletion by `set_aside`."""
