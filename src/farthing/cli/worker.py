"""How does a server process begin? As a worker of `serve`, it must not outlive it."""

import logging
import multiprocessing
import os
import signal
import threading
import time

from starlette.types import ASGIApp

from .. import app
from ..errors import Unavailable

_LOG = logging.getLogger("farthing")
_LOOK_EVERY_S = 1.0


def create() -> ASGIApp:
    """One that took the place of another waits for the database: else it would end, be started again, and so on."""
    _leave_with_parent()
    is_told = False
    while True:
        try:
            return app.create()
        except Unavailable as error:
            if not is_told:
                _LOG.error("a worker waits for the database: %s", error)
            is_told = True
            time.sleep(_LOOK_EVERY_S)


def _leave_with_parent() -> None:
    """When the process that started us is gone, however it ended, we stop as if told: else the port stays taken.

    The standard library holds the end of a pipe for this, which closes with the parent, also when that is killed.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent,), name="farthing-watch", daemon=True).start()


def _watch(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    _LOG.error("the server that started this worker is gone; the worker stops")
    os.kill(os.getpid(), signal.SIGTERM)
