"""Runs the job process, which is separate from the server so that its work does not slow requests."""

import logging
import os
import random
import signal
import sys
from collections.abc import Iterator
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Protocol

from farthing.books.recurrences.fire import FiringResult
from farthing.care.backup.daily import Daily
from farthing.care.watch import presence, room
from farthing.care.watch.room import RoomSign
from farthing.care.watch.waking import Sleeper, StopFlag, sleeping
from farthing.kernel.clock import Clock
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError, Unavailable, is_full
from farthing.kernel.network import chat
from farthing.kernel.settings.parsing import NO_RATES
from farthing.overviews.notices.search import find_available
from farthing.storage import blobs
from farthing.storage.drivers import open as database
from farthing.storage.outages import Outages, wait_for_database
from farthing.storage.unit import Database

from .budgeting import Budgeter
from .examining import Examiner
from .firing import Firer
from .hooks import HookSender
from .noticing import Noticer
from .pushing import Pusher
from .sweeping import Sweeper
from .worker import Worker, with_imports

if TYPE_CHECKING:
    from .rates import RateFetcher

_LOG = logging.getLogger("farthing.jobs")
_PAUSE_S = 5.0
# Tests move the clock by hand and do not wait. Messages on their way are also looked after more often.
_TESTING_PAUSE_S = 0.2
# Jobs and recurrences are worked on alternately, for up to this long each.
_WORKING_S, _FIRING_S = 2.0, 2.0
# The pause between two parts of the work gives other writers their turn.
_BREATH_S = 0.01
_FIRING, _WORKING = "looking for recurrences that are due", "working on jobs"
_NOTICING = "looking for new notices"


class _Sender(Protocol):
    def turn(self) -> bool: ...


def work(settings: Settings, clock: Clock, server_pid: int) -> None:
    """Works until the process is stopped or its server has ended, in which case the process has another parent."""
    stopped = StopFlag()

    sleepers: list[Sleeper] = []

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopped.set()
        for sleeper in sleepers:
            sleeper.wake()

    def pause(seconds: float) -> None:
        if stopped.wait(seconds) or os.getppid() != server_pid:
            sys.exit()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    books = wait_for_database("the job process", lambda: _open(settings), pause)
    with presence.mark_process(presence.JOBS), sleeping(stopped) as sleeper, room.making_sign() as sign:
        sleepers.append(sleeper)
        _work(settings, clock, books, stopped, sleeper, sign, server_pid)
    books.close()


def _open(settings: Settings) -> Database:
    presence.refuse_other_file(settings.data, settings.database_file)
    return database.open_current(settings, serve=True)


def _work(
    settings: Settings,
    clock: Clock,
    books: Database,
    stopped: StopFlag,
    sleeper: Sleeper,
    sign: RoomSign,
    server_pid: int,
) -> None:
    contents = blobs.connect(settings)
    worker = Worker(books, clock, with_imports(settings))
    firing = Firer(books, clock, random.Random())  # noqa: S311 -- it only sorts users
    budgeter, noticer, outages = Budgeter(books, clock), Noticer(books, clock, find_available(settings)), Outages()
    sweeper = Sweeper(settings, books, contents, clock)
    senders = list(_make_senders(settings, clock, books))
    daily = Daily(settings, books, contents, clock)
    rates = _fetch_rates(settings, clock, books)
    # Tests simulate days within seconds, and examine the books themselves.
    examiner = None if settings.testing else Examiner(books, clock)
    while not stopped.is_set() and os.getppid() == server_pid:
        presence.note_turn()
        is_firing = _fire(firing, budgeter, stopped, outages)
        sweeper.turn()
        daily.turn()
        if rates:
            rates.turn()
        if examiner:
            examiner.turn()
        is_sending = sum(_send(what, sender, outages) for what, sender in senders) > 0
        _look_for_occasions(noticer, outages)
        if not (_work_off(worker, stopped, outages, sign) or is_firing):
            sleeper.wait(_TESTING_PAUSE_S if settings.testing or is_sending else _PAUSE_S)
    worker.stop()
    if examiner:
        examiner.stop()


def _make_senders(settings: Settings, clock: Clock, books: Database) -> Iterator[tuple[str, _Sender]]:
    """Makes all senders, each with what it does.

    Does not even load the code for e-mail without a mail server, or for chats if the extra for these is not installed.
    """
    yield "sending messages of webhooks", HookSender(books, clock, allow_private=settings.outgoing_private)
    yield "pushing notices", Pusher(settings, books, clock)
    if settings.mail_url:
        from .mailing import Mailer

        yield "sending e-mail", Mailer(settings, books, clock)
    if chat.is_installed():
        from .chatting import Chatter

        yield "sending notices to chats", Chatter(settings, books, clock)


def _fetch_rates(settings: Settings, clock: Clock, books: Database) -> "RateFetcher | None":
    """Makes a fetcher of exchange rates if the settings name a source. Otherwise, does not even load the code."""
    if settings.rates == NO_RATES:
        return None
    from farthing.moving.exchange_rates import fetching

    from .rates import RateFetcher

    return RateFetcher(settings, books, clock, fetching.find_source(settings))


def _fire(firing: Firer, budgeter: Budgeter, stopped: StopFlag, outages: Outages) -> bool:
    """Creates due limits, fires recurrences for a while, and returns whether more are due."""
    until = monotonic() + _FIRING_S
    try:
        if made := budgeter.turn():
            _LOG.info("made %d limits of budgets that repeat", made)
        for fired in firing.fire_everyone():
            _log_firing(fired)
            if stopped.is_set() or monotonic() > until:
                break
        outages.note_success(_FIRING)
    except Unavailable as error:
        outages.note(_FIRING, error)
        return False
    return firing.has_more


def _send(what: str, sender: _Sender, outages: Outages) -> bool:
    """Gives a sender its turn, and returns whether messages are on their way."""
    try:
        is_sending = sender.turn()
        outages.note_success(what)
    except FarthingError as error:
        outages.note(what, error)
        return False
    return is_sending


def _look_for_occasions(noticer: Noticer, outages: Outages) -> None:
    try:
        noticer.turn()
        outages.note_success(_NOTICING)
    except Unavailable as error:
        outages.note(_NOTICING, error)


def _work_off(worker: Worker, stopped: StopFlag, outages: Outages, sign: RoomSign) -> bool:
    """Works on jobs for a while, and returns whether there are more."""
    until = monotonic() + _WORKING_S
    try:
        while monotonic() < until:
            is_busy = worker.turn()
            outages.note_success(_WORKING)
            sign.hide()
            if not is_busy:
                return False
            if stopped.wait(_BREATH_S):
                break
    except Unavailable as error:
        outages.note(_WORKING, error)
        if is_full(error):
            sign.show()
        return False
    return True


def _log_firing(fired: FiringResult) -> None:
    facts = {"recurrence_id": fired.recurrence_id}
    if fired.failure:
        _LOG.error("the recurrence “%s” failed: %s", fired.title, fired.failure, extra=facts)
    else:
        _LOG.info("the recurrence “%s” made %d transactions", fired.title, len(fired.entry_ids), extra=facts)
