"""Describes Aoife and Tom Kelleher of Cork, their two children, their debts and their accounts.

They rent the flat they live in, and are paying off a small one in Mallow, which they let.
"""

from datetime import date
from decimal import Decimal

from msgspec import Struct

from farthing.kernel.money import as_text

from .days import month_back, months_between
from .scene import CAR_LOAN, CARD, CURRENT, DOLLARS, HOLIDAY_FUND, MORTGAGE, SAVINGS


class Child(Struct, frozen=True):
    name: str
    age_this_year: int
    birthday: tuple[int, int]

    def age(self, day: date, today: date) -> int:
        """`age_this_year` refers to the year in which the story ends."""
        born = today.year - self.age_this_year
        return day.year - born - (1 if (day.month, day.day) < self.birthday else 0)


CHILDREN = (Child("Niamh", 9, (3, 14)), Child("Cillian", 6, (8, 9)))


def ages(day: date, today: date) -> list[int]:
    return [age for child in CHILDREN if (age := child.age(day, today)) >= 0]


class Debt(Struct, frozen=True):
    """Paid off in equal instalments; `months_left` counts those after the end of the story."""

    account: str
    lender: str
    instalment_cents: int
    percent_a_year: Decimal
    months_left: int

    def interest(self, owed_cents: int) -> int:
        """Returns the interest of one month, to the cent."""
        return int((owed_cents * self.percent_a_year / 1200).to_integral_value())

    def owed(self, months: int) -> int:
        """Returns the debt that so many instalments pay off, interest included, rounded down to ten euros."""
        monthly = self.percent_a_year / 1200
        whole = self.instalment_cents * (1 - (1 + monthly) ** -months) / monthly
        return int(whole / 1000) * 1000


MORTGAGE_TERMS = Debt(
    account=MORTGAGE,
    lender="Munster Building Society",
    instalment_cents=56_000,
    percent_a_year=Decimal("2.95"),
    months_left=168,
)
CAR_LOAN_TERMS = Debt(
    account=CAR_LOAN,
    lender="Marina Motor Finance",
    instalment_cents=28_900,
    percent_a_year=Decimal("5.9"),
    months_left=30,
)
# The car was bought this long before the end of the story, if the story goes back that far.
CAR_AGE_MONTHS = 30


def car_bought_on(today: date) -> date:
    return month_back(today, CAR_AGE_MONTHS)


class AccountOpening(Struct, frozen=True):
    """Holds an account with its opening balance as a body for the API."""

    name: str
    cents: int
    body: dict[str, object]


def accounts(begins_on: date, today: date) -> list[AccountOpening]:
    loan_from = max(begins_on, car_bought_on(today))
    return [
        _asset(CURRENT, 342_318, begins_on, role="defaultAsset", iban="IE26FRTH90001712345678", bic="FRTHIE2X"),
        _asset(SAVINGS, 640_000, begins_on, role="savingAsset", iban="IE04FRTH90001712345686", bic="FRTHIE2X"),
        _asset(HOLIDAY_FUND, 90_000, begins_on, role="savingAsset", account_number="12345694"),
        _asset(DOLLARS, 21_350, begins_on, role="defaultAsset", currency="USD", account_number="USD-20117"),
        _card(begins_on),
        _liability(MORTGAGE_TERMS, "mortgage", begins_on, today),
        _liability(CAR_LOAN_TERMS, "loan", loan_from, today),
    ]


def _asset(name: str, cents: int, on: date, *, role: str, currency: str = "EUR", **more: object) -> AccountOpening:
    usual = {"type": "asset", "active": True, "include_net_worth": True, "account_role": role}
    opening = {"opening_balance": as_text(cents, 2), "opening_balance_date": on.isoformat()} if cents else {}
    return AccountOpening(
        name=name, cents=cents, body={"name": name, "currency_code": currency, **usual, **opening, **more}
    )


def _card(begins_on: date) -> AccountOpening:
    return _asset(
        CARD,
        0,
        begins_on,
        role="ccAsset",
        cc_type="monthlyFull",
        cc_monthly_payment_date=begins_on.replace(day=12).isoformat(),
        account_number="4000-0012-3456-7899",
    )


def _liability(debt: Debt, word: str, begins_on: date, today: date) -> AccountOpening:
    owed = debt.owed(months_between(begins_on, today) + debt.months_left)
    body: dict[str, object] = {
        "name": debt.account,
        "type": "liability",
        "liability_type": word,
        "liability_amount": as_text(owed, 2),
        "liability_start_date": begins_on.isoformat(),
        "interest": str(debt.percent_a_year),
        "interest_period": "yearly",
        "currency_code": "EUR",
        "active": True,
        "include_net_worth": True,
        "notes": f"{debt.lender}, {as_text(debt.instalment_cents, 2)} a month.",
    }
    return AccountOpening(name=debt.account, cents=-owed, body=body)
