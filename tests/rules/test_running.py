"""Rules over transactions that are there already: a test lists them, a dry run shows changes, a run makes them."""

from datetime import date, timedelta
from typing import Any

import pytest

from farthing.books.rules import apply_stored
from farthing.jobs.worker import HELD_FOR

from ..bills.making import a_bill
from ..bills.making import stored as stored_bill
from ..bills.test_claim import a_worker, drained
from ..conftest import Client, World
from ..transactions.making import (
    a_transaction,
    asset,
    balance,
    count_rows,
    deposit,
    errors,
    findings,
    listed,
    made,
    posted,
    posted_one,
    split,
    transfer,
    withdrawal,
)
from .making import a_group, a_rule, run, stored


def bought(client: Client, source_id: str, on: str, text: str = "Groceries", amount: str = "10") -> dict[str, Any]:
    return posted_one(client, withdrawal(source_id, amount, date=on, description=text))


def several(client: Client, source_id: str, many: int) -> None:
    first = date(2024, 1, 1)
    bodies = [
        withdrawal(
            source_id,
            "10",
            date=(first + timedelta(days=number)).isoformat(),
            description=f"Groceries {number}" if number % 2 else f"Else {number}",
        )
        for number in range(many)
    ]
    assert client.post("/transactions/bulk", {"transactions": bodies}).status_code == 200


def everything(world: World, client: Client) -> list[Any]:
    """All that anybody could see of the user's transactions, and how much there is."""
    tables = ("entries", "splits", "categories", "tags", "accounts", "entry_tags", "changes", "jobs")
    return [listed(client, type="all"), *(count_rows(world, client, table) for table in tables)]


def categories(client: Client) -> dict[str, Any]:
    shown = [one["attributes"] for one in listed(client, limit=1000)]
    return {one["description"]: one["category_name"] for one in shown}


def test_a_test_lists_what_matches_and_why(me: Client, checking: str, world: World) -> None:
    for on in ("2024-03-01", "2024-04-01", "2024-05-01"):
        bought(me, checking, on)
    bought(me, checking, "2024-04-15", "Bread")
    rule = stored(me, a_rule(actions=[("set_source_account", "Nowhere"), ("set_category", "Food")], active=False))
    before = everything(world, me)

    document = me.get(f"/rules/{rule['id']}/test").json()

    assert [one["attributes"]["date"] for one in document["data"]] == ["2024-05-01", "2024-04-01", "2024-03-01"]
    assert document["data"][0]["meta"] == [
        {"rule_id": int(rule["id"]), "rule_title": rule["attributes"]["title"],
         "why": "the description contains 'groceries'"}
    ]  # fmt: skip
    assert (document["meta"]["looked_at"], document["meta"]["complete"]) == (4, True)
    assert everything(world, me) == before


def test_a_test_can_be_limited_by_days_and_accounts_and_is_paged(me: Client, checking: str, savings: str) -> None:
    rule = stored(me, a_rule(trigger="update-journal"))
    for on in ("2024-03-01", "2024-04-01", "2024-05-01"):
        bought(me, checking, on)
    bought(me, savings, "2024-04-02")
    posted_one(me, transfer(checking, savings, date="2024-04-03", description="Groceries money"))
    path = f"/rules/{rule['id']}/test"

    def days(**query: Any) -> list[str]:
        return [one["attributes"]["date"] for one in me.get(path, **query).json()["data"]]

    april = {"start": "2024-04-01", "end": "2024-04-30"}
    assert days(**april) == ["2024-04-03", "2024-04-02", "2024-04-01"]
    assert days(**april, accounts=savings) == ["2024-04-03", "2024-04-02"]
    assert days(**april, accounts=f"{savings},{checking}") == ["2024-04-03", "2024-04-02", "2024-04-01"]
    assert days(limit=2, page=2) == ["2024-04-02", "2024-04-01"]
    page = me.get(path, limit=2, page=2, **april).json()
    assert page["meta"]["pagination"] == {
        "total": 3, "count": 1, "per_page": 2, "current_page": 2, "total_pages": 2,
    }  # fmt: skip
    assert "start=2024-04-01&end=2024-04-30&limit=2&page=1" in page["links"]["prev"]


