"""How are the books examined while nobody looks? `python -m farthing.doctor`, begun by the job process once a day."""

import logging
import os
import sys
from contextlib import closing, suppress

from .. import log
from ..clock import stamp
from ..config import clock_of, load
from ..storage import database
from ..storage.house import BOOKS, Checkup
from ..watch.remember import remember
from . import examine

_LOG = logging.getLogger("farthing.doctor")
_TOLD_MAX = 20
# Whoever else wants the processor goes first.
_GENTLY = 19


def main() -> int:
    """Attachments are left to `farthing doctor`: to read them all every day would wear out a disk."""
    settings = load()
    log.configure(settings)
    with suppress(AttributeError, OSError):  # not everywhere is there a way to be gentle
        os.nice(_GENTLY)
    with closing(database.connect(settings)) as books:
        count = 0
        for count, finding in enumerate(examine(books), start=1):
            if count <= _TOLD_MAX:
                _LOG.error("%s", finding.sentence)
        remember(books, {BOOKS: Checkup(stamp(clock_of(settings).now()), count, "daily")})
    if count:
        _LOG.error("the books are not in order: %d findings; farthing doctor tells all of them", count)
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
