"""Holds the limits on files that all routes of a server process share."""

from farthing.kernel.config import Settings

from .productions import ProductionLimit
from .unfinished_uploads import UnfinishedUploads


class FileLimits:
    """Counts productions and uploads, each by its own rule."""

    def __init__(self, settings: Settings) -> None:
        self.productions = ProductionLimit()
        self.uploads = UnfinishedUploads(settings.upload_bytes_max)
