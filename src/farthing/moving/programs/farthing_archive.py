"""Recognises Farthing's own archive, as exported by another Farthing; `moving/archive` reads it."""

from ..archive.layout import MANIFEST

_LOCAL_HEADER = b"PK\x03\x04"
_NAME_AT = 30


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001 -- all readers are asked alike
    """A zip whose first file is the manifest."""
    return head.startswith(_LOCAL_HEADER) and head[_NAME_AT:].startswith(MANIFEST.encode())
