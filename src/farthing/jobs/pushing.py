"""Sends notices to browsers, in a thread for each reader, so that a slow push service delays nobody else."""

import hashlib
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct

from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import NOTICES
from farthing.books.preferences.notices import Channel, NoticeKind, NoticeSettings, read
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.languages import say
from farthing.kernel.network import web_push
from farthing.kernel.network.web_push import Push, PushKeys, PushResult
from farthing.overviews.notices import deliveries, push
from farthing.overviews.notices.deliveries import Delivery, Outcome
from farthing.overviews.notices.letters import find_page, find_title, list_lines
from farthing.overviews.notices.model import Facts
from farthing.overviews.notices.push import PushSubscription
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.jobs")
# A sender sends this many messages to one reader, or for this long, before it stores the results.
_AT_ONCE, _SENDING_S = 20, 60.0
_READERS_MAX = 8
# The push service drops a message if it cannot reach the browser for this long, in seconds.
_TTL_S, _TTL_OF_TEST_S = 3 * 86_400, 300
_URGENCIES = {NoticeKind.UNKNOWN_DEVICE: "high", NoticeKind.TEST: "high", NoticeKind.WEEKLY_SUMMARY: "low"}
_TITLE_MAX, _BODY_MAX = 150, 300
_TEST_TITLE = "Notices from Farthing work on this device"
_NOBODY = "No device of this user is subscribed."


class _Message(Struct, frozen=True):
    delivery: Delivery
    body: bytes
    subscriptions: Sequence[PushSubscription]


# Sends a message to one browser.
_Send = Callable[[Push], PushResult]


class _Sending(threading.Thread):
    """Sends some messages to one reader. `results` says what came of each; messages that were not tried are missing."""

    def __init__(self, reader_id: int, messages: Sequence[_Message], send: _Send) -> None:
        super().__init__(daemon=True, name="push")
        self.reader_id, self.messages, self._send = reader_id, messages, send
        self.results: list[tuple[_Message, dict[int, PushResult]]] = []

    def run(self) -> None:
        until, failed = monotonic() + _SENDING_S, dict[int, PushResult]()
        for message in self.messages:
            # A push service that has just failed is not tried with the next messages.
            results = {one.id: failed.get(one.id) or self._try(message, one) for one in message.subscriptions}
            failed |= {id_: result for id_, result in results.items() if result.failure}
            self.results.append((message, results))
            if monotonic() > until:
                break

    def _try(self, message: _Message, to: PushSubscription) -> PushResult:
        kind = NoticeKind(message.delivery.kind)
        sent = Push(
            endpoint=to.endpoint,
            p256dh=to.p256dh,
            auth=to.auth,
            body=message.body,
            ttl_s=_TTL_OF_TEST_S if kind is NoticeKind.TEST else _TTL_S,
            urgency=_URGENCIES.get(kind, "normal"),
            topic=_name_occasion(message.delivery),
        )
        try:
            return self._send(sent)
        except Exception as error:  # any other error must not lose the attempt
            _LOG.exception("a notice could not be pushed")
            return PushResult(failure=type(error).__name__)


class Pusher:
    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        self._contact, self._allow_private = _find_contact(settings), settings.outgoing_private
        self._database, self._clock = database, clock
        self._sending: list[_Sending] = []

    def turn(self) -> bool:
        """Stores what was sent, and begins to send what is due. Returns whether messages are on their way."""
        self._settle_finished()
        self._begin()
        return bool(self._sending)

    def finish(self) -> None:
        """Waits until the messages on their way are sent, and stores that."""
        for sending in self._sending:
            sending.join()
        self._settle_finished()

    def _begin(self) -> None:
        busy = {sending.reader_id for sending in self._sending}
        now = self._clock.now()
        with self._database.reading() as db:
            readers = deliveries.find_readers(db, Channel.PUSH, stamp(now), most=_READERS_MAX + len(busy))
        for reader_id in [id_ for id_ in readers if id_ not in busy][: _READERS_MAX - len(busy)]:
            with self._database.writing() as db:
                messages, keys = _prepare(db, reader_id, now), push.obtain_keys(db)
            if messages:
                self._start(reader_id, messages, keys, now)

    def _start(self, reader_id: int, messages: Sequence[_Message], keys: PushKeys, now: datetime) -> None:
        send = partial(web_push.send, keys=keys, at=now, contact=self._contact, allow_private=self._allow_private)
        sending = _Sending(reader_id, messages, send)
        self._sending.append(sending)
        sending.start()

    def _settle_finished(self) -> None:
        for sending in [one for one in self._sending if not one.is_alive()]:
            now = self._clock.now()
            with self._database.writing() as db:
                for message, results in sending.results:
                    _settle(db, message, results, now)
                for message in sending.messages[len(sending.results) :]:
                    deliveries.put_off(db, message.delivery, stamp(now))
            self._sending.remove(sending)


