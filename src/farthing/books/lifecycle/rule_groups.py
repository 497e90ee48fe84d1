"""Checks the titles of rule groups, and removes groups with their rules."""

from collections.abc import Iterator
from contextlib import contextmanager

from farthing.kernel.errors import Problem
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..rule_groups import store
from ..rules import dry_run
from ..rules import store as rules
from ..rules.apply_stored import GROUP_JOB, RULE_JOB


def taken_problems(db: Unit, user_id: int, title: str | None, *, except_id: int) -> list[Problem]:
    if not title or not store.is_title_taken(db, user_id, title, except_id=except_id):
        return []
    return [Problem("title", "The title has already been taken by another of your rule groups.")]


def remove(db: Unit, user_id: int, group_id: int, now: str) -> None:
    """Removes a group with its rules, and cancels their jobs."""
    dry_run.call_off(db, user_id, GROUP_JOB, group_id, now)
    rule_ids = rules.list_ids(db, user_id, group_id)
    rules.remove(db, user_id, rule_ids)
    for rule_id in rule_ids:
        dry_run.call_off(db, user_id, RULE_JOB, rule_id, now)
    store.remove(db, user_id, group_id)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Renumbers the rule groups after an undo, so that there are no gaps."""
    yield
    if undoing.list_touched("rule_groups"):
        store.close_gaps(db, user_id)
        rules.touch(db, user_id)
