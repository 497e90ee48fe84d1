"""Reads the filters of a search."""

from typing import Annotated

from farthing.kernel.fields import Flag, Id, PositiveAmount, RequestBody, choice
from farthing.kernel.parsed import Parsed

FOLD = "fold"


class SearchQuery(RequestBody):
    """The filters of a search other than its words and days."""

    account_id: Id | None = None
    category_id: Id | None = None
    budget_id: Id | None = None
    tag_id: Id | None = None
    bill_id: Id | None = None
    amount_min: PositiveAmount | None = None
    amount_max: PositiveAmount | None = None
    no_budget: Flag | None = None
    children: Annotated[str, choice(FOLD)] | None = None


def check(parsed: Parsed[SearchQuery]) -> None:
    lowest, highest = parsed.values.amount_min, parsed.values.amount_max
    if lowest is not None and highest is not None and lowest > highest:
        parsed.report("amount_min", "The minimum amount may not be larger than the maximum amount.")
        parsed.report("amount_max", "The maximum amount may not be smaller than the minimum amount.")
