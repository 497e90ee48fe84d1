"""Looks up the names of the objects that a change touched, including deleted ones."""

from collections import defaultdict

import msgspec

from farthing.storage.unit import Unit

from .model import Change

# Changes that touched more objects than this are shown without names.
NAMED_MAX = 3
# The SQL expression for the name of a row, by table.
_NAME_SQL = {
    "accounts": "name",
    "entries": "description",
    "bills": "name",
    "budgets": "name",
    "budget_limits": "(SELECT b.name FROM budgets b WHERE b.user_id = budget_limits.user_id AND b.id = budget_id)",
    "exchange_rates": """(
        SELECT f.code || ' in ' || t.code || ' on ' || on_day FROM currencies f CROSS JOIN currencies t
        WHERE f.id = from_currency_id AND t.id = to_currency_id
    )""",
    "categories": "name",
    "tags": "name",
    "piggy_banks": "name",
    "recurrences": "title",
    "object_groups": "title",
    "rules": "title",
    "rule_groups": "title",
    "webhooks": "title",
    "attachments": "filename",
    "entry_links": """(
        SELECT f.description || ' → ' || t.description FROM entries f JOIN entries t ON t.user_id = f.user_id
        WHERE f.user_id = entry_links.user_id AND f.id = from_entry_id AND t.id = to_entry_id
    )""",
    "link_types": "name",
    "preferences": "name",
    "import_jobs": """(
        SELECT MIN(a.filename) FROM attachments a
        WHERE a.user_id = import_jobs.user_id AND a.import_job_id = import_jobs.id
    )""",
}

_Thing = tuple[str, int]

_OWN = "user_id = :user_id"
# Built-in link types belong to nobody.
_OWNED = {"link_types": f"({_OWN} OR user_id IS NULL)"}


def load_names(db: Unit, user_id: int, changes: list[Change]) -> dict[int, list[str]]:
    """Maps revisions to the names of the objects that they touched. Omits changes that touched many objects."""
    touched = _load_touched(db, user_id, changes)
    by_object = find_names(db, user_id, {thing for _, thing in touched})
    names: dict[int, list[str]] = defaultdict(list)
    for revision, thing in touched:
        if thing in by_object:
            names[revision].append(by_object[thing])
    return names


def _load_touched(db: Unit, user_id: int, changes: list[Change]) -> list[tuple[int, _Thing]]:
    by_kind: dict[str, list[int]] = defaultdict(list)
    for change in changes:
        if (kind := change.about(NAMED_MAX)) in _NAME_SQL:
            by_kind[kind].append(change.revision)
    if not by_kind:
        return []
    rows = db.all(
        f"""
        SELECT revision, kind, object_id FROM changes WHERE user_id = :user_id AND revision IN :revisions
            AND ({" OR ".join(f"kind = '{kind}' AND revision IN :{kind}" for kind in by_kind)})
        GROUP BY revision, kind, object_id ORDER BY MIN(id)
        """,
        user_id=user_id,
        revisions=[revision for revisions in by_kind.values() for revision in revisions],
        **by_kind,
    )
    return [(revision, (kind, object_id)) for revision, kind, object_id in rows]


def find_names(db: Unit, user_id: int, things: set[_Thing]) -> dict[_Thing, str]:
    """Maps objects, given as table and id, to their current names, or to their last names if they were deleted.

    Omits objects of kinds that have no names.
    """
    things = {thing for thing in things if thing[0] in _NAME_SQL}
    existing = _load_existing(db, user_id, _group_ids(things))
    return _load_deleted(db, user_id, _group_ids(things - existing.keys())) | existing


def _group_ids(things: set[_Thing]) -> dict[str, list[int]]:
    ids: dict[str, list[int]] = defaultdict(list)
    for kind, object_id in sorted(things):
        ids[kind].append(object_id)
    return ids


def _load_existing(db: Unit, user_id: int, ids: dict[str, list[int]]) -> dict[_Thing, str]:
    each = (
        f"SELECT '{kind}', id, {_NAME_SQL[kind]} FROM {kind} WHERE {_OWNED.get(kind, _OWN)} AND id IN :{kind}"
        for kind in ids
    )
    rows = db.all(" UNION ALL ".join(each), user_id=user_id, **ids) if ids else []
    return {(kind, object_id): name for kind, object_id, name in rows if name}


def _load_deleted(db: Unit, user_id: int, ids: dict[str, list[int]]) -> dict[_Thing, str]:
    """Reads the names of deleted objects from their last images in the log."""
    each = (
        f"""
        SELECT kind, object_id, before FROM changes
        WHERE user_id = :user_id AND kind = '{kind}' AND object_id IN :{kind} AND action = 'removed'
        """
        for kind in ids
    )
    rows = db.all(" UNION ALL ".join(each), user_id=user_id, **ids) if ids else []
    befores = {(kind, object_id): msgspec.json.decode(before) for kind, object_id, before in rows}
    return {thing: before[name] for thing, before in befores.items() if (name := _NAME_SQL[thing[0]]) in before}
