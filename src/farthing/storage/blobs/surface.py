"""Says what every storage of contents can do."""

from collections.abc import Iterator
from typing import BinaryIO, Protocol

from .content import Content, Incoming, StoredContent


class BlobReader(Protocol):
    """Reads a range of a content piece by piece; an empty piece means the end."""

    @property
    def has_more(self) -> bool: ...

    def at_hand(self) -> bytes | bytearray | None:
        """The next piece if it is in memory; None if reading would block. The only call for the event loop."""

    def read(self) -> bytes: ...

    def close(self) -> None: ...


class Blobs(Protocol):
    def probe(self) -> None:
        """Raises Unavailable, with a sentence for the operator, if contents cannot be stored."""

    def receive(self) -> Incoming: ...

    def read(self, user_id: int, sha256: str, *, size: int, first: int = 0, count: int | None = None) -> BlobReader:
        """`size` is the recorded size of the whole content; if the stored one differs, the content counts as lost."""

    def verify(self, user_id: int, sha256: str, *, size: int) -> None:
        """Raises Lost unless the bytes are those that the name says. Reads all of them when the stored object is new
        to this process or has changed; holds only a piece of them in memory.
        """

    def link(self, user_id: int, sha256: str, *, size: int, disposition: str) -> str | None:
        """An address at which anybody can download it for a minute; None if it has to be sent by us."""

    def open(self, user_id: int, sha256: str) -> BinaryIO:
        """The whole content as a file that can be read at any place."""

    def content(self, user_id: int, sha256: str) -> Content | None:
        """Reads all bytes and computes what they really are."""

    def has(self, user_id: int, sha256: str) -> bool:
        """Contents that were set aside do not count."""

    def take_back(self, user_id: int, sha256: str) -> None:
        """Delete a content that was stored in vain."""

    def user_ids(self) -> list[int]:
        """The users who have contents here."""

    def of_user(self, user_id: int) -> Iterator[StoredContent]:
        """Yields all contents of a user, in no particular order, except those that are deleted meanwhile."""

    def set_aside(self, user_id: int, sha256: str, now: float) -> None:
        """Mark a content for deletion; it can still be read and brought back."""

    def aside(self) -> Iterator[StoredContent]:
        """The contents of all users that were set aside, in no particular order."""

    def bring_back(self, user_id: int, sha256: str) -> None: ...

    def forget(self, user_id: int, sha256: str) -> None:
        """Delete a content that was set aside, for good."""
