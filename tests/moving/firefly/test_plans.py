"""Rules, recurrences, piggy banks, bills and attachments."""

import hashlib
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from .books import a_group, a_journal, an_account, books_of, messages, rejections

GROUP = {"id": 1, "title": "Mine"}


def a_rule(*triggers: dict[str, Any], actions: tuple[dict[str, Any], ...] = (), **more: Any) -> dict[str, Any]:
    chosen = actions or ({"type": "set_category", "value": "Food"},)
    return {"id": 1, "title": "Rule", "rule_group_id": "1", "triggers": list(triggers), "actions": list(chosen), **more}


def a_trigger(name: str, value: str | None = "x", **more: Any) -> dict[str, Any]:
    return {"type": name, "value": value, **more}


@pytest.mark.parametrize(
    ("theirs", "ours", "value", "prohibited"),
    [
        (a_trigger("source_account_is"), "from_account_is", "x", False),
        (a_trigger("destination_account_contains"), "to_account_contains", "x", False),
        (a_trigger("to_account_starts"), "to_account_starts", "x", False),
        (a_trigger("notes_contains"), "notes_contain", "x", False),
        (a_trigger("amount_is", "10"), "amount_exactly", "10", False),
        (a_trigger("has_attachments", "true"), "has_attachments", "1", False),
        (a_trigger("has_any_tag", "true"), "has_any_tag", None, False),
        (a_trigger("has_any_tag", "true", prohibited=True), "has_any_tag", None, True),
        (a_trigger("has_any_tag", "false"), "has_no_tag", None, False),
        (a_trigger("has_attachments", "false"), "has_attachments", "1", True),
        (a_trigger("-description_contains"), "description_contains", "x", True),
        (a_trigger("transaction_type", "withdrawal"), "transaction_type", "withdrawal", False),
    ],
)
def test_triggers_get_our_names(theirs: dict[str, Any], ours: str, value: str | None, prohibited: bool) -> None:
    (rule,) = books_of(rule_groups=[GROUP], rules=[a_rule(theirs)]).rules

    assert [(one.name, one.value, one.prohibited) for one in rule.triggers] == [(ours, value, prohibited)]
    assert rule.active


@pytest.mark.parametrize(
    ("rule", "lost"),
    [
        (a_rule(a_trigger("description_is"), a_trigger("date_before", "2026-01-01")), "'date_before' 2026-01-01"),
        (
            a_rule(
                a_trigger("description_is"),
                actions=({"type": "set_budget", "value": "Fun"}, {"type": "delete_transaction", "value": ""}),
            ),
            "'delete_transaction'",
        ),
        (a_rule(a_trigger("description_is"), a_trigger("amount_less", "much")), "must be a number"),
    ],
)
def test_a_rule_that_cannot_be_told_exactly_is_switched_off(rule: dict[str, Any], lost: str) -> None:
    books = books_of(rule_groups=[GROUP], rules=[rule])

    (found,) = books.rules
    assert not found.active
    assert lost in (found.description or "")
    assert lost in messages(books)


def test_a_rule_of_which_nothing_is_left_is_rejected() -> None:
    books = books_of(rule_groups=[GROUP], rules=[a_rule(a_trigger("date_before"))])

    assert books.rules == ()
    assert "Nothing of the rule" in rejections(books)[0]


def test_parts_that_are_switched_off_stay_so_and_the_order_is_kept() -> None:
    parts = [
        a_trigger("description_is", order=2),
        a_trigger("no_notes", order=1),
        a_trigger("any_notes", active=False, order=3),
    ]

    (rule,) = books_of(rule_groups=[GROUP], rules=[a_rule(*parts, trigger="manual-activation")]).rules

    assert [one.name for one in rule.triggers] == ["no_notes", "description_is", "any_notes"]
    assert [one.active for one in rule.triggers] == [True, True, False]
    assert rule.manual


def test_a_bill_gets_the_words_of_the_one_plain_rule_that_links_it() -> None:
    bill = {"id": 1, "name": "Gym", "currency_code": "EUR", "amount_min": "5", "amount_max": "20"}
    bill |= {"date": "2026-01-01", "repeat_freq": "weekly", "end_date": "2027-01-01", "object_group_title": "Sports"}
    rule = a_rule(
        a_trigger("description_contains", "gym"),
        a_trigger("description_contains", "club"),
        actions=({"type": "link_to_bill", "value": "Gym"},),
    )

    (found,) = books_of(bills=[bill], rule_groups=[GROUP], rules=[rule]).bills

    assert found.words == ("gym", "club")
    assert (found.end_on, found.group, found.notes) == (date(2027, 1, 1), "Sports", None)


