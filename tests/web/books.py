"""What is in the books already, when a browser test begins."""

from datetime import date
from typing import Any

from playwright.sync_api import Locator

from .conftest import Person, today


def account(ann: Person, name: str, **more: Any) -> str:
    fields = {"name": name, "type": "asset", "active": True, "include_net_worth": True, "account_role": "defaultAsset"}
    return str(ann.records("/accounts", **{**fields, "currency_code": "EUR", **more})["id"])


def spent(ann: Person, source_id: str, what: str, *amounts: str, currency: str = "EUR", **more: Any) -> str:
    """One withdrawal, with a split for each amount."""
    splits = [
        {"amount": one, "currency_code": currency, "source_id": source_id, "destination_name": "Corner shop"}
        | ({"description": f"Part {number}"} if len(amounts) > 1 else {})
        for number, one in enumerate(amounts, 1)
    ]
    fields = {"type": "withdrawal", "date": today().isoformat(), "description": what, "transactions": splits}
    return str(ann.records("/transactions", **{**fields, **more})[0]["id"])


def every_day(ann: Person, source_id: str, first: date, title: str = "Films") -> str:
    part = {"amount": "9.99", "currency_code": "EUR", "source_id": source_id, "destination_name": "Films"}
    made = ann.records(
        "/recurrences", type="withdrawal", title=title, first_date=first.isoformat(), repeat_until=None, active=True,
        apply_rules=True, transactions=[{**part, "description": title}],
        repetitions=[{"type": "daily", "moment": "", "skip": 0, "weekend": 1}],
    )  # fmt: skip
    return str(made["id"])


def expected(ann: Person, name: str, first: date | None = None, **more: str) -> str:
    """A bill, every month; from the first of this one."""
    first = first or today().replace(day=1)
    made = ann.records(
        "/bills", name=name, match=name.lower(), amount_min="790", amount_max="810", currency_code="EUR",
        date=first.isoformat(), repeat_freq="monthly", skip=0, automatch=True, active=True,
        **more,
    )  # fmt: skip
    return str(made["id"])


def a_rule(ann: Person, title: str, group_id: str, word: str = "tea") -> str:
    """Whatever is called like this is a drink; it does not run by itself."""
    made = ann.records(
        "/rules", title=title, rule_group_id=int(group_id), trigger="store-journal", strict=True, active=False,
        stop_processing=False, rule_triggers=[{"name": "description_contains", "value": word}],
        rule_actions=[{"name": "set_category", "value": "Drinks"}],
    )  # fmt: skip
    return str(made["id"])


def opens_details(ann: Person) -> None:
    """Of the form of a transaction, where they are folded. The device remembers that they are open."""
    button = ann.main.get_by_role("button", name="Details")
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def dialog(ann: Person) -> Locator:
    return ann.page.get_by_role("dialog")
