"""Stores notices, and up to where each user's books were searched for occasions."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from farthing.books.preferences.notices import Channel, NoticeKind
from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit, page_of

from . import deliveries
from .model import Found, Notice, NoticeState, Waiting, encode_facts

_KEPT = timedelta(days=400)
_NOTICE = f"SELECT {tables.columns_of(Notice)} FROM notices"
# An hour is enough to notice what changes no books, such as a backup that failed. A clock that was set back by more
# than a day must not stop the search until it has caught up. Whoever has waited longest comes first, because one turn
# may not be long enough for everybody.
_WAITING = """
SELECT u.id AS user_id, u.revision, trim(z.data, '"') AS timezone,
    CASE WHEN u.role = 'owner' THEN 1 ELSE 0 END AS is_owner,
    COALESCE((SELECT MAX(a.id) FROM audit a WHERE a.user_id = u.id), 0) AS audit_id
FROM users u
JOIN preferences z ON z.user_id = u.id AND z.name = 'timezone'
LEFT JOIN notice_states s ON s.user_id = u.id
WHERE u.blocked = 0 AND (s.user_id IS NULL OR s.revision <> u.revision OR s.next_at <= :now OR s.looked_at > :soon
    OR s.audit_id < (SELECT MAX(a.id) FROM audit a WHERE a.user_id = u.id))
ORDER BY CASE WHEN s.looked_at <= :soon THEN s.looked_at ELSE '' END, u.id
"""


def find_waiting(db: Unit, now: str) -> list[Waiting]:
    """Finds the users whose books, devices or day have changed since somebody last looked."""
    return db.structs(Waiting, _WAITING, now=now, soon=shift(now, timedelta(days=1)))


def get_state(db: Unit, user_id: int) -> NoticeState | None:
    return tables.find(db, NoticeState, "notice_states", user_id=user_id)


def move_on(db: Unit, user_id: int, before: NoticeState | None, after: NoticeState) -> bool:
    """Stores how far the search has come. Returns False if another job process has done so since `before` was read."""
    values = {name: getattr(after, name) for name in NoticeState.__struct_fields__}
    if before is None:
        columns = ", ".join(values)
        added = (
            f"INSERT INTO notice_states (user_id, {columns}) VALUES (:user_id, {', '.join(f':{n}' for n in values)})"
        )
        return db.run_and_count(f"{added} ON CONFLICT (user_id) DO NOTHING", user_id=user_id, **values) > 0
    changed = ", ".join(f"{name} = :{name}" for name in values)
    statement = f"""
        UPDATE notice_states SET {changed}
        WHERE user_id = :user_id AND revision = :old_revision AND looked_at = :old_at AND audit_id = :old_audit_id
    """
    old = {"old_revision": before.revision, "old_at": before.looked_at, "old_audit_id": before.audit_id}
    return db.run_and_count(statement, user_id=user_id, **values, **old) > 0


def look_soon(db: Unit, user_id: int, now: str) -> None:
    """Lets the next search include this user, because of something that does not change the books."""
    tables.change(db, "notice_states", {"user_id": user_id}, next_at=now)


_ADD = """
INSERT INTO notices (user_id, key, kind, object_kind, object_id, facts, shown, read_at, created_at)
VALUES (:user_id, :key, :kind, :object_kind, :object_id, :facts, :shown, :read_at, :now)
ON CONFLICT (user_id, key) DO NOTHING
"""


def add(db: Unit, user_id: int, found: Found, now: str, *, is_first: bool, available: Collection[Channel] = ()) -> None:
    """Adds a notice for each occasion. Those found by the first search are marked as read, because they are not new."""
    rows = [
        {
            "user_id": user_id,
            "key": draft.key,
            "kind": draft.kind.value,
            "object_kind": draft.object_kind,
            "object_id": draft.object_id,
            "facts": encode_facts(draft.facts).decode(),
            "shown": int(Channel.APP in found.settings.find_channels(draft.kind)),
            "read_at": now if is_first else None,
            "now": now,
        }
        for draft in found.drafts
    ]
    db.many(_ADD, rows)
    if not is_first:
        deliveries.add(db, user_id, found.drafts, found.settings, available, now)


def list_known(db: Unit, user_id: int, keys: Sequence[str]) -> set[str]:
    """Lists which of these occasions have a notice already."""
    sql = "SELECT key FROM notices WHERE user_id = :user_id AND key IN :keys"
    return {key for (key,) in db.all(sql, user_id=user_id, keys=list(keys))} if keys else set()


def list_low(db: Unit, user_id: int) -> set[int]:
    """Lists the accounts about which there is a notice because their balance is below its line."""
    sql = """
        SELECT object_id FROM notices
        WHERE user_id = :user_id AND kind = :kind AND ended_at IS NULL AND object_id IS NOT NULL
    """
    return {account_id for (account_id,) in db.all(sql, user_id=user_id, kind=NoticeKind.LOW_BALANCE.value)}


def end_low(db: Unit, user_id: int, account_ids: Collection[int], now: str) -> None:
    """Records that accounts are above their line again, so that the next fall below it is a new occasion."""
    sql = """
        UPDATE notices SET ended_at = :now
        WHERE user_id = :user_id AND kind = :kind AND ended_at IS NULL AND object_id IN :ids
    """
    db.run(sql, user_id=user_id, kind=NoticeKind.LOW_BALANCE.value, ids=sorted(account_ids), now=now)


def page(db: Unit, user_id: int, *, limit: int, offset: int, unread: bool = False) -> tuple[int, list[Notice]]:
    where = "user_id = :user_id AND shown = 1" + (" AND read_at IS NULL" if unread else "")
    return page_of(db, Notice, _NOTICE, "notices", where, "id DESC", limit=limit, offset=offset, user_id=user_id)


def get(db: Unit, user_id: int, notice_id: int) -> Notice | None:
    return db.struct(
        Notice, f"{_NOTICE} WHERE user_id = :user_id AND id = :id AND shown = 1", user_id=user_id, id=notice_id
    )


def count_unread(db: Unit, user_id: int) -> int:
    statement = "SELECT COUNT(*) FROM notices WHERE user_id = :user_id AND read_at IS NULL AND shown = 1"
    return int(db.value(statement, user_id=user_id))


def mark(db: Unit, user_id: int, notice_id: int, read_at: str | None) -> None:
    tables.change(db, "notices", {"user_id": user_id, "id": notice_id}, read_at=read_at)


def mark_all_read(db: Unit, user_id: int, now: str) -> int:
    sql = "UPDATE notices SET read_at = :now WHERE user_id = :user_id AND read_at IS NULL AND shown = 1"
    return db.run_and_count(sql, user_id=user_id, now=now)


def forget_old(db: Unit, now: str) -> int:
    """Removes notices after 400 days, except those about accounts that are still below their line."""
    where = "created_at < :before AND (kind <> :kind OR ended_at IS NOT NULL)"
    before = shift(now, -_KEPT)
    return delete_some(db, "notices", "id", where, before=before, kind=NoticeKind.LOW_BALANCE.value)
