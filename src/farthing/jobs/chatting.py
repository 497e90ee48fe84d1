"""Sends notices to chats and push services, in a thread, because these may be slow."""

import logging
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import NOTICES
from farthing.books.preferences.notices import Channel, NoticeKind, NoticeSettings, read
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.languages import say
from farthing.kernel.network import chat
from farthing.kernel.network.chat import ChatMessage
from farthing.overviews.notices import addresses, deliveries
from farthing.overviews.notices.addresses import Address
from farthing.overviews.notices.deliveries import Delivery, Outcome
from farthing.overviews.notices.letters import find_page, find_title, list_lines
from farthing.overviews.notices.model import Facts
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.jobs")
_READERS_MAX, _AT_ONCE = 8, 10
_NOBODY = "There is no address to send it to."
_NOT_SENT = "The message could not be sent."
_TEST_TITLE = "Messages from Farthing work"


class _Message(Struct, frozen=True):
    """Holds a notice, the addresses that do not have it yet, and what they get."""

    delivery: Delivery
    addresses: Sequence[Address]
    title: str
    body: str


class _Sending(threading.Thread):
    """Sends some messages to one reader. `results` says of each address what was wrong, or None if it was sent."""

    def __init__(self, reader_id: int, messages: Sequence[_Message], *, allow_private: bool) -> None:
        super().__init__(daemon=True, name="chat")
        self.reader_id, self.messages, self._allow_private = reader_id, messages, allow_private
        self._all = [ChatMessage(to.url, one.title, one.body) for one in messages for to in one.addresses]
        self.results: list[str | None] = [_NOT_SENT] * len(self._all)

    def run(self) -> None:
        try:
            self.results = chat.send(self._all, allow_private=self._allow_private)
        except Exception:  # any error must not lose the attempt
            _LOG.exception("notices could not be sent to chats")


class Chatter:
    """Sends to several readers at the same time, so that a slow service of one does not delay the others."""

    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        self._base, self._allow_private = settings.base_url, settings.outgoing_private
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
            readers = deliveries.find_readers(db, Channel.CHAT, stamp(now), most=_READERS_MAX + len(busy))
        for reader_id in [id_ for id_ in readers if id_ not in busy][: _READERS_MAX - len(busy)]:
            with self._database.writing() as db:
                messages = self._prepare(db, reader_id, now)
            if messages:
                sending = _Sending(reader_id, messages, allow_private=self._allow_private)
                self._sending.append(sending)
                sending.start()

    def _prepare(self, db: Unit, reader_id: int, now: datetime) -> list[_Message]:
        """Reserves what is due to a reader, and writes it. Messages that nobody can get now are settled."""
        chosen = preferences.values(db, reader_id, [NOTICES, "timezone", "language"])
        settings, to = read(chosen.get(NOTICES, {})), addresses.list_all(db, reader_id)
        quiet_until = deliveries.find_quiet_end(settings, str(chosen["timezone"]), now)
        messages = []
        for delivery in deliveries.find_due(db, Channel.CHAT, stamp(now), most=_AT_ONCE, user_id=reader_id):
            if not deliveries.hold(db, delivery, stamp(now), stamp(now + deliveries.HELD)):
                continue
            if quiet_until and delivery.kind != NoticeKind.TEST:
                deliveries.put_off(db, delivery, quiet_until)
                continue
            left = [address for address in to if address.id not in delivery.reached_ids]
            if not left:
                deliveries.settle(db, delivery, Outcome(failure=_NOBODY), stamp(now))
                continue
            try:
                title, body = _write(delivery, settings, chosen, self._base)
            except Exception as error:
                _LOG.exception("message %d of user %d could not be written", delivery.id, delivery.user_id)
                outcome = deliveries.plan_retry(delivery, type(error).__name__, now)
                deliveries.settle(db, delivery, outcome, stamp(now))
                continue
            messages.append(_Message(delivery, left, title, body))
        return messages

    def _settle_finished(self) -> None:
        for sending in [one for one in self._sending if not one.is_alive()]:
            now, results = self._clock.now(), iter(sending.results)
            with self._database.writing() as db:
                for message in sending.messages:
                    _settle(db, message, {to.id: next(results) for to in message.addresses}, now)
            self._sending.remove(sending)


def _write(
    delivery: Delivery, settings: NoticeSettings, chosen: Mapping[str, Any], base: str | None
) -> tuple[str, str]:
    """Writes the title and the text. Without a public address, there is no link."""
    facts = msgspec.json.decode(delivery.facts, type=Facts)
    language = str(chosen["language"])
    is_test = delivery.kind == NoticeKind.TEST
    title = say(_TEST_TITLE, language) if is_test else " ".join(find_title(delivery.kind, facts, language).split())
    lines = list_lines(delivery.kind, facts, language, amounts=settings.amounts)
    page = "settings/notices" if is_test else find_page(delivery.object_kind, delivery.object_id)
    return title, "\n".join([*lines, *([f"{base}/#/{page}"] if base else [])]) or "Farthing"


def _settle(db: Unit, message: _Message, results: Mapping[int, str | None], now: datetime) -> None:
    """Stores what came of a message. Only the addresses that do not have it get it again."""
    delivery = message.delivery
    for address_id, failure in results.items():  # ten at most
        addresses.note(db, delivery.user_id, address_id, failure, stamp(now))
    failures = [failure for failure in results.values() if failure]
    for failure in failures:
        _LOG.warning("a notice was not sent to a chat: %s", failure)
    reached = [*delivery.reached_ids, *(id_ for id_, failure in results.items() if failure is None)]
    outcome = deliveries.plan_retry(delivery, failures[0], now) if failures else Outcome()
    outcome = msgspec.structs.replace(outcome, reached=" ".join(map(str, reached)) or None)
    deliveries.settle(db, delivery, outcome, stamp(now))
