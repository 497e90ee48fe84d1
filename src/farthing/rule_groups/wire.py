"""How does the API name what a group of rules is?"""

from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from ..errors import Problem
from ..fields import Description, Flag, Name, Parsed, required, whole
from ..shown import Instant
from .model import ORDER_MAX, Draft, RuleGroup

REQUIRED = ("title", "active")


class RuleGroupBody(BaseModel):
    model_config = {"json_schema_extra": {"examples": [{"title": "Daily life", "active": True}]}}

    title: Name | None = None
    description: Description | None = None
    active: Flag | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = Field(
        None, description="Its place among the groups; left out, it stays where it is, and a new one is the last."
    )


def problems(parsed: Parsed[RuleGroupBody]) -> list[Problem]:
    return required(parsed, *REQUIRED)


def draft(values: RuleGroupBody) -> Draft:
    """Of values without problems."""
    assert values.title is not None
    return Draft(values.title, values.description, bool(values.active), values.order)


class RuleGroupAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    title: str
    text: str | None
    description: str | None
    order: int
    active: bool
    running: bool


def show(group: RuleGroup, *, running: bool) -> RuleGroupAttributes:
    """`running`: a job still has to apply its rules to a range of days."""
    return RuleGroupAttributes(
        updated_at=group.updated_at,
        created_at=group.created_at,
        title=group.title,
        text=group.description,
        description=group.description,
        order=group.order,
        active=group.active,
        running=running,
    )
