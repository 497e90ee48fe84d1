"""Sends the messages of webhooks: in order for each webhook, again after failures, and for three days at most."""

import hashlib
import hmac
import logging
import threading
from base64 import b64decode, b64encode
from collections.abc import Sequence
from datetime import datetime, timedelta
from time import monotonic
from urllib.parse import urlsplit

from msgspec.structs import replace

from farthing.books.webhooks import following, store
from farthing.books.webhooks.following import Follower
from farthing.books.webhooks.model import SECRET_PREFIX
from farthing.books.webhooks.store import AttemptDraft, DueMessage
from farthing.identity.user import ApiVersion
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.errors import Unavailable
from farthing.kernel.network import outgoing
from farthing.kernel.network.outgoing import AnswerTooLarge, NotAllowed, RequestLimits, Unreachable
from farthing.overviews.notices import store as notices
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing.jobs")
LIMITS = RequestLimits(connect_s=5, total_s=15, body_bytes_max=64 * 1024)
# The pauses after failures. The last one is repeated.
_PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 900, 3600, 3 * 3600))
GIVEN_UP_AFTER = timedelta(days=3)
# A sender sends this many messages of one webhook, or for this long, before it stores the results.
_AT_ONCE, _SENDING_S = 20, 10.0
# If a sender does not report back for this long, its messages are sent again.
HELD = timedelta(minutes=5)
# To how many receivers messages are sent at once, in total and for one user.
_RECEIVERS_MAX, _OF_USER_MAX = 8, 2
# How many webhooks look for events in one turn, and for how long. If that fails, a webhook looks again after a while,
# or when the books change.
_FOLLOWERS_AT_ONCE, _FOLLOWING_S, _FOLLOW_AGAIN_AFTER = 100, 1.0, timedelta(minutes=10)
_RESPONSE_CHARACTERS_MAX = 2000


def sign(secret: str, body: str, at: int) -> str:
    """Returns the header by which receivers recognise that a message comes from this server."""
    signed = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha3_256)
    return f"t={at},v1={signed.hexdigest()}"


def sign_standard(secret: str, uuid: str, body: str, at: int) -> dict[str, str]:
    """Returns the headers of Standard Webhooks. The key is Base64 in the secret."""
    key = b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = hmac.new(key, f"{uuid}.{at}.{body}".encode(), hashlib.sha256).digest()
    signature = f"v1,{b64encode(signed).decode()}"
    return {"webhook-id": uuid, "webhook-timestamp": str(at), "webhook-signature": signature}


def _make_signature(message: DueMessage, at: int) -> dict[str, str]:
    if message.api_version == ApiVersion.V6:
        return {"Signature": sign(message.secret, message.content, at)}
    return sign_standard(message.secret, message.uuid, message.content, at)


