"""Stores rules."""

import secrets
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

from msgspec import structs

from farthing.kernel.text import fold
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, columns_of_draft
from farthing.storage.unit import Row, Unit, structs_by_owner

from .model import USER_ACTION, Rule, RuleDraft, RulePart, StoredRulePart

_RULE = """
SELECT r.id, r.rule_group_id, r.title, r.description, r.moment, r.position AS "order", r.active, r.strict,
    r.stop_processing AS stops,
    r.created_at, r.updated_at, r.manual
FROM rules r
"""
# Ordered by group, then by position in the group.
_WITH_GROUP = f"{_RULE} JOIN rule_groups g ON g.user_id = r.user_id AND g.id = r.rule_group_id"
_ORDER = "g.position, g.id, r.position, r.id"


_ELSEWHERE = ("stops", "order", "triggers", "actions")


def _complete(draft: RuleDraft) -> dict[str, Any]:
    return {"stop_processing": int(draft.stops)}


_RULES = Records[Rule, RuleDraft](
    Rule, "rules", _WITH_GROUP, alias="r.", order=_ORDER, elsewhere=_ELSEWHERE, complete=_complete
)
Table = Literal["rule_triggers", "rule_actions"]
TABLES: tuple[Table, ...] = ("rule_triggers", "rule_actions")


def get(db: Unit, user_id: int, rule_id: int) -> Rule | None:
    return next(iter(_find(db, user_id, "r.id = :id", id=rule_id)), None)


def get_some(db: Unit, user_id: int, ids: Collection[int]) -> list[Rule]:
    return _find(db, user_id, "r.id IN :ids", ids=sorted(ids))


def page(db: Unit, user_id: int, *, limit: int, offset: int, group_id: int | None = None) -> tuple[int, list[Rule]]:
    """Lists all rules of a user or of one group, in the order in which they run."""
    where, of = ("", {}) if group_id is None else ("r.rule_group_id = :group_id", {"group_id": group_id})
    total, stored = _RULES.page(db, user_id, where, limit=limit, offset=offset, **of)
    return total, _load_parts(db, user_id, stored)


def get_version(db: Unit, user_id: int) -> int:
    """Reads the version of the user's rules. In a write, `db.author` has it already."""
    return int(db.value("SELECT rules_version FROM users WHERE id = :id", id=user_id) or 0)


def find_running(db: Unit, user_id: int) -> list[Rule]:
    """Finds the active rules of active groups, in the order in which they run."""
    return _find(db, user_id, "g.active = 1 AND r.active = 1 AND r.manual = 0")


def active_of_group(db: Unit, user_id: int, group_id: int) -> list[Rule]:
    return _find(db, user_id, "r.rule_group_id = :group_id AND r.active = 1", group_id=group_id)


def find_linking_to(db: Unit, user_id: int, bill_names: Collection[str]) -> dict[str, list[Rule]]:
    """Finds the rules that link transactions to the named bills, by bill name, in the order in which they run."""
    folds = {fold(name): name for name in bill_names}
    linking = [
        (folds[fold(value)], rule_id)
        for _, rule_id, value in find_parts(db, user_id, "rule_actions", ("link_to_bill",))
        if fold(value) in folds
    ]
    by_bill: dict[str, list[Rule]] = {name: [] for name in bill_names}
    for rule in _find(db, user_id, "r.id IN :ids", ids=sorted({rule_id for _, rule_id in linking})):
        for name in sorted({name for name, rule_id in linking if rule_id == rule.id}):
            by_bill[name].append(rule)
    return by_bill


def _find(db: Unit, user_id: int, condition: str, **values: Any) -> list[Rule]:
    return _load_parts(db, user_id, _RULES.find(db, user_id, condition, **values))


def _load_parts(db: Unit, user_id: int, stored: Sequence[Rule]) -> list[Rule]:
    """Adds the triggers and actions to rules, with one query for all triggers and one for all actions."""
    if not stored:
        return []
    ids = [rule.id for rule in stored]
    triggers, actions = (
        structs_by_owner(db, StoredRulePart, _PARTS[table], user_id=user_id, ids=ids) for table in TABLES
    )
    return [
        structs.replace(rule, triggers=tuple(triggers[rule.id]), actions=tuple(actions[rule.id])) for rule in stored
    ]


_PARTS = {
    table: f"""
        SELECT rule_id AS owner_id, id, position AS "order", name, value, stop_processing AS stops,
            created_at, updated_at, {prohibited} AS prohibited, active, {spelling} AS spelling
        FROM {table} WHERE user_id = :user_id AND rule_id IN :ids ORDER BY rule_id, position
    """
    for table, prohibited, spelling in (("rule_triggers", "prohibited", "spelling"), ("rule_actions", "0", "NULL"))
}


def count(db: Unit, user_id: int) -> int:
    return int(db.value("SELECT COUNT(*) FROM rules WHERE user_id = :user_id", user_id=user_id))


def is_title_taken(db: Unit, user_id: int, title: str, *, except_id: int) -> bool:
    return _RULES.is_taken(db, user_id, column="title_fold", value=fold(title), except_id=except_id)


def add(db: Unit, user_id: int, draft: RuleDraft, now: str) -> int:
    position = _next_position(db, user_id, draft.rule_group_id)
    rule_id = _RULES.add(db, user_id, draft, now, position=position)
    _add_parts(db, user_id, rule_id, draft, now)
    return rule_id