def _find_contact(settings: Settings) -> str | None:
    """Returns the address that push services may use to complain. Some of them require one."""
    if settings.base_url and settings.base_url.startswith("https://"):
        return settings.base_url
    return f"mailto:{settings.mail_from}" if settings.mail_from else None


def _prepare(db: Unit, reader_id: int, now: datetime) -> list[_Message]:
    """Reserves what is due to a reader, and writes it. Messages that nobody can get now are settled."""
    subscriptions = push.list_all(db, reader_id)
    chosen = preferences.values(db, reader_id, [NOTICES, "timezone", "language"])
    settings = read(chosen.get(NOTICES, {}))
    quiet_until = deliveries.find_quiet_end(settings, str(chosen["timezone"]), now)
    messages = []
    for delivery in deliveries.find_due(db, Channel.PUSH, stamp(now), most=_AT_ONCE, user_id=reader_id):
        if not deliveries.hold(db, delivery, stamp(now), stamp(now + deliveries.HELD)):
            continue
        if quiet_until and delivery.kind != NoticeKind.TEST:
            deliveries.put_off(db, delivery, quiet_until)
            continue
        done = delivery.reached_ids
        waiting = [one for one in subscriptions if one.id not in done]
        try:
            body = _write(delivery, settings, chosen)
        except Exception as error:
            _LOG.exception("push %d of user %d could not be written", delivery.id, delivery.user_id)
            deliveries.settle(db, delivery, deliveries.plan_retry(delivery, type(error).__name__, now), stamp(now))
            continue
        message = _Message(delivery, body, waiting)
        if waiting:
            messages.append(message)
        else:
            _settle(db, message, {}, now)
    return messages


def _write(delivery: Delivery, settings: NoticeSettings, chosen: Mapping[str, Any]) -> bytes:
    facts = msgspec.json.decode(delivery.facts, type=Facts)
    language = str(chosen["language"])
    is_test = delivery.kind == NoticeKind.TEST
    title = say(_TEST_TITLE, language) if is_test else find_title(delivery.kind, facts, language)
    lines = list_lines(delivery.kind, facts, language, amounts=settings.amounts)
    shown = {
        "title": title[:_TITLE_MAX],
        "body": "; ".join(lines)[:_BODY_MAX],
        "path": "settings/notices" if is_test else find_page(delivery.object_kind, delivery.object_id),
        "tag": _name_occasion(delivery),
    }
    return msgspec.json.encode(shown)


def _name_occasion(delivery: Delivery) -> str:
    """Names a message, so that a repetition replaces it. The secret itself must not leave the installation this way."""
    return hashlib.sha256(delivery.secret.encode()).hexdigest()[:32]


def _settle(db: Unit, message: _Message, results: Mapping[int, PushResult], now: datetime) -> None:
    """Stores what came of a message. It is tried again as long as a device may still get it."""
    delivery, user_id = message.delivery, message.delivery.user_id
    push.remove_gone(db, user_id, [one for one in message.subscriptions if results[one.id].is_gone])
    sent = [id_ for id_, result in results.items() if result.failure is None]
    push.note_use(db, user_id, sent, stamp(now))
    waiting = [result for result in results.values() if result.failure and not result.is_final]
    failures = [result.failure for result in results.values() if result.failure]
    for failure in failures:
        _LOG.warning("a notice was not pushed: %s", failure)
    reached = [*delivery.reached_ids, *(id_ for id_, one in results.items() if one.is_final or not one.failure)]
    if waiting:
        wait = timedelta(seconds=max(result.retry_after_s for result in waiting))
        outcome = deliveries.plan_retry(delivery, str(waiting[0].failure), now, wait=wait)
    elif reached and not (failures and not sent):
        outcome = Outcome()
    else:
        outcome = Outcome(failure=failures[0] if failures else _NOBODY)
    outcome = msgspec.structs.replace(outcome, reached=" ".join(map(str, reached)) or None)
    deliveries.settle(db, delivery, outcome, stamp(now))