A_RECURRENCE = {
    "id": 4,
    "type": "withdrawal",
    "title": "Weekly",
    "first_date": "2026-03-02",
    "latest_date": "2026-03-09T00:00:00+00:00",
    "nr_of_repetitions": 12,
    "repetitions": [{"type": "weekly", "moment": "1", "skip": 0, "weekend": 1}],
    "transactions": [
        {"source_id": "1", "destination_id": "4", "amount": "5", "currency_code": "EUR", "description": "five"},
    ],
}


def test_a_recurrence_that_has_run_runs_only_the_rest_of_its_times() -> None:
    made = [a_group(a_journal(key, 1, 4, recurrence_id="4")) for key in (1, 2)]

    books = books_of(*made, recurrences=[A_RECURRENCE])

    (recurrence,) = books.recurrences
    assert (recurrence.count_max, recurrence.fired_until) == (10, date(2026, 3, 9))
    assert "Weekly: 10" in messages(books)


def test_a_recurrence_with_an_unknown_repetition_is_rejected() -> None:
    odd = {**A_RECURRENCE, "repetitions": [{"type": "weekly", "moment": "9"}]}

    books = books_of(recurrences=[odd])

    assert books.recurrences == ()
    assert len(rejections(books)) == 2


def test_a_recurrence_of_mixed_types_becomes_two() -> None:
    loan = {**A_RECURRENCE["transactions"][0], "destination_id": "3"}  # type: ignore[index, dict-item]
    mixed = {**A_RECURRENCE, "transactions": [*A_RECURRENCE["transactions"], loan]}  # type: ignore[misc]

    assert [one.key for one in books_of(recurrences=[mixed]).recurrences] == ["4", "4/2"]


def test_a_piggy_bank_has_all_its_accounts() -> None:
    shares = [{"account_id": "2", "current_amount": "5"}, {"account_id": "1", "current_amount": "20"}]
    piggy_bank = {"id": 1, "name": "Bike", "target_amount": "100", "current_amount": "25", "accounts": shares}

    [bank] = books_of(piggy_banks=[piggy_bank]).piggy_banks

    assert [(share.account, share.current) for share in bank.shares] == [("2", 5), ("1", 20)]


def test_an_event_of_a_piggy_bank_names_its_transaction_and_has_its_day() -> None:
    piggy_bank = {"id": 1, "name": "Bike", "target_amount": "100", "current_amount": "10", "account_id": "2"}
    event = {"amount": "10", "transaction_journal_id": "1", "created_at": "2026-11-17T05:00:00+00:00"}

    books = books_of(a_group(a_journal(1, 1, 2), key=9), piggy_banks=[piggy_bank], piggy_bank_events__1=[event])

    (found,) = books.piggy_banks[0].events
    assert (found.on, found.transaction) == (date(2026, 3, 5), "9")
    assert [one.piggy_bank for one in books.transactions] == ["1"]


def test_attachments_hang_on_their_objects_and_without_these_on_the_import() -> None:
    content = b"a receipt"
    told = {"filename": "a.txt", "md5": hashlib.md5(content).hexdigest()}
    attachments = [
        {"attachable_type": "TransactionJournal", "attachable_id": "1", **told},
        {"attachable_type": "FireflyIII\\Models\\Account", "attachable_id": "2", **told},
        {"attachable_type": "TransactionJournal", "attachable_id": "1", **told, "md5": "0" * 32},
        {"attachable_type": "TransactionJournal", "attachable_id": "1", **told},
        {"attachable_type": "Tag", "attachable_id": "8", **told},
        {"attachable_type": "Recurrence", "attachable_id": "3", **told},
    ]
    contents = {f"attachments/{key}": content for key in (1, 2, 3, 5, 6)}

    tags = [{"id": 8, "tag": "lake"}]

    books = books_of(a_group(a_journal(1, 1, 4), key=70), tags=tags, attachments=attachments, contents=contents)

    of = [(one.model, one.of) for one in books.attachments]
    journal = ("TransactionJournal", "70")
    assert of == [journal, ("Account", "2"), journal, ("Tag", "lake"), ("ImportJob", "")]
    assert books.attachments[4].notes == "Was attached to: Recurrence 3"
    assert "is not what Firefly III reported" in messages(books)
    assert "is not in the archive" in rejections(books)[0]


