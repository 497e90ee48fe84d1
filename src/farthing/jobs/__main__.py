"""Starts the job process. `serve` runs it as `python -m farthing.jobs`, so that the command line is not loaded."""

import gc
import logging
import os
import signal
import sys

# Thresholds of garbage collection. Loading modules leaves no garbage, so collection is practically off meanwhile.
_LOADING, _WORKING = 100_000, (2_000, 10, 10)


def main() -> None:
    """Runs the job process. The server passes its process id, because it may end before we ask for our parent's id."""
    # Ctrl-C while modules are loaded ends the process without a traceback; `work` handles it later.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # `serve` has blocked it until now
    gc.set_threshold(_LOADING)
    from farthing.kernel import log
    from farthing.kernel.config import load, make_clock
    from farthing.kernel.errors import FarthingError

    from .process import work

    gc.freeze()
    gc.set_threshold(*_WORKING)
    settings = load()
    log.configure(settings)
    try:
        work(settings, make_clock(settings), int(sys.argv[1]) if len(sys.argv) > 1 else os.getppid())
    except FarthingError as error:
        logging.getLogger("farthing.jobs").error("the job process cannot work: %s", error)
        sys.exit(1)


if __name__ == "__main__":
    main()
