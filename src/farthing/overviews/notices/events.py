"""Finds occasions outside the ledger: failures, finished imports, unknown devices and failed checks."""

from collections.abc import Iterator

from msgspec import Struct

from farthing.books.preferences.notices import NoticeKind
from farthing.identity.audit import Event
from farthing.storage import installation
from farthing.storage.installation import BACKUP, BOOKS, RATES
from farthing.storage.unit import Unit

from .model import Facts, Look, NoticeDraft

# One search reports at most this many failures of one kind.
_MOST = 100
_TEXT_MAX = 500


class _Event(Struct, frozen=True):
    """Describes something that happened. `mark` tells it from other events of the same object."""

    id: int
    name: str
    mark: str
    text: str


_RECURRENCES = """
SELECT id, title AS name, COALESCE(due_on, '') AS mark, failure AS text FROM recurrences
WHERE user_id = :user_id AND failure IS NOT NULL AND active = 1 ORDER BY id LIMIT :most
"""
_IMPORTS = """
SELECT id, COALESCE(format, '') AS name, finished_at AS mark, state AS text FROM import_jobs
WHERE user_id = :user_id AND state IN ('done', 'failed') AND finished_at >= :since ORDER BY id DESC LIMIT :most
"""
_WEBHOOKS = """
SELECT w.id, w.title AS name, p.paused_at AS mark, 'Its receiver has failed for three days.' AS text
FROM webhook_progress p JOIN webhooks w ON w.user_id = p.user_id AND w.id = p.webhook_id
WHERE p.user_id = :user_id AND p.paused_at >= :since ORDER BY w.id LIMIT :most
"""
# The first sign-in is from an unknown device, of course.
_DEVICES = """
SELECT a.id, a.device AS name, a.at AS mark, a.address AS text FROM audit a
WHERE a.user_id = :user_id AND a.id > :after AND a.event = :event AND a.is_known = 0 AND EXISTS (
    SELECT 1 FROM audit b WHERE b.user_id = a.user_id AND b.event = a.event AND b.id < a.id
) ORDER BY a.id LIMIT :most
"""
_JOBS = """
SELECT id, kind AS name, finished_at AS mark, failure AS text FROM jobs
WHERE failure IS NOT NULL AND finished_at IS NOT NULL AND finished_at >= :since ORDER BY finished_at LIMIT :most
"""


def find_failures(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    if look.wants(NoticeKind.RECURRENCE_FAILED):
        for event in db.structs(_Event, _RECURRENCES, user_id=look.user_id, most=_MOST):
            yield _draft(NoticeKind.RECURRENCE_FAILED, event, "recurrences", mark=event.mark)


def find_imports(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    if look.wants(NoticeKind.IMPORT_FINISHED):
        for event in db.structs(_Event, _IMPORTS, user_id=look.user_id, since=look.since, most=_MOST):
            yield _draft(NoticeKind.IMPORT_FINISHED, event, "import_jobs", mark=event.mark)


def find_paused(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    if look.wants(NoticeKind.WEBHOOK_PAUSED):
        for event in db.structs(_Event, _WEBHOOKS, user_id=look.user_id, since=look.since, most=_MOST):
            yield _draft(NoticeKind.WEBHOOK_PAUSED, event, "webhooks", mark=event.mark)


def find_devices(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    if look.wants(NoticeKind.UNKNOWN_DEVICE):
        of = {"user_id": look.user_id, "after": look.after_audit_id, "event": Event.SIGNED_IN.value}
        for event in db.structs(_Event, _DEVICES, most=_MOST, **of):
            yield _draft(NoticeKind.UNKNOWN_DEVICE, event, None, on=event.mark)


# The checks that can fail, by name.
_CHECKS = {
    BACKUP: NoticeKind.BACKUP_FAILED,
    BOOKS: NoticeKind.BOOKS_DAMAGED,
    RATES: NoticeKind.RATES_FAILED,
}


def find_complaints(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    """Finds failed checks of the installation. A check that keeps failing is reported once a day."""
    if not look.is_owner:
        return
    for name, checkup in installation.load_checkups(db).items():
        kind = _CHECKS.get(name)
        if kind and checkup.problems and checkup.at >= look.since and look.wants(kind):
            facts = Facts(on=checkup.at, count=checkup.problems, text=(checkup.note or "")[:_TEXT_MAX])
            yield NoticeDraft(key=f"{kind} {checkup.at[:10]}", kind=kind, facts=facts)
    if look.wants(NoticeKind.JOB_FAILED):
        for event in db.structs(_Event, _JOBS, since=look.since, most=_MOST):
            yield _draft(NoticeKind.JOB_FAILED, event, None, on=event.mark)


def _draft(
    kind: NoticeKind, event: _Event, object_kind: str | None, *, mark: str = "", on: str | None = None
) -> NoticeDraft:
    return NoticeDraft(
        key=f"{kind} {event.id} {mark}".rstrip(),
        kind=kind,
        object_kind=object_kind,
        object_id=event.id if object_kind else None,
        facts=Facts(name=event.name, on=on, text=event.text[:_TEXT_MAX]),
    )
