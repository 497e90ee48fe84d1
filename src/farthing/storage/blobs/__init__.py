"""Stores the contents of attachments: in a folder, or in a bucket of S3 that several servers can reach.

Everything here may wait for a disk or a network, so it is called from threads, never from the event loop. No path and
no key leaves this folder.
"""

from farthing.kernel.config import Settings
from farthing.kernel.errors import Misconfigured

from .content import PIECE_BYTES, Content, Incoming, Lost, StoredContent
from .disk import DiskBlobs
from .surface import BlobReader, Blobs

__all__ = ["PIECE_BYTES", "BlobReader", "Blobs", "Content", "DiskBlobs", "Incoming", "Lost", "StoredContent", "connect"]


def connect(settings: Settings) -> Blobs:
    """Asks nobody yet: a storage that is away is no reason to fail here."""
    if settings.contents_folder:
        return DiskBlobs(settings.contents_folder)
    try:
        from .s3 import S3Blobs
    except ImportError as error:
        raise Misconfigured("FARTHING_STORAGE=s3://… needs its driver: pip install 'farthing[s3]'") from error
    return S3Blobs(settings)
