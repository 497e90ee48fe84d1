"""Defines what an insight sums up, and the sums in its answer."""

from collections import Counter
from enum import StrEnum

from msgspec import Struct

from ..reports.reading.ranges import ReportRange

Units = Counter[int]  # by currency
Sums = dict[int, Units]  # by label


class InsightFlow(StrEnum):
    """Spending is what was withdrawn, less refunds. Income does not include refunds."""

    EXPENSE = "expense"
    INCOME = "income"
    TRANSFER = "transfer"


class InsightBy(StrEnum):
    """`ACCOUNT` is the user's own account, and `PAYEE` the account on the other side."""

    ACCOUNT = "account"
    PAYEE = "payee"
    CATEGORY = "category"
    BUDGET = "budget"
    TAG = "tag"
    BILL = "bill"


class InsightQuery(Struct, frozen=True):
    """If `account_ids` are given, only the transactions of these own accounts are summed."""

    flow: InsightFlow
    days: ReportRange
    account_ids: tuple[int, ...] = ()


class InsightRow(Struct, frozen=True):
    label_id: int
    name: str
    currency_id: int
    units: int


class TransferRow(InsightRow, frozen=True):
    """`units` is what arrived less what left."""

    arrived: int
    left: int
