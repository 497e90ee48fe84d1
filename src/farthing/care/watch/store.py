"""Reads from the database which jobs and recurrences are waiting, and for how long."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct, field

from farthing.storage import installation
from farthing.storage.installation import Checkup
from farthing.storage.unit import Unit

from .deliveries import Deliveries, load_deliveries

# The time zone furthest east is fourteen hours ahead of UTC.
_FURTHEST_EAST = timedelta(hours=14)
# Failed jobs are reported as a problem for this long.
FAILED_LATELY = timedelta(days=2)


# The kind under which due recurrences are reported. They are not jobs in the queue.
FIRING = "recurrences.fire"


class WaitingJobs(Struct, frozen=True):
    """Counts waiting jobs by kind, due recurrences, and failures.

    `lags_s` is the delay of the oldest waiting job of each kind, and of the oldest due recurrence, in seconds.
    """

    jobs: dict[str, int] = field(default_factory=dict)
    recurrences: int = 0
    lags_s: dict[str, float] = field(default_factory=dict)
    failed_jobs: int = 0
    failed_lately: int = 0
    failing_recurrences: int = 0

    @property
    def lag_s(self) -> float:
        return max(self.lags_s.values(), default=0.0)


def load_waiting(db: Unit, now: datetime) -> WaitingJobs:
    rows = db.all("SELECT kind, COUNT(*), MIN(created_at) FROM jobs WHERE finished_at IS NULL GROUP BY kind")
    since = {kind: datetime.fromisoformat(oldest) for kind, _, oldest in rows}
    due, due_since, failing = _count_due(db, now)
    if due_since:
        since[FIRING] = min(due_since)
    failed, lately = _count_failed(db, now)
    return WaitingJobs(
        jobs={kind: count for kind, count, _ in rows},
        recurrences=due,
        lags_s={kind: max(0.0, (now - moment).total_seconds()) for kind, moment in since.items()},
        failed_jobs=failed,
        failed_lately=lately,
        failing_recurrences=failing,
    )


# Reads only recurrences that are due in at least one time zone.
_DUE = """
SELECT z.data, r.due_on, COUNT(*), SUM(CASE WHEN r.failure IS NULL THEN 0 ELSE 1 END)
FROM recurrences r JOIN preferences z ON z.user_id = r.user_id AND z.name = 'timezone'
WHERE r.due_on IS NOT NULL AND r.due_on <= :day GROUP BY z.data, r.due_on
"""


def _count_due(db: Unit, now: datetime) -> tuple[int, list[datetime], int]:
    """Counts recurrences that are due in the time zone of their user, and recurrences that cannot fire.

    The second value lists the moments at which due recurrences became due.
    """
    since: list[datetime] = []
    due = failing = 0
    for zone, due_on, count, failed in db.all(_DUE, day=(now + _FURTHEST_EAST).date().isoformat()):
        begins = datetime.combine(datetime.fromisoformat(due_on), time(), ZoneInfo(zone.strip('"')))
        failing += int(failed)
        if begins <= now and count > failed:
            due += count - int(failed)
            since.append(begins)
    return due, since, failing


def _count_failed(db: Unit, now: datetime) -> tuple[int, int]:
    row = db.one(
        """
        SELECT COUNT(*), COALESCE(SUM(CASE WHEN finished_at > :lately THEN 1 ELSE 0 END), 0)
        FROM jobs WHERE finished_at IS NOT NULL AND failure IS NOT NULL
        """,
        lately=(now - FAILED_LATELY).isoformat(),
    )
    failed, lately = row or (0, 0)
    return int(failed), int(lately)


class WatchFacts(Struct, frozen=True):
    """Holds the data from the database that the metrics page needs."""

    waiting: WaitingJobs
    checkups: dict[str, Checkup]
    deliveries: Deliveries
    schema: str


def load_facts(db: Unit, now: datetime) -> WatchFacts:
    schema = db.value("SELECT MAX(name) FROM migrations")
    return WatchFacts(
        waiting=load_waiting(db, now),
        checkups=installation.load_checkups(db),
        deliveries=load_deliveries(db, now),
        schema=str(schema),
    )
