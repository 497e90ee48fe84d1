"""Copies the contents of attachments from one storage into another: from a folder into S3, or back."""

from contextlib import closing
from itertools import chain

from msgspec import Struct

from farthing.storage.blobs import Blobs, Lost, StoredContent
from farthing.storage.copying import Progress


class CopiedContents(Struct, frozen=True):
    """`damaged` are those that no longer match their hash, and were left out."""

    copied: int
    size: int
    damaged: list[str]


def copy_contents(source: Blobs, target: Blobs, progress: Progress) -> CopiedContents:
    """Leaves out what the target has, so that it can be done again. What was set aside stays so, as long as before."""
    copied: list[StoredContent] = []
    damaged: list[str] = []
    stored = (one for user_id in source.user_ids() for one in source.of_user(user_id))
    for one, is_aside in chain(((one, False) for one in stored), ((one, True) for one in source.aside())):
        if target.has(one.user_id, one.sha256):
            continue
        progress(f"contents of attachments: {one.sha256[:12]}")
        if not _copy(source, target, one):
            damaged.append(f"{one.user_id}/{one.sha256}")
            continue
        copied.append(one)
        if is_aside:
            target.set_aside(one.user_id, one.sha256, one.kept_at)
    return CopiedContents(copied=len(copied), size=sum(one.size for one in copied), damaged=damaged)


def _copy(source: Blobs, target: Blobs, one: StoredContent) -> bool:
    """False if it does not match its hash."""
    incoming = target.receive()
    try:
        with closing(source.read(one.user_id, one.sha256, size=one.size)) as reader:
            while piece := reader.read():
                incoming.write(piece)
        if incoming.content().sha256 != one.sha256:
            return False
        incoming.keep(one.user_id)
    except Lost:
        return False
    finally:
        incoming.discard()
    return True
