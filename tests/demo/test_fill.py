"""The story in the books: what the API then shows, and what doctor says."""

from collections import Counter
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from farthing.demo import fill
from farthing.demo.scene import MORTGAGE, OWN
from farthing.demo.story import Story, tell
from farthing.kernel.clock import stamp
from farthing.kernel.errors import Conflict

from ..conftest import NOW, Client, World
from ..transactions.making import findings

TODAY = NOW.date()


@pytest.fixture(scope="module")
def story() -> Story:
    return tell(TODAY, 1)


def put(world: World, client: Client, story: Story) -> list[str]:
    steps: list[str] = []
    fill.fill(world.books, client.user, story, world.settings, today=TODAY, now=stamp(NOW), progress=steps.append)
    return steps


@pytest.fixture(scope="module")
def filled(shared_world: World, story: Story) -> Client:
    """A user with the demo's books; tests only look."""
    shared_world.time.now = NOW
    client = shared_world.someone()
    put(shared_world, client, story)
    return client


def balances(client: Client, on: date = TODAY) -> dict[str, Decimal]:
    shown = [
        account["attributes"]
        for word in ("asset", "liability")
        for account in client.get("/accounts", type=word, date=on.isoformat()).json()["data"]
    ]
    return {one["name"]: Decimal(str(one["current_balance"])) for one in shown}


def test_the_api_shows_the_balances_that_the_story_ends_with(filled: Client, story: Story) -> None:
    assert balances(filled) == {name: Decimal(story.cents[name]) / 100 for name in OWN}


def test_the_books_of_the_demo_are_sound(world: World, filled: Client) -> None:
    assert findings(world, filled) == []


def test_every_move_is_a_transaction(filled: Client, story: Story) -> None:
    splits = sum(len(move.parts) for move in story.moves)
    assert filled.get("/transactions").json()["meta"]["pagination"]["total"] == splits
    newest = filled.get("/transactions", limit=1).json()["data"][0]["attributes"]
    assert newest["date"] == story.moves[-1].on.isoformat()


def test_statements_older_than_last_month_are_reconciled(filled: Client, story: Story) -> None:
    def marks(start: str, end: str) -> set[tuple[bool, bool]]:
        page = filled.get("/transactions", start=start, end=end, limit=1000).json()["data"]
        shown = [one["attributes"] for one in page]
        bank = {"Current account", "Credit card"}
        return {(bool(bank & {one["source_name"], one["destination_name"]}), one["reconciled"]) for one in shown}

    assert (True, True) in marks("2024-03-18", "2024-03-31")
    assert (True, False) not in marks("2024-03-18", "2024-03-31")
    assert (True, True) not in marks("2024-04-01", "2024-04-14")


def test_what_was_owed_shrinks_month_by_month(filled: Client, story: Story) -> None:
    month_ends = [date(2023, 6, 30), date(2023, 12, 31), date(2024, 4, 30)]
    owed = [-balances(filled, on)[MORTGAGE] for on in month_ends]
    assert owed == sorted(owed, reverse=True)
    assert 70_000 < owed[-1] < owed[0] < 85_000


def test_a_trip_is_found_by_its_tag(filled: Client, story: Story) -> None:
    found = filled.get("/search/transactions", query="boston 2023", limit=30).json()["data"]

    assert len(found) > 10
    assert {"USD", "EUR"} == {one["attributes"]["currency_code"] for one in found}
    assert any(one["attributes"]["foreign_currency_code"] == "USD" for one in found)


def shown(client: Client, path: str, **query: Any) -> list[dict[str, Any]]:
    return [one["attributes"] for one in client.get(path, limit=1000, **query).json()["data"]]


def test_bills_are_paid_month_by_month_one_is_overdue_and_one_still_to_come(filled: Client) -> None:
    bills = {one["name"]: one for one in shown(filled, "/bills", start="2023-05-15", end="2024-05-31")}

    states = {name: [period["state"] for period in bill["periods"]] for name, bill in bills.items()}
    assert states["Rent"] == ["paid"] * 12
    assert states["Gas"] == ["paid"] * 6
    assert states["Chimney sweep"] == ["overdue"]
    assert states["TV licence"] == ["upcoming"]
    assert bills["Online storage"]["currency_code"] == "USD"
    assert not any(bill["matching"] for bill in bills.values())


