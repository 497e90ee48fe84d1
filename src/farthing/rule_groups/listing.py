"""How are groups of rules answered? The same by themselves and along with their rules."""

from collections.abc import Iterable

from ..http.call import Call
from ..http.document import Thing, thing
from ..jobs import queue
from ..rules.trigger import GROUP_JOB
from . import wire
from .model import RuleGroup

RuleGroupThing = Thing[wire.RuleGroupAttributes]


def things(call: Call, groups: Iterable[RuleGroup]) -> list[RuleGroupThing]:
    waiting = queue.waiting_for(call.db, call.user_id, GROUP_JOB)
    return [
        thing(
            call.base,
            "rule_groups",
            one.id,
            wire.show(one, running=one.id in waiting),
            uri=f"/rule_groups/{one.id}",
        )
        for one in groups
    ]