def change(db: Unit, user_id: int, rule: Rule, draft: RuleDraft, now: str) -> None:
    """Changes a rule. If it moves to another group, it becomes the last rule there unless the draft has an order.

    Triggers and actions that stay the same keep their ids.
    """
    moves = draft.rule_group_id != rule.rule_group_id
    position = _next_position(db, user_id, draft.rule_group_id) if moves else rule.order
    _RULES.change(db, user_id, rule.id, draft, now, position=position)
    kept = _find_kept(rule, draft)
    if "rule_triggers" in kept and draft.moment != rule.moment:
        condition = f"rule_id = :id AND name = '{USER_ACTION}'"
        changes.update(db, "rule_triggers", user_id, condition, {"value": draft.moment.value}, now=now, id=rule.id)
    for table in TABLES:
        if table not in kept:
            changes.delete(db, table, user_id, "rule_id = :id", id=rule.id)
    if moves:
        changes.renumber(db, "rules", user_id, _list_positions(db, user_id, rule.rule_group_id))
    _add_parts(db, user_id, rule.id, draft, now, kept)


def _list_parts(draft: RuleDraft) -> list[tuple[Table, list[RulePart]]]:
    event = RulePart(name=USER_ACTION, value=draft.moment.value)
    return list(zip(TABLES, ([event, *draft.triggers], [*draft.actions]), strict=True))


def _find_kept(rule: Rule, draft: RuleDraft) -> set[Table]:
    """Returns the tables in which nothing changes but the event."""
    stored = zip(TABLES, (rule.triggers, rule.actions), (draft.triggers, draft.actions), strict=True)
    return {
        table
        for table, before, after in stored
        if [part.draft for part in before if part.name != USER_ACTION] == [*after]
    }


def _add_parts(db: Unit, user_id: int, rule_id: int, draft: RuleDraft, now: str, kept: Collection[Table] = ()) -> None:
    """Adds triggers and actions, and moves the rule to the order in the draft, if any."""
    for table, parts in [(table, parts) for table, parts in _list_parts(draft) if table not in kept]:
        columns = [
            {**columns_of_draft(table, part, ["stops", "prohibited", "spelling"]), "stop_processing": int(part.stops)}
            for part in parts
        ]
        rows = [{"rule_id": rule_id, "position": position, **row} for position, row in enumerate(columns, 1)]
        changes.insert_all(db, table, user_id, rows, now)
    if draft.order is not None:
        positions = _list_positions(db, user_id, draft.rule_group_id)
        changes.move_to(db, "rules", user_id, positions, rule_id, draft.order)
    touch(db, user_id)


def remove(db: Unit, user_id: int, ids: list[int]) -> None:
    for table in TABLES:
        changes.log_removing(db, table, "rule_id IN :ids", ids=ids)
    changes.delete(db, "rules", user_id, "id IN :ids", ids=ids)
    close_gaps(db, user_id)
    touch(db, user_id)


def list_ids(db: Unit, user_id: int, group_id: int) -> list[int]:
    return [rule_id for rule_id, _ in _list_positions(db, user_id, group_id)]


def _next_position(db: Unit, user_id: int, group_id: int) -> int:
    positions = _list_positions(db, user_id, group_id)
    return int(positions[-1][1]) + 1 if positions else 1


def _list_positions(db: Unit, user_id: int, group_id: int) -> list[Row]:
    sql = """
        SELECT id, position FROM rules WHERE user_id = :user_id AND rule_group_id = :group_id ORDER BY position, id
    """
    return db.all(sql, user_id=user_id, group_id=group_id)


def find_parts(db: Unit, user_id: int, table: Table, names: Iterable[str]) -> list[Row]:
    """Finds the triggers or actions with one of the given names. Returns (id, rule id, value) for each."""
    sql = f"SELECT id, rule_id, value FROM {table} WHERE user_id = :user_id AND name IN :names ORDER BY id"
    return db.all(sql, user_id=user_id, names=list(names))


def touch(db: Unit, user_id: int) -> None:
    """Sets a new version, so that cached rules are read again. Call it after every change to a user's rules or groups.

    Versions are random, so that no two are equal, even across databases.
    """
    assert db.author is not None, "a write takes its user first"
    sql = """
        UPDATE users SET rules_version =
            CASE WHEN EXISTS (SELECT 1 FROM rules WHERE user_id = :id) THEN :version ELSE 0 END
        WHERE id = :id RETURNING rules_version
    """
    version = db.value(sql, id=user_id, version=secrets.randbits(62) + 1)
    db.author = structs.replace(db.author, rules_version=version)


def close_gaps(db: Unit, user_id: int) -> None:
    """Numbers the rules of each group 1, 2, 3 and so on."""
    sql = "SELECT id, position, rule_group_id FROM rules WHERE user_id = :user_id ORDER BY rule_group_id, position, id"
    rows = db.all(sql, user_id=user_id)
    ordered = [numbered for _, of_group in groupby(rows, key=itemgetter(2)) for numbered in enumerate(of_group, 1)]
    moved = {row[0]: {"position": position} for position, row in ordered if row[1] != position}
    changes.update_each(db, "rules", user_id, moved)


def find_values(db: Unit, user_id: int, table: Table, ids: Collection[int]) -> list[tuple[str, str]]:
    sql = f"SELECT name, value FROM {table} WHERE user_id = :user_id AND id IN :ids AND value IS NOT NULL"
    rows = db.all(sql, user_id=user_id, ids=sorted(ids))
    return [(name, value) for name, value in rows]
