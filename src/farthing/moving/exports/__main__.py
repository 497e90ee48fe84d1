"""Makes one export for the server, in a separate process: `python -m farthing.moving.exports`.

Reads the task from standard input, and writes the file to standard output. If the export fails, writes a sentence to
standard error and exits with an error code. When terminated, removes its temporary files.
"""

import os
import signal
import sys
from contextlib import closing, suppress

import msgspec

from farthing.identity import callers
from farthing.kernel.config import Settings
from farthing.kernel.errors import EXIT_FULL, FarthingError, Unavailable, is_full
from farthing.storage import blobs
from farthing.storage.drivers import open as database
from farthing.storage.drivers.postgres import lineage
from farthing.storage.unit import Database

from .run import run
from .task import ExportTask, load_settings

# Gives the server priority, so that it keeps answering quickly.
_NICENESS = 10


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with suppress(AttributeError, OSError):  # not supported on every system
        os.nice(_NICENESS)
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=ExportTask)
    settings = load_settings(task.settings)
    try:
        with closing(_open(task, settings)) as books:
            run(books, blobs.connect(settings), task.request, sys.stdout.buffer, lambda _: None)
            sys.stdout.buffer.flush()
    except (FarthingError, OSError) as error:
        sys.stderr.write(str(error))
        return EXIT_FULL if is_full(error) else 1
    return 0


def _open(task: ExportTask, settings: Settings) -> Database:
    """Opens the replica if it has everything that the books had when the export was requested."""
    books = database.open_current(settings, serve=True)
    replica = _open_replica(task, settings, books) if settings.read_url else None
    if replica is None:
        return books
    books.close()
    return replica


def _open_replica(task: ExportTask, settings: Settings, books: Database) -> Database | None:
    with suppress(Unavailable):
        replica = database.connect_replica(settings)
        with suppress(Unavailable), books.reading() as primary, replica.reading() as copy:
            lineage.check(primary, copy)
            revisions = callers.find_revisions(copy, task.request.user_id)
            if revisions and revisions[0] >= task.revision:
                return replica
        replica.close()
    return None


if __name__ == "__main__":
    sys.exit(main())
