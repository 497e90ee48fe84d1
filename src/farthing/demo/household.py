"""Describes Aoife and Tom Kelleher of Cork, their two children, their debts and their accounts.

They rent the flat they live in. They also own a small flat in Mallow, which they let and are still paying off.
"""

from datetime import date
from decimal import Decimal

from msgspec import Struct

from farthing.kernel.money import as_text

from . import tables
from .scene import CAR_LOAN, month_back, months_between

# The car was bought this many months before the end of the story. A shorter story begins after the purchase.
_CAR_AGE_MONTHS = 30
_USUAL = {"active": True, "include_net_worth": True}


class Child(Struct, frozen=True):
    """A child, who reaches `age_this_year` in the year in which the story ends."""

    name: str
    age_this_year: int
    birthday: tuple[int, int]

    def age(self, day: date, today: date) -> int:
        born = today.year - self.age_this_year
        return day.year - born - ((day.month, day.day) < self.birthday)


CHILDREN = (Child("Niamh", 9, (3, 14)), Child("Cillian", 6, (8, 9)))


def ages(day: date, today: date) -> list[int]:
    return [age for child in CHILDREN if (age := child.age(day, today)) >= 0]


def car_bought_on(today: date) -> date:
    return month_back(today, _CAR_AGE_MONTHS)


class Debt(Struct, frozen=True):
    """A debt that is paid off in equal instalments. `months_left` of them are due after the end of the story."""

    account: str
    kind: str
    lender: str
    instalment_cents: int
    percent_a_year: Decimal
    months_left: int

    def begins_on(self, today: date) -> date:
        return car_bought_on(today) if self.account == CAR_LOAN else date.min

    def interest(self, owed_cents: int) -> int:
        """Returns the interest for one month, rounded to the cent."""
        return int((owed_cents * self.percent_a_year / 1200).to_integral_value())

    def owed(self, months: int) -> int:
        """Returns the debt that this many monthly instalments pay off with interest, rounded down to ten euros."""
        monthly = self.percent_a_year / 1200
        whole = self.instalment_cents * (1 - (1 + monthly) ** -months) / monthly
        return int(whole / 1000) * 1000


DEBTS = {debt.account: debt for debt in tables.read("debts", Debt)}


class AccountOpening(Struct, frozen=True):
    """An account with its opening balance. `body` is the request that creates it through the API."""

    name: str
    cents: int
    body: dict[str, object]


def accounts(begins_on: date, today: date) -> list[AccountOpening]:
    own = [_open(row, begins_on) for row in tables.read("accounts", dict[str, str])]
    return [*own, *(_borrow(debt, max(begins_on, debt.begins_on(today)), today) for debt in DEBTS.values())]


def _open(row: dict[str, str], begins_on: date) -> AccountOpening:
    cents = int(row.pop("cents"))
    body: dict[str, object] = {"type": "asset", **_USUAL, **row}
    if cents:
        body |= {"opening_balance": as_text(cents, 2), "opening_balance_date": begins_on.isoformat()}
    if "cc_type" in row:
        body["cc_monthly_payment_date"] = begins_on.replace(day=12).isoformat()
    return AccountOpening(name=row["name"], cents=cents, body=body)


def _borrow(debt: Debt, begins_on: date, today: date) -> AccountOpening:
    owed = debt.owed(months_between(begins_on, today) + debt.months_left)
    body: dict[str, object] = {
        "name": debt.account,
        "type": "liability",
        "liability_type": debt.kind,
        "liability_amount": as_text(owed, 2),
        "liability_start_date": begins_on.isoformat(),
        "interest": str(debt.percent_a_year),
        "interest_period": "yearly",
        "currency_code": "EUR",
        "notes": f"{debt.lender}, {as_text(debt.instalment_cents, 2)} a month.",
    }
    return AccountOpening(name=debt.account, cents=-owed, body=body | _USUAL)
