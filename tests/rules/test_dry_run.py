"""What rules would change: shown without a lock, as a run would then do it; where there is much, found by a job."""

from datetime import timedelta
from typing import Any

import pytest

from farthing.books.rules import apply_stored, dry_run
from farthing.identity import users
from farthing.jobs.sweeping import Sweeper
from farthing.storage import blobs

from ..bills.making import a_bill
from ..bills.making import stored as stored_bill
from ..bills.test_claim import a_worker, drained
from ..builders import AT
from ..conftest import Client, World
from ..transactions.making import (
    a_transaction,
    count_rows,
    deposit,
    findings,
    posted,
    posted_one,
    split,
    transfer,
    withdrawal,
)
from .making import a_group, a_rule, run, stored
from .test_running import everything, several


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small numbers, so that a handful of transactions are many."""
    monkeypatch.setattr(apply_stored, "AT_ONCE_MAX", 5)
    monkeypatch.setattr(dry_run, "_READ_AT_ONCE", 3)
    monkeypatch.setattr(dry_run, "_WRITTEN_AT_ONCE", 2)
    monkeypatch.setattr(dry_run, "_FORGOTTEN_AT_ONCE", 2)


def of_all_sorts(client: Client, checking: str, savings: str) -> None:
    """Groceries with and without labels, links, splits and money from abroad."""
    labels = {"category_name": "Food", "budget_name": "Monthly"}
    monthly = client.post("/budgets", {"name": "Monthly", "active": True}).json()["data"]["id"]
    client.post("/categories", {"name": "Budgeted", "budget_id": monthly})
    posted_one(client, withdrawal(checking, "10", description="Groceries", date="2024-04-01"))
    posted_one(client, withdrawal(checking, "700", description="Groceries of the landlord", date="2024-04-02"))
    posted_one(client, deposit(checking, "5", description="Groceries back", date="2024-04-03", tags="Old,weekly"))
    posted_one(client, transfer(checking, savings, "7", description="Groceries money", date="2024-04-04", notes="n"))
    parts = [
        split(source_id=checking, destination_name="Corner shop", description=text, amount="3", **labels)
        for text in ("bread", "milk")
    ]
    posted(client, a_transaction("withdrawal", *parts, description="Groceries", date="2024-04-05", tags="OLD"))
    abroad = split(source_id=checking, destination_name="Abroad", amount="4", foreign_amount="5",
                   foreign_currency_code="USD")  # fmt: skip
    posted(client, a_transaction("withdrawal", abroad, description="Groceries abroad", date="2024-04-06"))
    posted_one(client, withdrawal(checking, "1", description="Something else", date="2024-04-07"))


def assert_foreseen(seen: dict[str, Any], done: dict[str, Any]) -> None:
    """The same is shown, but for when it changed; what was only made by the run had no id before."""
    for foreseen, real in zip(seen["after"], done["after"], strict=True):
        shown, is_ = foreseen["attributes"], real["attributes"]
        new = {name: is_[name] for name in ("category_id", "source_id", "destination_id") if shown[name] == 0}
        assert {**shown, **new, "updated_at": is_["updated_at"]} == is_
        was = [one["attributes"] for one in seen["before"]]
        assert all(value not in (one[name] for one in was) for name, value in new.items())


@pytest.mark.parametrize(
    "actions",
    [
        [("set_category", "FOOD")],
        [("set_category", "Budgeted")],
        [("set_category", "Wholly new"), ("add_tag", "New tag"), ("add_tag", "old")],
        ["clear_category", "clear_budget", "remove_all_tags", "clear_notes"],
        [("set_budget", "monthly"), ("remove_tag", "WEEKLY"), ("add_tag", "weekly")],
        [("set_source_account", "savings"), ("set_notes", "a"), ("append_notes", "b"), ("prepend_notes", "c")],
        [("set_destination_account", "Market hall"), ("set_description", "Rent, landlord")],
        [("set_destination_account", "corner SHOP"), ("append_description", "x"), ("prepend_description", "y")],
        [("link_to_bill", "rent")],
        [("set_source_account", "Employer"), ("set_destination_account", "Checking")],
    ],
    ids=lambda actions: str(actions[0]),
)
def test_what_is_shown_is_what_a_run_then_does(
    me: Client, checking: str, savings: str, world: World, actions: list[Any]
) -> None:
    stored_bill(me, a_bill(match="landlord", amount_min="1", amount_max="900"))
    of_all_sorts(me, checking, savings)
    rule = stored(me, a_rule(actions=actions))
    before = everything(world, me)

    foreseen = run(me, f"/rules/{rule['id']}/trigger", dry_run=1)

    assert everything(world, me) == before
    done = run(me, f"/rules/{rule['id']}/trigger")
    assert {**foreseen["meta"], "dry_run": False} == done["meta"]
    assert foreseen["meta"]["changed"] > 0
    for seen, is_ in zip(foreseen["data"], done["data"], strict=True):
        seen, is_ = seen["attributes"], is_["attributes"]
        assert (seen["fired"], seen["before"], seen["changed"]) == (is_["fired"], is_["before"], is_["changed"])
        assert_foreseen(seen, is_)
    assert findings(world, me) == []


def test_a_dry_run_does_not_wait_for_the_write_lock(me: Client, checking: str, world: World) -> None:
    several(me, checking, 3)
    rule = stored(me, a_rule())

    with world.books.writing() as db:
        users.take(db, me.user.id, token_id=None, now=AT, doing="test")
        dry = run(me, f"/rules/{rule['id']}/trigger", dry_run="true")

    assert dry["meta"]["changed"] == 1


def test_without_dry_run_the_changes_are_made(me: Client, checking: str, world: World) -> None:
    several(me, checking, 3)
    rule = stored(me, a_rule())

    done = run(me, f"/rules/{rule['id']}/trigger", dry_run=0)

    assert (done["meta"]["changed"], done["meta"]["dry_run"]) == (1, False)
    assert me.get("/categories").json()["data"]
    assert findings(world, me) == []


def began(client: Client, path: str, **query: Any) -> str:
    response = client.request("POST", path, params={"start": "2024-01-01", "end": "2024-12-31", "dry_run": 1, **query})
    assert response.status_code == 202, response.text
    assert response.json()["meta"]["in_background"] is True
    return str(response.headers["location"]).partition("/api/v1")[2]


def descriptions(document: dict[str, Any]) -> list[str]:
    return [one["attributes"]["before"][0]["attributes"]["description"] for one in document["data"]]


@pytest.mark.usefixtures("few")
def test_many_transactions_are_tried_by_a_job(me: Client, checking: str, world: World) -> None:
    several(me, checking, 12)
    rule = stored(me, a_rule())
    before = everything(world, me)[:-2]

    address = began(me, f"/rules/{rule['id']}/trigger")

    assert address == f"/rules/{rule['id']}/dry_run"
    meta = me.get(address).json()["meta"]
    assert (meta["finished"], meta["looked_at"], meta["pagination"]["total"]) == (False, 0, 0)
    worker, books = a_worker(world)
    worker.turn()
    meta = me.get(address).json()["meta"]
    assert (meta["finished"], meta["looked_at"] > 0, meta["changed"] > 0) == (False, True, True)
    assert drained(worker) == 2
    document = me.get(address, limit=4).json()
    assert document["meta"] == {
        "pagination": {"total": 6, "count": 4, "per_page": 4, "current_page": 1, "total_pages": 2},
        "start": "2024-01-01", "end": "2024-12-31", "looked_at": 12, "matched": 6, "changed": 6, "finished": True,
        "failure": None,
    }  # fmt: skip
    assert descriptions(document) == ["Groceries 11", "Groceries 9", "Groceries 7", "Groceries 5"]
    told = document["data"][0]["attributes"]
    assert told["before"][0]["attributes"]["category_name"] is None
    assert told["after"][0]["attributes"]["category_name"] == "Food"
    assert told["fired"][0]["why"] == "the description contains 'groceries'"
    assert descriptions(me.get(address, limit=4, page=2).json()) == ["Groceries 3", "Groceries 1"]
    assert everything(world, me)[:-2] == before
    assert me.get(f"/rules/{rule['id']}").json()["data"]["attributes"]["running"] is False
    books.assert_held_shortly()
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
def test_what_a_job_shows_is_what_a_small_dry_run_shows(
    me: Client, checking: str, savings: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_all_sorts(me, checking, savings)
    group_id = a_group(me)
    stored(me, a_rule(group_id, actions=[("set_category", "Wholly new"), ("set_destination_account", "Market")]))
    address = began(me, f"/rule_groups/{group_id}/trigger", accounts=checking)
    drained(a_worker(world)[0])
    monkeypatch.setattr(apply_stored, "AT_ONCE_MAX", 100)

    small = run(me, f"/rule_groups/{group_id}/trigger", dry_run=1, accounts=checking)

    assert me.get(address).json()["data"] == [one for one in small["data"] if one["attributes"]["changed"]]


@pytest.mark.usefixtures("few")
def test_only_a_limited_number_of_changes_is_stored(
    me: Client, checking: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dry_run, "KEPT_MAX", 3)
    several(me, checking, 12)
    address = began(me, f"/rules/{stored(me, a_rule())['id']}/trigger")

    drained(a_worker(world)[0])

    document = me.get(address).json()
    assert (document["meta"]["changed"], document["meta"]["pagination"]["total"]) == (6, 3)
    assert descriptions(document) == ["Groceries 11", "Groceries 9", "Groceries 7"]


@pytest.mark.usefixtures("few")
def test_a_new_dry_run_replaces_the_previous_one(me: Client, checking: str, world: World) -> None:
    several(me, checking, 12)
    rule = stored(me, a_rule())
    address = began(me, f"/rules/{rule['id']}/trigger")
    worker = a_worker(world)[0]
    worker.turn()

    began(me, f"/rules/{rule['id']}/trigger", start="2024-01-03")

    assert me.get(address).json()["meta"]["looked_at"] == 0
    drained(worker)
    meta = me.get(address).json()["meta"]
    assert (meta["start"], meta["looked_at"], meta["changed"]) == ("2024-01-03", 10, 5)
    assert (count_rows(world, me, "dry_run_changes"), count_rows(world, me, "jobs")) == (5, 1)


@pytest.mark.usefixtures("few")
def test_findings_of_an_earlier_version_are_left_out(me: Client, checking: str, world: World) -> None:
    several(me, checking, 12)
    rule = stored(me, a_rule())
    address = began(me, f"/rules/{rule['id']}/trigger")
    drained(a_worker(world)[0])
    assert count_rows(world, me, "dry_run_changes") == 6

    with world.books.writing() as db:
        db.run("UPDATE dry_run_changes SET told = '[[], [], [], true]' WHERE user_id = :user_id", user_id=me.user.id)

    answer = me.get(address)
    assert (answer.status_code, answer.json()["data"]) == (200, [])


@pytest.mark.usefixtures("few")
def test_findings_are_deleted_after_a_day(me: Client, checking: str, world: World) -> None:
    several(me, checking, 12)
    address = began(me, f"/rules/{stored(me, a_rule())['id']}/trigger")
    drained(a_worker(world)[0])
    sweeper = Sweeper(world.settings, world.books, blobs.connect(world.settings), world.time.clock())
    sweeper.turn()
    assert me.get(address).json()["meta"]["changed"] == 6

    world.time.now += timedelta(days=1)

    assert me.get(address).status_code == 404
    sweeper.turn()
    assert (count_rows(world, me, "dry_run_changes"), count_rows(world, me, "jobs")) == (0, 0)


@pytest.mark.usefixtures("few")
def test_a_deleted_rule_is_no_longer_tried(me: Client, checking: str, world: World) -> None:
    several(me, checking, 12)
    rule = stored(me, a_rule())
    address = began(me, f"/rules/{rule['id']}/trigger")
    worker = a_worker(world)[0]
    worker.turn()

    me.delete(f"/rules/{rule['id']}")

    assert me.get(address).status_code == 404
    drained(worker)
    Sweeper(world.settings, world.books, blobs.connect(world.settings), world.time.clock()).turn()
    assert (count_rows(world, me, "dry_run_changes"), count_rows(world, me, "jobs")) == (0, 0)


def test_without_a_dry_run_there_is_nothing_to_show(me: Client) -> None:
    rule = stored(me, a_rule())

    assert me.get(f"/rules/{rule['id']}/dry_run").status_code == 404
    assert me.get(f"/rule_groups/{rule['attributes']['rule_group_id']}/dry_run").status_code == 404