def test_one_payment_nearly_matches_its_bill(filled: Client) -> None:
    bills = filled.get("/bills", limit=1000).json()["data"]
    power = next(one for one in bills if one["attributes"]["name"] == "Electricity")

    seen = [one["attributes"] for one in filled.get(f"/bills/{power['id']}/matches").json()["data"]]

    assert [one["why"] for one in seen if not one["linked"]] == ["the amount is 8.50 EUR too large"]
    assert sum(one["linked"] for one in seen) == 5


def test_the_standing_order_has_fired_and_filled_its_piggy_bank(filled: Client) -> None:
    listed = filled.get("/recurrences", limit=100).json()["data"]
    savings = next(one for one in listed if one["attributes"]["title"] == "Savings")
    made = shown(filled, f"/recurrences/{savings['id']}/transactions")

    assert [one["date"] for one in made] == ["2024-05-01", "2024-04-01", "2024-03-01", "2024-02-01", "2024-01-01"]
    pots = {one["name"]: Decimal(str(one["current_amount"])) for one in shown(filled, "/piggy_banks")}
    assert pots == {"Emergency cushion": 5 * Decimal(str(made[0]["amount"])), "A sofa for four": 420}
    assert {one["attributes"]["title"] for one in listed if one["attributes"]["active"]} == {
        "Savings", "Rent", "Aoife's salary", "Tom's salary", "Pocket money",
    }  # fmt: skip


def test_every_budget_has_limits_for_a_year_and_this_month_has_money_to_plan_with(filled: Client) -> None:
    limits = shown(filled, "/budget_limits", start="2023-05-01", end="2024-05-31")
    available = shown(filled, "/available_budgets")

    of_may = [Decimal(str(one["amount"])) for one in limits if one["start_date"] == "2024-05-01"]
    assert len(limits) == 13 * len(of_may)
    assert len(of_may) == len(shown(filled, "/budgets"))
    assert [Decimal(str(one["amount"])) for one in available] == [sum(of_may) + 150]


def test_everything_can_be_shown_in_euros(filled: Client) -> None:
    days = {"start": "2024-05-01", "end": "2024-05-14"}

    converted = filled.get("/chart/net_worth", **days, convert="1").json()["converted"]["entries"][-1]

    assert (converted["rate_date"], converted["missing"]) == ("2024-05-01", [])


def test_papers_are_what_they_say(filled: Client) -> None:
    papers = filled.get("/attachments", limit=100).json()["data"]

    kinds = Counter(one["attributes"]["mime"] for one in papers)
    assert kinds == {"application/pdf": 4, "image/png": 3}
    for one in papers:
        assert filled.get(f"/attachments/{one['id']}/download").content[:4] in (b"%PDF", b"\x89PNG")


def test_progress_tells_the_day_it_has_come_to(world: World, me: Client, story: Story) -> None:
    beginning = replace(story, moves=story.moves[:150])

    steps = put(world, me, beginning)

    first, second = story.moves[0].on, story.moves[fill.BATCH].on
    assert steps == [
        "opening the accounts",
        "writing down bills and budgets",
        f"{first}, 0 of 150 transactions",
        f"{second}, {fill.BATCH} of 150 transactions",
        "putting aside, standing orders, receipts",
    ]


def test_a_user_with_an_account_is_refused_and_keeps_what_they_have(world: World, me: Client, story: Story) -> None:
    me.post(
        "/accounts",
        {"name": "Mine", "type": "asset", "account_role": "defaultAsset", "currency_code": "EUR", "active": True,
         "include_net_worth": True},
    )  # fmt: skip

    with pytest.raises(Conflict, match=r"already has data \(2 accounts\)"):
        put(world, me, story)

    assert me.get("/accounts").json()["meta"]["pagination"]["total"] == 2


def test_a_second_demo_is_refused(world: World, filled: Client, story: Story) -> None:
    with pytest.raises(Conflict, match="choose another user with --email"):
        put(world, filled, story)


@pytest.mark.usefixtures("filled")
def test_somebody_else_sees_nothing_of_it(someone_else: Client) -> None:
    assert someone_else.get("/accounts").json()["meta"]["pagination"]["total"] == 1
    assert someone_else.get("/transactions").json()["meta"]["pagination"]["total"] == 0