def test_only_the_newest_are_tested(me: Client, checking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply_stored, "TESTED_MAX", 3)
    rule = stored(me, a_rule(actions=["clear_notes"]))
    several(me, checking, 6)

    document = me.get(f"/rules/{rule['id']}/test").json()

    assert (document["meta"]["looked_at"], document["meta"]["complete"]) == (3, False)
    assert [one["attributes"]["description"] for one in document["data"]] == ["Groceries 5", "Groceries 3"]


def test_a_dry_run_shows_what_a_run_does_and_changes_nothing(
    me: Client, checking: str, savings: str, world: World
) -> None:
    stored_bill(me, a_bill(match="market", amount_min="5", amount_max="15"))
    kept, left = bought(me, checking, "2024-04-01"), bought(me, checking, "2024-04-02", "Bread")
    actions = [("set_description", "Market"), ("set_source_account", "savings"), ("set_destination_account", "Market")]
    rule = stored(me, a_rule(actions=[*actions, ("set_category", "Food"), ("add_tag", "x")]))
    before = everything(world, me)

    dry = run(me, f"/rules/{rule['id']}/trigger", dry_run=1)

    assert everything(world, me) == before
    assert dry["meta"] == {
        "looked_at": 2, "matched": 1, "changed": 1, "complete": True, "dry_run": True, "in_background": False,
    }  # fmt: skip
    [told] = [one["attributes"] for one in dry["data"]]
    was, is_ = told["before"][0]["attributes"], told["after"][0]["attributes"]
    assert (was["description"], is_["description"]) == ("Groceries", "Market")
    assert (was["source_name"], is_["source_name"]) == ("Checking", "Savings")
    assert (was["bill_name"], is_["bill_name"]) == (None, "Rent"), "and what follows from it"
    assert told["fired"][0]["why"] == "the description contains 'groceries'"
    assert len(told["fired"][0]["did"]) == 5

    done = run(me, f"/rules/{rule['id']}/trigger")

    assert done["meta"] == {**dry["meta"], "dry_run": False}
    ids = ("category_id", "destination_id", "updated_at")
    shown = done["data"][0]["attributes"]["after"][0]["attributes"]
    assert {name: value for name, value in shown.items() if name not in ids} == {
        name: value for name, value in is_.items() if name not in ids
    }
    assert shown == me.get(f"/transactions/{kept['id']}").json()["data"][0]["attributes"]
    assert me.get(f"/transactions/{left['id']}").json()["data"][0]["attributes"]["category_name"] is None
    assert (balance(me, checking), balance(me, savings)) == ("-10", "-10")
    assert findings(world, me) == []
    again = run(me, f"/rules/{rule['id']}/trigger")
    assert (again["meta"]["matched"], again["data"]) == (0, [])


def test_unchanged_transactions_are_not_written_again(me: Client, checking: str, world: World) -> None:
    rule = stored(me, a_rule())
    bought(me, checking, "2024-04-01")
    before = everything(world, me)

    done = run(me, f"/rules/{rule['id']}/trigger")

    assert (done["meta"]["matched"], done["meta"]["changed"]) == (1, 0)
    assert done["data"][0]["attributes"]["before"] == done["data"][0]["attributes"]["after"]
    assert everything(world, me) == before


def test_a_run_is_logged_like_any_change(me: Client, checking: str, world: World) -> None:
    bought(me, checking, "2024-04-01")
    rule = stored(me, a_rule())
    before = count_rows(world, me, "changes")

    run(me, f"/rules/{rule['id']}/trigger")

    with world.books.reading() as db:
        rows = db.all(
            "SELECT kind, action FROM changes WHERE user_id = :id ORDER BY id LIMIT 10 OFFSET :before",
            id=me.user.id,
            before=before,
        )
    assert ("entries", "changed") in rows
    assert ("categories", "created") in rows