def test_who_owes_a_liability_and_where_an_account_is():
    lent = {"liability_type": "loan", "liability_direction": "credit", "interest": "1", "interest_period": "half-year"}
    place = {"latitude": "52.100000000000", "longitude": "4.5", "zoom_level": 6}
    accounts = [an_account(3, "Lent", "liabilities", **lent, **place), an_account(1, "Far", "asset", **place)]
    accounts.append(an_account(2, "Nowhere", "asset", latitude="91", longitude="0"))

    read = {account.name: account for account in books_of(accounts=accounts).accounts}

    there = {"latitude": Decimal("52.1"), "longitude": Decimal("4.5"), "zoom_level": 6}
    interest = {"interest": Decimal(1), "interest_period": "half-year"}
    assert read["Lent"].details == {"direction": "credit", **interest, **there}
    assert (read["Far"].details, read["Far"].notes) == (there, None)
    assert (read["Nowhere"].details, read["Nowhere"].notes) == ({}, "Location: 91, 0")


A_BUDGET = {
    "name": "Fun",
    "auto_budget_period": "monthly",
    "auto_budget_amount": "150",
    "auto_budget_currency_code": "EUR",
}


@pytest.mark.parametrize(
    ("type_", "carry", "limits"),
    [("rollover", "yes", ["150", "140", "80"]), ("adjusted", "overspent", ["180", "150", "80"]),
     ("reset", "no", ["180", "140", "80"])],
)  # fmt: skip
def test_an_automatic_budget_does_not_carry_over_twice(type_: str, carry: str, limits: list[str]) -> None:
    """There, the limit of a month includes what is carried over."""
    spans = [
        ("180", "2026-01-01", "2026-01-31"),
        ("140", "2026-02-01", "2026-02-28"),
        ("80", "2026-03-01", "2026-03-14"),
    ]
    listed = [{"amount": amount, "start": start, "end": end, "currency_code": "EUR"} for amount, start, end in spans]

    books = books_of(budgets=[A_BUDGET | {"auto_budget_type": type_}], budget_limits_of__1=listed)

    auto = books.budgets[0].auto
    assert auto is not None
    assert (auto.carry, auto.amount, auto.currency, auto.period) == (carry, 150, "EUR", "monthly")
    assert [str(limit.amount) for limit in books.budget_limits] == limits


def test_settings_of_other_clients_come_and_its_own_do_not() -> None:
    names = ("lastActivity", "access_token", "listPageSize", "notification_bill", "shown_demo_index", "a.client")
    webhooks = [
        {"title": "New", "url": "https://hooks.example.org/", "triggers": ["STORE_TRANSACTION"], "responses": ["NONE"]},
        {"title": "Old", "url": "https://hooks.example.org/", "trigger": "update_budget", "response": "BUDGET"},
        {"title": "Odd", "url": "https://hooks.example.org/", "trigger": "STORE_RULE", "response": "NONE"},
        {"title": "Bad", "url": "nowhere", "trigger": "ANY", "response": "NONE"},
    ]

    books = books_of(preferences=[{"name": name, "data": 1} for name in names], webhooks=webhooks)

    assert [(one.name, one.data) for one in books.preferences] == [("a.client", 1)]
    assert [(one.title, *one.triggers, *one.responses) for one in books.webhooks] == [
        ("New", "STORE_TRANSACTION", "NONE"), ("Old", "UPDATE_BUDGET", "BUDGET")
    ]  # fmt: skip
    assert "have new secrets" in messages(books)
    assert rejections(books) == []


def test_order_and_groups_are_kept() -> None:
    banks = [
        {
            "id": number,
            "name": name,
            "order": 4 - number,
            "account_id": "1",
            "target_amount": "9",
            "object_group_title": group,
        }
        for number, name, group in ((1, "Car", None), (2, "Boat", "Wishes"), (3, "Attic", "Home"))
    ]
    groups = [{"title": title, "order": order} for title, order in (("Home", 2), ("Wishes", 1), ("Unused", 3))]
    accounts = [an_account(1, "A", "asset", order=2), an_account(2, "B", "asset", order=1)]

    books = books_of(piggy_banks=banks, object_groups=groups, accounts=accounts)

    assert [(bank.name, bank.group, bank.notes) for bank in books.piggy_banks] == [
        ("Attic", "Home", None), ("Boat", "Wishes", None), ("Car", None, None)
    ]  # fmt: skip
    assert books.object_groups == ("Wishes", "Home")
    assert (books.has_order, [account.name for account in books.accounts]) == (True, ["B", "A"])
