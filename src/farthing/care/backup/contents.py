"""Copies the contents of attachments from one storage to another: from a folder to S3, or back."""

from contextlib import closing
from itertools import chain

from msgspec import Struct

from farthing.storage.blobs import Blobs, Lost, StoredContent
from farthing.storage.copying import Progress


class CopiedContents(Struct, frozen=True):
    """Summarizes what was copied. `damaged` lists contents that were skipped because they do not match their hash."""

    copied: int
    size: int
    damaged: list[str]


def copy_contents(source: Blobs, target: Blobs, progress: Progress) -> CopiedContents:
    """Copies all contents, except those that the target already has, so that an interrupted copy can be continued.

    Contents that were set aside for deletion remain set aside, with the same age.
    """
    copied: list[StoredContent] = []
    damaged: list[str] = []
    stored = (content for user_id in source.user_ids() for content in source.of_user(user_id))
    for content, is_aside in chain(
        ((content, False) for content in stored), ((content, True) for content in source.aside())
    ):
        if target.has(content.user_id, content.sha256):
            continue
        progress(f"contents of attachments: {content.sha256[:12]}")
        if not _copy(source, target, content):
            damaged.append(f"{content.user_id}/{content.sha256}")
            continue
        copied.append(content)
        if is_aside:
            target.set_aside(content.user_id, content.sha256, content.kept_at)
    return CopiedContents(copied=len(copied), size=sum(content.size for content in copied), damaged=damaged)


def _copy(source: Blobs, target: Blobs, content: StoredContent) -> bool:
    """Copies the content of one attachment. Returns False if it is missing or does not match its hash."""
    incoming = target.receive()
    try:
        with closing(source.read(content.user_id, content.sha256, size=content.size)) as reader:
            while piece := reader.read():
                incoming.write(piece)
        if incoming.content().sha256 != content.sha256:
            return False
        incoming.keep(content.user_id)
    except Lost:
        return False
    finally:
        incoming.discard()
    return True
