"""Starts the job process: `serve` runs `python -m farthing.jobs`, without loading the command line."""

import logging
import os
import signal
import sys


def main() -> None:
    """The server says who it is: it may be gone before we could ask who our parent is."""
    # A Ctrl-C that comes while all this is loaded ends it without a traceback; `work` has its own way to stop.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from farthing.kernel import log
    from farthing.kernel.config import load, make_clock
    from farthing.kernel.errors import FarthingError

    from .process import work

    settings = load()
    log.configure(settings)
    try:
        work(settings, make_clock(settings), int(sys.argv[1]) if len(sys.argv) > 1 else os.getppid())
    except FarthingError as error:
        logging.getLogger("farthing.jobs").error("the job process cannot work: %s", error)
        sys.exit(1)


if __name__ == "__main__":
    main()
