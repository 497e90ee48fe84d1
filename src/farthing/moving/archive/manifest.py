"""Defines the manifest of an archive. Anybody may have written it, so every name, hash and number is checked."""

from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0, le=2**40)]
Word = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_.:+-]{1,100}\Z")]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


MANIFEST = "farthing.json"
_LOCAL_HEADER = b"PK\x03\x04"
_NAME_AT = 30


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001 -- all readers are asked alike
    return head.startswith(_LOCAL_HEADER) and head[_NAME_AT:].startswith(MANIFEST.encode())


class ArchiveManifest(Struct, frozen=True, kw_only=True):
    """`counts` has the number of lines of each kind. `missing` lists the attachment contents that the archive lacks,
    because they could not be read when it was written.
    """

    format: Annotated[int, Meta(ge=1)]
    version: Word
    made_at: Word
    counts: dict[Word, Count]
    contents: Count
    missing: list[Hash]
