"""Stores the contents of attachments in a folder, or in an S3 bucket that several servers can reach.

Everything here may wait for a disk or a network, so it is called from threads, never from the event loop. Callers never
see file paths or S3 keys.
"""

from farthing.kernel.config import Settings
from farthing.kernel.errors import Misconfigured

from .content import PIECE_BYTES, Content, Incoming, Lost, StoredContent
from .disk import DiskBlobs
from .surface import BlobReader, Blobs

__all__ = ["PIECE_BYTES", "BlobReader", "Blobs", "Content", "DiskBlobs", "Incoming", "Lost", "StoredContent", "connect"]


def connect(settings: Settings) -> Blobs:
    """Chooses the storage that is configured. Does not contact it yet, so this succeeds even during an outage."""
    if settings.contents_folder:
        return DiskBlobs(settings.contents_folder)
    try:
        from .s3 import S3Blobs
    except ImportError as error:
        raise Misconfigured("FARTHING_STORAGE=s3://… needs its driver: pip install 'farthing[s3]'") from error
    return S3Blobs(settings)
