"""Defines the interface that every storage of contents implements."""

from collections.abc import Iterator
from typing import BinaryIO, Protocol

from .content import Content, Incoming, StoredContent


class BlobReader(Protocol):
    """Reads a range of bytes of a content piece by piece; an empty piece marks the end."""

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
        """Opens a content, or a range of its bytes. Raises Lost if the stored size is not `size`, the recorded one."""

    def verify(self, user_id: int, sha256: str, *, size: int) -> None:
        """Raises Lost unless the stored bytes match the hash.

        Reads the whole content, piece by piece, if this process has not verified it yet or if it has changed since.
        """

    def link(self, user_id: int, sha256: str, *, size: int, disposition: str) -> str | None:
        """Returns a URL at which anybody can download the content for a minute; None if we have to send it."""

    def open(self, user_id: int, sha256: str) -> BinaryIO:
        """Opens the whole content as a file in which the caller can seek."""

    def content(self, user_id: int, sha256: str) -> Content | None:
        """Reads all stored bytes and computes their hashes and size. Returns None if the content is missing."""

    def has(self, user_id: int, sha256: str) -> bool:
        """Checks whether the content is stored. Ignores contents that were set aside."""

    def take_back(self, user_id: int, sha256: str) -> None:
        """Deletes a content that was just stored, because the operation that needed it has failed."""

    def user_ids(self) -> list[int]:
        """Lists the users who have contents in this storage."""

    def of_user(self, user_id: int) -> Iterator[StoredContent]:
        """Yields all contents of a user, in no particular order. May skip contents that are deleted meanwhile."""

    def set_aside(self, user_id: int, sha256: str, now: float) -> None:
        """Marks a content for deletion. Until it is deleted, it can still be read and restored with `bring_back`."""

    def aside(self) -> Iterator[StoredContent]:
        """Yields the contents that were set aside, of all users, in no particular order."""

    def bring_back(self, user_id: int, sha256: str) -> None: ...

    def forget(self, user_id: int, sha256: str) -> None:
        """Permanently deletes a content that was set aside."""
