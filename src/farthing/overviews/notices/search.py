"""Searches one user's books for occasions, and stores the notices of those that have none yet."""

import secrets
from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import structs, to_builtins

from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import NOTICES
from farthing.books.preferences.notices import Channel, NoticeKind, NoticeSettings, read
from farthing.kernel.clock import stamp, today_in
from farthing.kernel.config import Settings
from farthing.kernel.network import chat
from farthing.storage.unit import Unit

from . import events, money, store, weekly
from .model import Facts, Found, Look, NoticeDraft, NoticeState, Waiting

_SEARCHES = (
    money.find_bills,
    money.find_budgets,
    money.find_low,
    money.find_large,
    events.find_failures,
    events.find_imports,
    events.find_paused,
    events.find_devices,
    events.find_complaints,
    weekly.find_summary,
)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def find_available(settings: Settings) -> frozenset[Channel]:
    """Returns the places to which this installation can send notices."""
    channels = [Channel.APP, Channel.PUSH]
    channels += [Channel.EMAIL] if settings.mail_url else []
    return frozenset([*channels, *([Channel.CHAT] if chat.is_installed() else [])])


def load_settings(db: Unit, user_id: int) -> NoticeSettings:
    stored = preferences.get_named(db, user_id, NOTICES)
    return read(stored.data) if stored else NoticeSettings()


def save_settings(db: Unit, user_id: int, settings: NoticeSettings, now: str) -> None:
    data = to_builtins(settings)
    stored = preferences.get_named(db, user_id, NOTICES)
    if stored:
        preferences.change(db, user_id, stored.id, data, now)
    else:
        preferences.add(db, user_id, NOTICES, data, now)


def plan_test(db: Unit, user_id: int, channel: Channel, now: str) -> None:
    """Plans a message that only shows that a channel works. Quiet hours do not delay it."""
    draft = NoticeDraft(key=f"{NoticeKind.TEST} {secrets.token_hex(8)}", kind=NoticeKind.TEST, facts=Facts())
    settings = NoticeSettings(channels={NoticeKind.TEST: (channel,)})
    found = Found(drafts=[draft], ended_account_ids=frozenset(), settings=settings)
    store.add(db, user_id, found, now, is_first=False, available=[channel])


def search(db: Unit, waiting: Waiting, state: NoticeState | None, now: datetime) -> tuple[Found, NoticeState]:
    """Searches for occasions that have no notice yet. Also returns the state to store with them. Only reads."""
    settings = load_settings(db, waiting.user_id)
    look = Look(
        user_id=waiting.user_id,
        is_owner=waiting.is_owner,
        today=today_in(waiting.timezone, now),
        since=state.since if state else stamp(now),
        after_audit_id=state.audit_id if state else waiting.audit_id,
        settings=settings,
    )
    drafts = [draft for find in _SEARCHES for draft in find(db, look) if settings.find_channels(draft.kind)]
    low = {draft.object_id for draft in drafts if draft.kind is NoticeKind.LOW_BALANCE}
    known_low = store.list_low(db, waiting.user_id)
    numbered = list(_number(drafts, known_low, stamp(now)))
    known = store.list_known(db, waiting.user_id, [draft.key for draft in numbered])
    fresh = [draft for draft in numbered if draft.key not in known]
    after = NoticeState(
        since=look.since,
        revision=waiting.revision,
        audit_id=waiting.audit_id,
        looked_at=stamp(now),
        next_at=stamp(_find_next(waiting, now)),
    )
    return Found(drafts=fresh, ended_account_ids=frozenset(known_low - low), settings=settings), after


def _number(drafts: Iterable[NoticeDraft], known_low: set[int], now: str) -> Iterator[NoticeDraft]:
    """Numbers the keys of accounts below their line, because each fall below the line is a separate occasion."""
    for draft in drafts:
        if draft.kind is not NoticeKind.LOW_BALANCE:
            yield draft
        elif draft.object_id not in known_low:
            yield structs.replace(draft, key=f"{draft.key} {now}")


def _find_next(waiting: Waiting, now: datetime) -> datetime:
    """Returns when to look again even if nothing changes: at midnight, and for owners at least every hour."""
    zone = ZoneInfo(waiting.timezone)
    midnight = datetime.combine(now.astimezone(zone).date() + _DAY, time.min, zone).astimezone(now.tzinfo)
    return min(midnight, now + _HOUR) if waiting.is_owner else midnight
