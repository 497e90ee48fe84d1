"""Tells systemd when the server answers, when it stops, and that it still works. Other starters are told nothing."""

import http.client
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from msgspec import Struct

from farthing.care.watch import presence
from farthing.http.service.health import LIVE

_LOOK_EVERY_S = 0.1
# systemd expects a sign of life within the time that it states. So many signs within this time allow for a slow one.
_SIGNS = 3
_ANSWER_WITHIN_S = 10.0
# A turn of the job process may take as long as a backup of large books.
_TURN_S_MAX = 3600.0


class Notifier:
    """Sends READY=1 when the server first answers, WATCHDOG=1 while `works` returns True, and STOPPING=1."""

    def __init__(self, address: str, watchdog_s: float | None, answers: Callable[[], bool], works: Callable[[], bool]):
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._watchdog_s = watchdog_s
        self._answers, self._works = answers, works
        self._stopping = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._run, name="farthing-systemd", daemon=True).start()

    def stop(self) -> None:
        if not self._stopping.is_set():
            self._stopping.set()
            self._send("STOPPING=1")

    def look(self) -> None:
        if self._works():
            self._send("WATCHDOG=1")

    def _run(self) -> None:
        while not self._answers():
            if self._stopping.wait(_LOOK_EVERY_S):
                return
        self._send("READY=1")
        while self._watchdog_s and not self._stopping.wait(self._watchdog_s / _SIGNS):
            self.look()

    def _send(self, state: str) -> None:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.settimeout(_ANSWER_WITHIN_S)
            line.sendto(state.encode(), self._address)


class TurnWatch(Struct):
    """Finds out whether the job process makes progress, by a clock that nobody sets."""

    _turned_at: int | None = None
    _since: float = 0.0

    def advances(self, now: float) -> bool:
        """Returns False if a running job process has not finished a turn for an hour. If it dies, it is restarted."""
        turned_at = presence.read_turn()
        if turned_at is None or turned_at != self._turned_at:
            self._turned_at, self._since = turned_at, now
        return now - self._since < _TURN_S_MAX


def make_notifier(host: str, port: int) -> Notifier | None:
    """Makes a notifier if systemd has started this process as `Type=notify`. Child processes do not inherit this."""
    address, watched = os.environ.pop("NOTIFY_SOCKET", None), os.environ.pop("WATCHDOG_USEC", None)
    if not address:
        return None
    watchdog_s = int(watched) / 1_000_000 if watched and watched.isdecimal() else None
    turns = TurnWatch()

    def answers() -> bool:
        return _answers(host, port)

    return Notifier(address, watchdog_s, answers, lambda: answers() and turns.advances(monotonic()))


def _answers(host: str, port: int) -> bool:
    """Asks a question that does not need the database: if that is away, a restart would not bring it back."""
    asking = http.client.HTTPConnection(host, port, timeout=_ANSWER_WITHIN_S)
    try:
        asking.request("GET", LIVE)
        return asking.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asking.close()
