"""Sends e-mail about notices and forgotten passwords, in threads, because mail servers may be slow."""

import logging
import threading
from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage

import msgspec

from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import NOTICES
from farthing.books.preferences.notices import Channel, NoticeKind, read
from farthing.identity import users
from farthing.identity.signing_in import forgotten
from farthing.identity.signing_in.forgotten import PasswordRequest
from farthing.identity.user import Role
from farthing.kernel.clock import Clock, shift, stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError
from farthing.kernel.network.mail import MailServer, NotSent, send
from farthing.overviews.notices import deliveries
from farthing.overviews.notices.deliveries import Delivery, Outcome
from farthing.overviews.notices.letters import Letter, write, write_reset
from farthing.overviews.notices.model import Facts
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.jobs")
_AT_ONCE = 20
# What a message is about.
_Cause = Delivery | PasswordRequest


class _Sending(threading.Thread):
    """Sends some messages. `results` has what came of each."""

    def __init__(self, server: MailServer, letters: Sequence[tuple[_Cause, EmailMessage]]) -> None:
        super().__init__(daemon=True, name="mail")
        self._server, self._letters = server, letters
        self.results: list[tuple[_Cause, NotSent | None]] = []

    def run(self) -> None:
        for cause, letter in self._letters:
            try:
                send(self._server, letter)
            except NotSent as error:
                self.results.append((cause, error))
            except Exception as error:  # any other error must not lose the attempt
                _LOG.exception("an e-mail could not be sent")
                self.results.append((cause, NotSent(type(error).__name__)))
            else:
                self.results.append((cause, None))


class Mailer:
    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        self._server = MailServer.of(settings.mail_url or "")
        self._sender, self._base = settings.mail_from or "", settings.base_url or ""
        self._database, self._clock = database, clock
        self._sending: _Sending | None = None
        # When to try again to send links for new passwords, by the address that people have typed.
        self._retry_at: dict[str, datetime] = {}

    def turn(self) -> bool:
        """Stores what was sent, and begins to send what is due. Returns whether messages are on their way."""
        if self._sending and not self._sending.is_alive():
            self._settle(self._sending)
            self._sending = None
        if self._sending is None:
            self._begin()
        return self._sending is not None

    def finish(self) -> None:
        """Waits until the messages on their way are sent, and stores that."""
        if self._sending:
            self._sending.join()
            self._settle(self._sending)
            self._sending = None

    def _begin(self) -> None:
        now = self._clock.now()
        with self._database.reading() as db:
            due = deliveries.find_due(db, Channel.EMAIL, stamp(now), most=_AT_ONCE)
            requests = forgotten.list_requests(db, most=_AT_ONCE)
        letters: list[tuple[_Cause, EmailMessage]] = []
        try:
            for request in requests:
                letters += [(request, letter) for letter in self._reset_guarded(request, now)]
            for delivery in due:
                letters += [(delivery, letter) for letter in self._write_guarded(delivery, now)]
        finally:
            # What was prepared before the database became unavailable is sent.
            if letters:
                self._sending = _Sending(self._server, letters)
                self._sending.start()

    def _reset_guarded(self, request: PasswordRequest, now: datetime) -> list[EmailMessage]:
        try:
            return self._reset(request, now)
        except FarthingError:
            raise  # the database is unavailable for all letters
        except Exception:
            _LOG.exception("a link for a new password could not be written")
            with self._database.writing() as db:
                forgotten.take_request(db, request)
            return []

    def _reset(self, request: PasswordRequest, now: datetime) -> list[EmailMessage]:
        """Writes the link for somebody who has forgotten a password. Those who have none sign in in another way.

        The request is gone afterwards: if this process dies before the message is sent, people ask again.
        """
        if now < self._retry_at.get(request.email, now):
            return []
        with self._database.writing() as db:
            if not forgotten.take_request(db, request):
                return []
            expired = request.created_at < shift(stamp(now), -forgotten.LINK_LASTS)
            user = None if expired else users.hold_by_email(db, request.email)
            if user is None or user.role == Role.DEMO or not users.has_password(db, user.id):
                return []
            code = forgotten.make_link(db, user.id, stamp(now))
            language = str(preferences.values(db, user.id, ["language"])["language"])
            return [write_reset(self._sender, user.email, self._base, code, language)]

    def _write_guarded(self, delivery: Delivery, now: datetime) -> list[EmailMessage]:
        try:
            return self._write(delivery, now)
        except FarthingError:
            raise  # the database is unavailable for all letters
        except Exception as error:
            _LOG.exception("e-mail %d of user %d could not be written", delivery.id, delivery.user_id)
            with self._database.writing() as db:
                if deliveries.hold(db, delivery, stamp(now), stamp(now + deliveries.HELD)):
                    outcome = _plan(delivery, NotSent(type(error).__name__), now)
                    deliveries.settle(db, delivery, outcome, stamp(now))
            return []

    def _write(self, delivery: Delivery, now: datetime) -> list[EmailMessage]:
        with self._database.writing() as db:
            if deliveries.hold(db, delivery, stamp(now), stamp(now + deliveries.HELD)):
                prepared = self._prepare(db, delivery, now)
                return [write(prepared)] if prepared else []
        return []

    def _prepare(self, db: Unit, delivery: Delivery, now: datetime) -> Letter | None:
        """Returns what to send, or None if the reader has quiet hours."""
        chosen = preferences.values(db, delivery.user_id, [NOTICES, "timezone", "language"])
        settings = read(chosen.get(NOTICES, {}))
        is_test = delivery.kind == NoticeKind.TEST
        if not is_test and (until := deliveries.find_quiet_end(settings, str(chosen["timezone"]), now)):
            deliveries.put_off(db, delivery, until)
            return None
        return Letter(
            id=delivery.id,
            to=delivery.email,
            kind=delivery.kind,
            object_kind=delivery.object_kind,
            object_id=delivery.object_id,
            facts=msgspec.json.decode(delivery.facts, type=Facts),
            secret=delivery.secret,
            base=self._base,
            sender=self._sender,
            language=str(chosen["language"]),
            amounts=settings.amounts,
        )

    def _settle(self, sending: _Sending) -> None:
        now = self._clock.now()
        self._retry_at = {email: at for email, at in self._retry_at.items() if at > now}
        with self._database.writing() as db:
            for cause, error in sending.results:
                if isinstance(cause, Delivery):
                    deliveries.settle(db, cause, _plan(cause, error, now), stamp(now))
                elif error and not error.final:
                    forgotten.put_back(db, cause)
                    self._retry_at[cause.email] = now + deliveries.PAUSES[0]
        for _, error in sending.results:
            if error:
                _LOG.warning("an e-mail was not sent: %s", error)


def _plan(delivery: Delivery, error: NotSent | None, now: datetime) -> Outcome:
    return deliveries.plan_retry(delivery, str(error), now, is_final=error.final) if error else Outcome()
