"""Farthing's own archive, as exported by another Farthing; `moving/archive` reads it and brings it into empty books."""

from ..archive.bringing import Brought as Brought
from ..archive.bringing import bring as bring
from ..archive.layout import MANIFEST

_LOCAL_HEADER = b"PK\x03\x04"
_NAME_AT = 30


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001 -- all readers are asked alike
    """A zip whose first file is the manifest."""
    return head.startswith(_LOCAL_HEADER) and head[_NAME_AT:].startswith(MANIFEST.encode())
