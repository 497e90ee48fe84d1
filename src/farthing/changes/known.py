"""What are the things called that a change touched? As they are called now, or were when they went."""

from collections import defaultdict

import msgspec

from ..storage.unit import Unit
from .model import Change

# With more of them nobody reads the names.
NAMED_MAX = 3
# By the table, what it calls a row.
_CALLED = {
    "accounts": "name",
    "entries": "description",
    "bills": "name",
    "budgets": "name",
    "budget_limits": "(SELECT b.name FROM budgets b WHERE b.user_id = budget_limits.user_id AND b.id = budget_id)",
    "categories": "name",
    "tags": "name",
    "piggy_banks": "name",
    "recurrences": "title",
    "rules": "title",
    "rule_groups": "title",
    "attachments": "filename",
    "preferences": "name",
}

_Thing = tuple[str, int]


def names(db: Unit, user_id: int, changes: list[Change]) -> dict[int, list[str]]:
    """By revision: those of what it was about, where they are few."""
    touched = _touched(db, user_id, changes)
    called = _called(db, user_id, {thing for _, thing in touched})
    found: dict[int, list[str]] = defaultdict(list)
    for revision, thing in touched:
        if thing in called:
            found[revision].append(called[thing])
    return found


def _touched(db: Unit, user_id: int, changes: list[Change]) -> list[tuple[int, _Thing]]:
    wanted: dict[str, list[int]] = defaultdict(list)
    for change in changes:
        if (kind := change.about(NAMED_MAX)) in _CALLED:
            wanted[kind].append(change.revision)
    if not wanted:
        return []
    rows = db.all(
        f"""
        SELECT revision, kind, object_id FROM changes WHERE user_id = :user_id AND revision IN :revisions
            AND ({" OR ".join(f"kind = '{kind}' AND revision IN :{kind}" for kind in wanted)})
        GROUP BY revision, kind, object_id ORDER BY MIN(id)
        """,
        user_id=user_id,
        revisions=[revision for revisions in wanted.values() for revision in revisions],
        **wanted,
    )
    return [(revision, (kind, object_id)) for revision, kind, object_id in rows]


def _called(db: Unit, user_id: int, things: set[_Thing]) -> dict[_Thing, str]:
    here = _here(db, user_id, _ids(things))
    return _gone(db, user_id, _ids(things - here.keys())) | here


def _ids(things: set[_Thing]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for kind, object_id in sorted(things):
        found[kind].append(object_id)
    return found


def _here(db: Unit, user_id: int, ids: dict[str, list[int]]) -> dict[_Thing, str]:
    each = (
        f"SELECT '{kind}', id, {_CALLED[kind]} FROM {kind} WHERE user_id = :user_id AND id IN :{kind}" for kind in ids
    )
    rows = db.all(" UNION ALL ".join(each), user_id=user_id, **ids) if ids else []
    return {(kind, object_id): name for kind, object_id, name in rows}


def _gone(db: Unit, user_id: int, ids: dict[str, list[int]]) -> dict[_Thing, str]:
    """What is deleted by now is called what it was called then."""
    each = (
        f"""
        SELECT kind, object_id, before FROM changes
        WHERE user_id = :user_id AND kind = '{kind}' AND object_id IN :{kind} AND action = 'removed'
        """
        for kind in ids
    )
    rows = db.all(" UNION ALL ".join(each), user_id=user_id, **ids) if ids else []
    befores = {(kind, object_id): msgspec.json.decode(before) for kind, object_id, before in rows}
    return {thing: before[name] for thing, before in befores.items() if (name := _CALLED[thing[0]]) in before}
