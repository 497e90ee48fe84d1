"""Makes one export for the server, in a process of its own: `python -m farthing.moving.exports`.

The task comes on the standard input, the file goes to the standard output; if it fails, a sentence to the standard
error and an exit code. When it is told to end, it removes its temporary files.
"""

import os
import signal
import sys
from contextlib import closing, suppress

import msgspec

from farthing.kernel.errors import FarthingError
from farthing.storage import blobs
from farthing.storage.drivers import open as database

from .run import run
from .task import ExportTask, load_settings

# Below the server, so that it answers first.
_NICENESS = 10


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with suppress(AttributeError, OSError):  # not supported on every system
        os.nice(_NICENESS)
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=ExportTask)
    settings = load_settings(task)
    try:
        with closing(database.open_current(settings, serve=True)) as books:
            run(books, blobs.connect(settings), task.request, sys.stdout.buffer, lambda _: None)
            sys.stdout.buffer.flush()
    except (FarthingError, OSError) as error:
        sys.stderr.write(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
