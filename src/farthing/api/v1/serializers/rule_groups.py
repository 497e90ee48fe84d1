"""Shows rule groups, by themselves and with their rules."""

from collections.abc import Iterable

from farthing.books.rule_groups.model import RuleGroup
from farthing.books.rules.apply_stored import GROUP_JOB
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.shown import Dated, show_as
from farthing.storage import queue

from ..resources.lists import make_thing


class RuleGroupAttributes(Dated, gc=False):
    title: str
    text: str | None
    description: str | None
    order: int
    active: bool
    running: bool


def show(group: RuleGroup, *, running: bool) -> RuleGroupAttributes:
    """`running` means that a job is still applying its rules to a range of days."""
    return show_as(RuleGroupAttributes, group, text=group.description, running=running)


RuleGroupThing = Thing[RuleGroupAttributes]


def things(call: Call, groups: Iterable[RuleGroup]) -> list[RuleGroupThing]:
    waiting = queue.list_waiting_subjects(call.db, call.user_id, GROUP_JOB)
    return [make_thing(call, "rule_groups", group.id, show(group, running=group.id in waiting)) for group in groups]
