"""Stores an audit log for each user, which keeps sign-ins, refusals, tokens, shares and exports for 400 days."""

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum

from msgspec import Struct, structs

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit, page_of

RETENTION = timedelta(days=400)
_NOTE = 'a.id, a.user_id, a.at, a.event, a.by_id, a.address, a.device, a.is_known, a.about, u.email, b.email AS "by"'
_JOINED = "audit a JOIN users u ON u.id = a.user_id LEFT JOIN users b ON b.id = a.by_id"


class Event(StrEnum):
    """Defines the kinds of events. They are stored, so their names must not change."""

    SIGNED_IN = "signed_in"
    SIGN_IN_REFUSED = "sign_in_refused"
    SIGNED_OUT = "signed_out"
    SIGNED_OUT_EVERYWHERE = "signed_out_everywhere"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 -- a name
    PASSWORD_RESET = "password_reset"  # noqa: S105
    SECOND_FACTOR_REFUSED = "second_factor_refused"
    PASSKEY_COPIED = "passkey_copied"
    FACTOR_ADDED = "factor_added"
    FACTOR_REMOVED = "factor_removed"
    FACTORS_RESET = "factors_reset"
    RECOVERY_CODES_MADE = "recovery_codes_made"
    PROVIDER_LINKED = "provider_linked"
    PROVIDER_UNLINKED = "provider_unlinked"
    PROVIDER_REFUSED = "provider_refused"
    SIGNED_OUT_BY_PROVIDER = "signed_out_by_provider"
    TOKEN_MADE = "token_made"  # noqa: S105
    TOKEN_REVOKED = "token_revoked"  # noqa: S105
    APP_REGISTERED = "app_registered"
    APP_DELETED = "app_deleted"
    APP_LET_IN = "app_let_in"
    APP_REVOKED = "app_revoked"
    APP_SECRET_REUSED = "app_secret_reused"  # noqa: S105
    INVITED = "invited"
    INVITATION_TAKEN_BACK = "invitation_taken_back"
    JOINED = "joined"
    ROLE_CHANGED = "role_changed"
    SHARING_ENDED = "sharing_ended"
    HANDED_OVER = "handed_over"
    EXPORTED = "exported"
    HISTORY_DELETED = "history_deleted"
    SETTING_CHANGED = "setting_changed"
    USER_MADE = "user_made"
    USER_CHANGED = "user_changed"
    USER_DELETED = "user_deleted"
    QUOTA_CHANGED = "quota_changed"


class Note(Struct, frozen=True, kw_only=True):
    """Describes one entry of the audit log. `about` names what the event was about, such as a token or a member.

    `by` is the e-mail address of the person who did it, if that is not the user.
    """

    id: int
    user_id: int
    at: str
    event: str
    by_id: int | None
    address: str
    device: str
    is_known: bool
    about: str
    email: str
    by: str | None


class AuditSource(Struct, frozen=True, kw_only=True):
    """Describes where an event came from. `is_known` is true if the user had signed in from there before."""

    address: str
    device: str
    is_known: bool


COMMAND_LINE = AuditSource(address="", device="command line", is_known=True)


def note(
    db: Unit, user_id: int, event: Event, source: AuditSource, *, now: str, about: str = "", by_id: int | None = None
) -> None:
    """Adds an event to the log. Call it in the unit of work in which the event happens, so that both are stored or
    neither."""
    by_id = None if by_id == user_id else by_id
    facts = structs.asdict(source)
    tables.add(db, "audit", user_id=user_id, at=now, event=event, by_id=by_id, about=about, **facts)


def page(db: Unit, user_id: int | None, events: Sequence[str], *, limit: int, offset: int) -> tuple[int, list[Note]]:
    """Lists events, the newest first. Without `user_id`, lists those of all users; without `events`, of all kinds."""
    where = "1 = 1" if user_id is None else "a.user_id = :user_id"
    filters: dict[str, object] = {} if user_id is None else {"user_id": user_id}
    if events:
        where += " AND a.event IN :events"
        filters["events"] = list(events)
    select = f"SELECT {_NOTE} FROM {_JOINED}"
    return page_of(db, Note, select, "audit a", where, "a.id DESC", limit=limit, offset=offset, **filters)


def list_new_devices(db: Unit, user_id: int, since: str, *, besides_at: str, limit: int) -> list[Note]:
    """Lists sign-ins from new devices, the newest first, so that the user can be asked whether they know these.

    `besides_at` is the time at which the current session began. The sign-in at that time is omitted.
    """
    where = "a.user_id = :user_id AND a.is_known = 0 AND a.event = :event AND a.at > :since AND a.at <> :besides_at"
    statement = f"SELECT {_NOTE} FROM {_JOINED} WHERE {where} ORDER BY a.id DESC LIMIT :limit"
    of = {"user_id": user_id, "event": Event.SIGNED_IN.value, "limit": limit}
    return db.structs(Note, statement, since=since, besides_at=besides_at, **of)


def was_handed_over_since(db: Unit, user_id: int, revision: int) -> bool:
    """Tells whether the books have got another owner since a revision."""
    sql = """
        SELECT 1 FROM audit WHERE user_id = :user_id AND event = :event
            AND at >= (SELECT r.at FROM revisions r WHERE r.user_id = :user_id AND r.revision = :revision) LIMIT 1
    """
    return db.value(sql, user_id=user_id, event=Event.HANDED_OVER.value, revision=revision) is not None


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "audit", "id", "at <= :before", before=shift(now, -RETENTION))
