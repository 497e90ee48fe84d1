"""How does a server process begin? As a worker of `serve`, it must not outlive it."""

import logging
import multiprocessing
import os
import signal
import threading

from starlette.types import ASGIApp

from .. import app
from ..storage.outages import begun_patiently

_LOG = logging.getLogger("farthing")


def create() -> ASGIApp:
    _leave_with_parent()
    return begun_patiently("a worker", app.create)


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
