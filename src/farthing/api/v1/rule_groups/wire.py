"""Reads the bodies of rule groups."""

from typing import Annotated

from pydantic import ConfigDict, Field

from farthing.books.rule_groups.model import ORDER_MAX, RuleGroupDraft
from farthing.kernel.fields import Description, Flag, Name, RequestBody, whole
from farthing.kernel.parsed import Parsed, ensure

REQUIRED = ("title", "active")


class RuleGroupBody(RequestBody):
    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Daily life", "active": True}]})

    title: Name | None = None
    description: Description | None = None
    active: Flag | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = Field(
        None,
        description="Position among the groups, starting at 1. If omitted, it does not change; a new group comes last.",
    )


def draft(parsed: Parsed[RuleGroupBody]) -> RuleGroupDraft:
    parsed.finish()
    values = parsed.values
    return RuleGroupDraft(
        title=ensure(values.title),
        description=values.description,
        active=bool(values.active),
        order=values.order,
    )