def test_a_run_keeps_everything_else_of_a_transaction(me: Client, checking: str, savings: str, world: World) -> None:
    piggy = me.post("/piggy_banks", {"name": "Bicycle", "account_id": savings, "target_amount": "600"}).json()["data"]
    abroad = {"foreign_amount": "11", "foreign_currency_code": "USD"}
    parts = [
        split(source_id=checking, destination_id=savings, description=text, amount="10", category_name=text, **abroad)
        for text in ("one", "two")
    ]
    posted(me, a_transaction(
        "transfer", *parts, description="Groceries", date="2024-04-01", tags="a,b", internal_reference="R",
        book_date="2024-04-02", invoice_date="2024-04-03", piggy_bank_id=piggy["id"],
    ))  # fmt: skip
    before = listed(me)
    rule = stored(me, a_rule(actions=[("set_notes", "n"), ("set_destination_account", "Checking")]))

    done = run(me, f"/rules/{rule['id']}/trigger")

    [fired] = done["data"][0]["attributes"]["fired"]
    assert fired["did"] == ["set the notes to 'n'"]
    assert fired["skipped"] == [
        "set the destination account to 'Checking': source and destination would be the same account"
    ]
    for was, is_ in zip(before, listed(me), strict=True):
        differs = {name for name in was["attributes"] if was["attributes"][name] != is_["attributes"][name]}
        assert differs <= {"notes", "updated_at"}
        assert was["id"] == is_["id"]
    assert me.get(f"/piggy_banks/{piggy['id']}").json()["data"]["attributes"]["current_amount"] == 20
    assert findings(world, me) == []


def test_the_rules_of_a_group_run_together(me: Client, checking: str, world: World) -> None:
    group_id = a_group(me, active=False)
    bought(me, checking, "2024-04-01")
    stored(me, a_rule(group_id, title="a", actions=[("set_description", "Food")]))
    stored(me, a_rule(group_id, [("description_is", "food")], [("add_tag", "b")], title="b", stop_processing=True))
    stored(me, a_rule(group_id, ["no_notes"], [("add_tag", "c")], title="c"))
    stored(me, a_rule(group_id, title="off", order=1, active=False, actions=[("add_tag", "off")]))

    tested = me.get(f"/rule_groups/{group_id}/test").json()["data"]
    assert [one["rule_title"] for one in tested[0]["meta"]] == ["a", "b"]
    dry = run(me, f"/rule_groups/{group_id}/trigger", dry_run="true")
    assert dry["data"][0]["attributes"]["after"][0]["attributes"]["tags"] == "b"
    run(me, f"/rule_groups/{group_id}/trigger")

    [shown] = [one["attributes"] for one in listed(me)]
    assert (shown["description"], shown["tags"]) == ("Food", "b")
    assert findings(world, me) == []


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({}, {"start", "end"}),
        ({"start": "2024-01-01"}, {"end"}),
        ({"start": "2024-02-01", "end": "2024-01-01"}, {"start", "end"}),
        ({"start": "2024-01-01", "end": "soon"}, {"end"}),
        ({"start": "2024-01-01", "end": "2024-02-01", "accounts": "999999999"}, {"accounts"}),
        ({"start": "2024-01-01", "end": "2024-02-01", "accounts": "x"}, {"accounts"}),
        ({"start": "2024-01-01", "end": "2024-02-01", "dry_run": "perhaps"}, {"dry_run"}),
    ],
)
def test_a_run_requires_a_range_of_days(me: Client, query: dict[str, str], fields: set[str]) -> None:
    rule = stored(me, a_rule())

    assert errors(me.request("POST", f"/rules/{rule['id']}/trigger", params=query)).keys() == fields


