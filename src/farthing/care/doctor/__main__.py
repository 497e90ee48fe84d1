"""Examines the books. The job process runs this once a day, as `python -m farthing.care.doctor`."""

import logging
import os
import sys
from contextlib import closing, suppress

from farthing.kernel import log
from farthing.kernel.clock import stamp
from farthing.kernel.config import load, make_clock
from farthing.storage.drivers import open as database
from farthing.storage.installation import BOOKS, Checkup

from ..watch.remember import remember
from . import examine

_LOG = logging.getLogger("farthing.doctor")
_LOGGED_MAX = 20
# The lowest priority: other processes go first.
_NICENESS = 19


def main() -> int:
    """Examines the books and stores the result. Skips attachments, because reading them daily would wear out a disk."""
    settings = load()
    log.configure(settings)
    with suppress(AttributeError, OSError):  # not supported on every system
        os.nice(_NICENESS)
    with closing(database.open_current(settings)) as books:
        count = 0
        for count, finding in enumerate(examine(books), start=1):
            if count <= _LOGGED_MAX:
                _LOG.error("%s", finding.sentence)
        remember(books, {BOOKS: Checkup(at=stamp(make_clock(settings).now()), problems=count, note="daily")})
    if count:
        _LOG.error("the books are not in order: %d findings; run farthing doctor to see all of them", count)
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
