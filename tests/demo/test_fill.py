"""The story in the books: what the API then shows, and what doctor says."""

from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from farthing.clock import stamp
from farthing.demo import fill
from farthing.demo.scene import MORTGAGE, OWN, Purse
from farthing.demo.story import Story, told
from farthing.doctor import examine_user
from farthing.errors import Conflict

from ..conftest import NOW, Client, World

TODAY = NOW.date()


@pytest.fixture(scope="module")
def story() -> Story:
    return told(TODAY, 1)


def put(world: World, client: Client, story: Story) -> list[str]:
    steps: list[str] = []
    fill.fill(world.books, client.user, story, today=TODAY, now=stamp(NOW), progress=steps.append)
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
    purse = Purse(Counter({account.name: account.cents for account in story.accounts}))
    for move in story.moves:
        purse.apply(move)

    assert balances(filled) == {name: Decimal(purse.holds[name]) / 100 for name in OWN}


def test_the_books_of_the_demo_are_sound(world: World, filled: Client) -> None:
    assert list(examine_user(world.books, filled.user.id)) == []


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


def test_progress_tells_the_day_it_has_come_to(world: World, me: Client, story: Story) -> None:
    beginning = replace(story, moves=story.moves[:150])

    steps = put(world, me, beginning)

    first, second = story.moves[0].on, story.moves[fill.BATCH].on
    assert steps == [
        "opening the accounts",
        f"{first}, 0 of 150 transactions",
        f"{second}, {fill.BATCH} of 150 transactions",
    ]


def test_a_user_with_an_account_is_refused_and_keeps_what_they_have(world: World, me: Client, story: Story) -> None:
    me.post(
        "/accounts",
        {"name": "Mine", "type": "asset", "account_role": "defaultAsset", "currency_code": "EUR", "active": True,
         "include_net_worth": True},
    )  # fmt: skip

    with pytest.raises(Conflict, match=r"has data already \(2 accounts\)"):
        put(world, me, story)

    assert me.get("/accounts").json()["meta"]["pagination"]["total"] == 2


def test_a_second_demo_is_refused(world: World, filled: Client, story: Story) -> None:
    with pytest.raises(Conflict, match="name another with --email"):
        put(world, filled, story)


@pytest.mark.usefixtures("filled")
def test_somebody_else_sees_nothing_of_it(someone_else: Client) -> None:
    assert someone_else.get("/accounts").json()["meta"]["pagination"]["total"] == 1
    assert someone_else.get("/transactions").json()["meta"]["pagination"]["total"] == 0