def test_the_accounts_must_belong_to_the_caller(me: Client, someone_else: Client) -> None:
    rule = stored(me, a_rule())
    theirs = made(someone_else, asset())

    assert errors(me.get(f"/rules/{rule['id']}/test", accounts=theirs)).keys() == {"accounts"}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small numbers, so that a handful of transactions are many."""
    monkeypatch.setattr(apply_stored, "AT_ONCE_MAX", 5)
    monkeypatch.setattr(apply_stored, "BATCH", 2)
    monkeypatch.setattr(apply_stored, "_READ_AT_ONCE", 3)
    monkeypatch.setattr(apply_stored, "_READS_MAX", 2)


def is_running(client: Client, rule: dict[str, Any]) -> bool:
    return bool(client.get(f"/rules/{rule['id']}").json()["data"]["attributes"]["running"])


@pytest.mark.usefixtures("few")
def test_many_transactions_are_left_to_a_job(me: Client, checking: str, savings: str, world: World) -> None:
    several(me, checking, 11)
    rule = stored(me, a_rule(actions=[("set_category", "Food"), ("set_source_account", "Savings")]))

    done = run(me, f"/rules/{rule['id']}/trigger")

    assert done["meta"]["in_background"] is True
    assert is_running(me, rule)
    assert set(categories(me).values()) == {None}
    worker, books = a_worker(world)
    assert drained(worker) > 2
    assert categories(me) == {f"Groceries {n}" if n % 2 else f"Else {n}": "Food" if n % 2 else None for n in range(11)}
    assert not is_running(me, rule)
    assert (balance(me, checking), balance(me, savings)) == ("-60", "-50")
    books.assert_held_shortly()
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("whose", ["rules", "rule_groups"])
def test_a_job_says_how_far_it_is_and_which_changes_undo_it(
    me: Client, someone_else: Client, checking: str, world: World, whose: str
) -> None:
    several(me, checking, 11)
    group_id = a_group(me)
    rule = stored(me, a_rule(group_id))
    path = f"/{whose}/{rule['id'] if whose == 'rules' else group_id}"
    assert me.get(f"{path}/run").status_code == 404

    run(me, f"{path}/trigger")
    waiting = me.get(f"{path}/run").json()["data"]["attributes"]
    drained(a_worker(world)[0])
    done = me.get(f"{path}/run").json()["data"]["attributes"]

    assert (waiting["finished"], waiting["changed"], waiting["first_revision"]) == (False, 0, None)
    assert (done["finished"], done["changed"], done["failure"]) == (True, 5, None)
    assert someone_else.get(f"{path}/run").status_code == 404
    for change in me.get("/changes").json()["data"]:
        if done["first_revision"] <= change["attributes"]["revision"] <= done["last_revision"]:
            assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert set(categories(me).values()) == {None}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("whose", ["rules", "rule_groups"])
def test_the_change_log_names_a_job_as_a_run_of_rules(me: Client, checking: str, world: World, whose: str) -> None:
    several(me, checking, 11)
    group_id = a_group(me)
    rule = stored(me, a_rule(group_id))
    before = {change["id"] for change in me.get("/changes").json()["data"]}

    run(me, f"/{whose}/{rule['id'] if whose == 'rules' else group_id}/trigger")
    drained(a_worker(world)[0])

    told = [one["attributes"] for one in me.get("/changes").json()["data"] if one["id"] not in before]
    by_job = {change["doing"] for change in told if change["token_id"] is None}
    assert by_job == {f"{whose}.trigger"}
    assert (
        sum(count["changed"] for change in told for count in change["counts"] if count["kind"] == "transactions") == 5
    )


@pytest.mark.usefixtures("few")
def test_when_a_worker_is_killed_another_one_resumes_its_job(me: Client, checking: str, world: World) -> None:
    several(me, checking, 12)
    group_id = a_group(me)
    stored(me, a_rule(group_id))
    run(me, f"/rule_groups/{group_id}/trigger", accounts=checking)
    killed, heir = a_worker(world)[0], a_worker(world)[0]

    assert killed.turn()
    assert 0 < list(categories(me).values()).count("Food") < 6
    assert heir.turn() is False
    world.time.now += HELD_FOR
    drained(heir)

    assert list(categories(me).values()).count("Food") == 6
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
def test_a_deleted_rule_does_nothing_more(me: Client, checking: str, world: World) -> None:
    several(me, checking, 12)
    rule = stored(me, a_rule())
    run(me, f"/rules/{rule['id']}/trigger")
    worker = a_worker(world)[0]
    worker.turn()

    me.delete(f"/rules/{rule['id']}")
    drained(worker)

    assert 0 < list(categories(me).values()).count("Food") < 6
    assert count_rows(world, me, "jobs") == 0


def test_a_transaction_that_cannot_be_booked_does_not_stop_the_others(
    me: Client, checking: str, savings: str, world: World
) -> None:
    most = "92233720368547758.07"
    posted_one(me, transfer(savings, made(me, asset(name="Vault")), most, description="All of it"))
    bought(me, checking, "2024-04-01")
    posted_one(me, deposit(checking, "5", description="Groceries back"))
    rule = stored(me, a_rule(actions=[("set_source_account", "Savings"), ("set_category", "Food")]))

    done = run(me, f"/rules/{rule['id']}/trigger")

    told = {one["attributes"]["before"][0]["attributes"]["description"]: one["attributes"] for one in done["data"]}
    assert {text: one["changed"] for text, one in told.items()} == {"Groceries": False, "Groceries back": True}
    assert "too large to store" in told["Groceries"]["failure"]
    assert categories(me) == {"All of it": None, "Groceries": None, "Groceries back": "Food"}
    assert balance(me, checking) == "-5"
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
def test_when_the_time_is_up_the_rest_is_left_for_the_next_batch(
    me: Client, checking: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    several(me, checking, 12)
    rule = stored(me, a_rule())
    run(me, f"/rules/{rule['id']}/trigger")
    monkeypatch.setattr(apply_stored, "HELD_S_MAX", 0)
    worker = a_worker(world)[0]

    after = [(worker.turn(), list(categories(me).values()).count("Food"))[1] for _ in range(3)]

    assert after == [1, 2, 3], "one at least, and no more"
    drained(worker)
    assert list(categories(me).values()).count("Food") == 6
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
def test_a_transaction_deleted_meanwhile_does_not_stop_the_others(
    me: Client, checking: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    several(me, checking, 12)
    ids = {one["attributes"]["description"]: one["id"] for one in listed(me, limit=100)}
    rule = stored(me, a_rule())
    run(me, f"/rules/{rule['id']}/trigger")
    monkeypatch.setattr(apply_stored, "HELD_S_MAX", 0)
    worker, books = a_worker(world)
    goes = iter([f"Groceries {number}" for number in (1, 5, 7)])

    def delete_one() -> None:
        name = next(goes, None)
        assert name is None or me.delete(f"/transactions/{ids[name]}").status_code == 204

    books.between = delete_one
    drained(worker)

    left = categories(me)
    assert {name: left[name] for name in left if name.startswith("Groceries")} == {
        f"Groceries {number}": "Food" for number in (3, 9, 11)
    }
    assert findings(world, me) == []


def test_so_many_changes_that_others_would_wait_are_left_to_a_job(
    me: Client, checking: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apply_stored, "CHANGED_AT_ONCE_MAX", 2)
    several(me, checking, 7)  # of which three match
    rule = stored(me, a_rule(actions=[("set_category", "Food")]))

    done = run(me, f"/rules/{rule['id']}/trigger")

    assert done["meta"]["in_background"] is True
    assert is_running(me, rule)
    drained(a_worker(world)[0])
    assert list(categories(me).values()).count("Food") == 3
    assert not is_running(me, rule)
    assert findings(world, me) == []
