"""What may a search ask for?"""

from pydantic import BaseModel

from ..errors import Problem
from ..fields import Id, Parsed, PositiveAmount


class SearchQuery(BaseModel):
    """What narrows a search, beside its words and its days."""

    account_id: Id | None = None
    category_id: Id | None = None
    budget_id: Id | None = None
    tag_id: Id | None = None
    bill_id: Id | None = None
    amount_min: PositiveAmount | None = None
    amount_max: PositiveAmount | None = None


def problems(parsed: Parsed[SearchQuery]) -> list[Problem]:
    lowest, highest = parsed.values.amount_min, parsed.values.amount_max
    if lowest is None or highest is None or lowest <= highest:
        return []
    return [
        Problem("amount_min", "The minimum amount may not be larger than the maximum amount."),
        Problem("amount_max", "The maximum amount may not be smaller than the minimum amount."),
    ]
