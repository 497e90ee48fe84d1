"""What waits, and for how long already? Read from the database, the same whichever server is asked."""

from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from ..storage import house
from ..storage.house import Checkup
from ..storage.unit import Unit

# Nowhere on earth is it later than fourteen hours after UTC.
_FURTHEST_EAST = timedelta(hours=14)
# A job that was tried in vain is told of for so long.
FAILED_LATELY = timedelta(days=2)


@dataclass(frozen=True)
class Waiting:
    """`jobs` by kind; `lag_s` is how late the oldest job or firing is that could have been done by now."""

    jobs: dict[str, int] = field(default_factory=dict)
    recurrences: int = 0
    lag_s: float = 0.0
    failed_jobs: int = 0
    failed_lately: int = 0
    failing_recurrences: int = 0


def waiting(db: Unit, now: datetime) -> Waiting:
    rows = db.all("SELECT kind, COUNT(*), MIN(created_at) FROM jobs WHERE finished_at IS NULL GROUP BY kind")
    since = [datetime.fromisoformat(oldest) for _, _, oldest in rows]
    due, due_since, failing = _due(db, now)
    failed, lately = _failed(db, now)
    return Waiting(
        jobs={kind: count for kind, count, _ in rows},
        recurrences=due,
        lag_s=max([0.0, *((now - moment).total_seconds() for moment in (*since, *due_since))]),
        failed_jobs=failed,
        failed_lately=lately,
        failing_recurrences=failing,
    )


# Reads what is due, not what exists.
_DUE = """
SELECT z.data, r.due_on, COUNT(*), SUM(CASE WHEN r.failure IS NULL THEN 0 ELSE 1 END)
FROM recurrences r JOIN preferences z ON z.user_id = r.user_id AND z.name = 'timezone'
WHERE r.due_on IS NOT NULL AND r.due_on <= :day GROUP BY z.data, r.due_on
"""


def _due(db: Unit, now: datetime) -> tuple[int, list[datetime], int]:
    """How many recurrences there are whose day has begun where their user lives, since when; and how many fail."""
    since: list[datetime] = []
    due = failing = 0
    for zone, due_on, count, failed in db.all(_DUE, day=(now + _FURTHEST_EAST).date().isoformat()):
        begins = datetime.combine(datetime.fromisoformat(due_on), time(), ZoneInfo(zone.strip('"')))
        failing += int(failed)
        if begins <= now and count > failed:
            due += count - int(failed)
            since.append(begins)
    return due, since, failing


def _failed(db: Unit, now: datetime) -> tuple[int, int]:
    row = db.one(
        """
        SELECT COUNT(*), COALESCE(SUM(CASE WHEN finished_at > :lately THEN 1 ELSE 0 END), 0)
        FROM jobs WHERE finished_at IS NOT NULL AND failure IS NOT NULL
        """,
        lately=(now - FAILED_LATELY).isoformat(),
    )
    failed, lately = row or (0, 0)
    return int(failed), int(lately)


@dataclass(frozen=True)
class Facts:
    """What a scrape asks the database for."""

    waiting: Waiting
    checkups: dict[str, Checkup]
    schema: str


def facts(db: Unit, now: datetime) -> Facts:
    schema = db.value("SELECT MAX(name) FROM migrations")
    return Facts(waiting(db, now), house.checkups(db), str(schema))