def send(message: DueMessage, at: datetime, *, allow_private: bool) -> AttemptDraft:
    """Sends a message once. Only an answer from 200 to 299 counts as sent; redirects are not followed."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "User-Agent": "Farthing",
        **_make_signature(message, int(at.timestamp())),
    }
    parts = urlsplit(message.url)
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        to = outgoing.look_up(message.url, allow_private=allow_private, limits=LIMITS)
        body = message.content.encode()
        with outgoing.ask(to, "POST", target, headers=headers, body=body, limits=LIMITS) as answer:
            status = answer.status
            try:
                text = answer.read().decode(errors="replace").replace("\0", "")[:_RESPONSE_CHARACTERS_MAX]
            except (AnswerTooLarge, Unreachable) as error:
                text = str(error)  # the receiver has answered, so it has the message
    except (NotAllowed, Unreachable) as error:
        return AttemptDraft(sent=False, logs=str(error))
    return AttemptDraft(sent=200 <= status < 300, status_code=status, response=text)


class _Sending(threading.Thread):
    """Sends some messages of one webhook, until one of them fails. `results` holds the outcome of each attempt."""

    def __init__(self, messages: Sequence[DueMessage], clock: Clock, *, allow_private: bool) -> None:
        super().__init__(daemon=True, name="webhook")
        self._messages, self._clock, self._allow_private = messages, clock, allow_private
        self.results: list[tuple[DueMessage, AttemptDraft]] = []

    def run(self) -> None:
        until = monotonic() + _SENDING_S
        for message in self._messages:
            attempt = self._try(message)
            self.results.append((message, attempt))
            if not attempt.sent or monotonic() > until:
                break

    def _try(self, message: DueMessage) -> AttemptDraft:
        try:
            return send(message, self._clock.now(), allow_private=self._allow_private)
        except Exception as error:  # any other error must not lose the attempt
            _LOG.exception("a message of webhook %d could not be sent", message.webhook_id)
            return AttemptDraft(sent=False, logs=type(error).__name__)


class HookSender:
    """Starts threads for webhooks with due messages. Slow receivers delay only others of the same user."""

    def __init__(self, database: Database, clock: Clock, *, allow_private: bool) -> None:
        self._database, self._clock, self._allow_private = database, clock, allow_private
        self._sending: list[_Sending] = []
        # Users take turns: these were the last ones whose events were read, and to whose receivers messages were sent.
        self._last_followed_id = self._last_served_id = 0

    def turn(self) -> bool:
        """Stores what was sent, finds new events, and starts to send what is due. Returns whether there may be more."""
        self._settle()
        more = self._follow()
        self._begin()
        return more or bool(self._sending)

    def _follow(self) -> bool:
        """Writes the messages of webhooks of version 1. Returns whether some of them have more to read."""
        now, until = self._clock.now(), monotonic() + _FOLLOWING_S
        with self._database.reading() as db:
            followers = following.find_followers(
                db, stamp(now), after_user_id=self._last_followed_id, most=_FOLLOWERS_AT_ONCE
            )
        more = len(followers) == _FOLLOWERS_AT_ONCE
        for follower in followers:
            self._last_followed_id = follower.user_id
            more |= self._follow_guarded(follower, now)
            if monotonic() > until:
                return True  # the next turn begins with the next user
        return more

    def _follow_guarded(self, follower: Follower, now: datetime) -> bool:
        """Follows for one webhook. If that fails, it is tried again later, and the others go on."""
        from .hook_events import follow  # only installations with webhooks load this code

        try:
            with self._database.writing() as db:
                return follow(db, follower, now)
        except Unavailable:
            raise  # the database is unavailable for all users
        except Exception:
            _LOG.exception("the events of webhook %d could not be read", follower.webhook_id)
        with self._database.writing() as db:
            following.put_off(db, follower, stamp(now + _FOLLOW_AGAIN_AFTER))
        return False

    def _settle(self) -> None:
        for sending in [one for one in self._sending if not one.is_alive()]:
            now = self._clock.now()
            with self._database.writing() as db:
                for message, attempt in sending.results:
                    planned = _plan(message, attempt, now)
                    store.settle(db, message, planned, stamp(now))
                    if not planned.sent and planned.next_at is None:
                        notices.look_soon(db, message.user_id, stamp(now))
            self._sending.remove(sending)

    def _begin(self) -> None:
        free = _RECEIVERS_MAX - len(self._sending)
        if not free:
            return
        now = self._clock.now()
        with self._database.reading() as db:
            due = store.find_due(
                db, stamp(now), after_user_id=self._last_served_id, of_user_max=_OF_USER_MAX, most=free
            )
        for first in due:
            self._last_served_id = first.user_id
            with self._database.writing() as db:
                messages = store.hold(db, first, stamp(now), stamp(now + HELD), most=_AT_ONCE)
            if messages:
                sending = _Sending(messages, self._clock, allow_private=self._allow_private)
                self._sending.append(sending)
                sending.start()


def _plan(message: DueMessage, attempt: AttemptDraft, now: datetime) -> AttemptDraft:
    """Decides when to try again. Gives up three days after the message was written or, in version 1, after the
    receiver began to fail.
    """
    of_v6 = message.api_version == ApiVersion.V6
    since = message.created_at if of_v6 else message.failing_since or stamp(now)
    pause = _PAUSES[min(message.attempts, len(_PAUSES) - 1)]
    if attempt.sent or now + pause > datetime.fromisoformat(since) + GIVEN_UP_AFTER:
        return attempt
    return replace(attempt, next_at=stamp(now + pause))
