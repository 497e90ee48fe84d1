"""Piggy banks on several accounts: what each holds, and what happens when accounts come, go and are deleted."""

import pytest

from ..conftest import Client, World
from ..transactions.making import findings as all_findings
from .making import an_account, asset, changed, errors, exact, findings, posted_one, refused, saving, seen, transfer


@pytest.fixture(autouse=True)
def in_order(world: World, me: Client):
    """Whatever a test does: each account holds what the events of that account brought."""
    yield
    assert all_findings(world, me) == []


@pytest.fixture
def banks(me: Client) -> tuple[str, str, str]:
    """Three accounts with 1 000 each."""
    return an_account(me, "One"), an_account(me, "Two"), an_account(me, "Three")


def shares(*account_ids: str, **amounts: str) -> list[dict[str, str]]:
    return [{"account_id": one} for one in account_ids] + [
        {"account_id": one.removeprefix("_"), "current_amount": amount} for one, amount in amounts.items()
    ]


def held(client: Client, piggy_bank_id: str) -> dict[str, str]:
    return {str(one["account_id"]): str(one["current_amount"]) for one in seen(client, piggy_bank_id)["accounts"]}


def moves(client: Client, piggy_bank_id: str) -> list[tuple[str, str]]:
    """The accounts and amounts of its events, the newest first."""
    events = exact(client.get(f"/piggy_banks/{piggy_bank_id}/events"))["data"]
    return [(str(one["attributes"]["account_id"]), str(one["attributes"]["amount"])) for one in events]


def undone(client: Client) -> None:
    """Undoes the newest change that is in effect."""
    changes = client.get("/changes").json()["data"]
    newest = next(one for one in changes if not (one["attributes"]["undoes"] or one["attributes"]["undone_by"]))
    response = client.post(f"/changes/{newest['id']}/undo")
    assert response.status_code == 200, response.text


def on_two(client: Client, one: str, two: str) -> str:
    return saving(client, None, accounts=shares(**{f"_{one}": "100", f"_{two}": "50"}))


def test_transfers_move_what_each_account_holds(me, banks):
    one, two, other = banks
    bicycle = on_two(me, one, two)

    posted_one(me, transfer(other, two, "30", piggy_bank_id=bicycle, date="2024-05-10"))
    between = posted_one(me, transfer(one, two, "120", piggy_bank_id=bicycle, date="2024-05-11"))
    posted_one(me, transfer(one, other, "5", piggy_bank_id=bicycle, date="2024-05-12"))

    assert held(me, bicycle) == {one: "0", two: "200"}
    assert moves(me, bicycle)[:3] == [(two, "50"), (one, "100"), (two, "120")]
    assert me.delete(f"/transactions/{between['id']}").status_code == 204
    assert held(me, bicycle) == {one: "100", two: "80"}
    undone(me)
    assert held(me, bicycle) == {one: "0", two: "200"}
    wrong = errors(me.post("/transactions", transfer(other, an_account(me, "Four"), "5", piggy_bank_id=bicycle)))
    assert wrong == {"piggy_bank_id": ["The piggy bank ID must identify a piggy bank on one of the two accounts."]}


def test_accounts_come_and_go_with_what_they_hold(world, me, banks):
    one, two, three = banks
    bicycle = on_two(me, one, two)
    saved = posted_one(me, transfer(three, two, "30", piggy_bank_id=bicycle))
    steps = [held(me, bicycle)]

    def becomes(**body):
        changed(me, bicycle, **{"account_id": None, **body})
        steps.append(held(me, bicycle))
        assert findings(world, me) == []
        return steps[-1]

    assert becomes(accounts=shares(two, three, one)) == {two: "80", three: "0", one: "100"}
    assert becomes(accounts=shares(one, three)) == {one: "180", three: "0"}, "the first takes what another held"
    assert seen(me, bicycle)["current_amount"] == 180
    assert me.get(f"/transactions/{saved['id']}/piggy_bank_events").json()["data"] == [], "it stays as it is"
    assert becomes(accounts=shares(three, **{f"_{one}": "20"})) == {three: "0", one: "20"}
    assert becomes(account_id=two, current_amount="70") == {two: "50", one: "20"}, "the further accounts stay"
    assert (
        becomes(account_id=two, current_amount="70", accounts=shares(**{f"_{two}": "50", f"_{one}": "20"})) == steps[-2]
    )
    assert becomes(account_id=two, current_amount="15") == {two: "0", one: "15"}, "the first is emptied first"
    for step in reversed(steps[:-1]):
        undone(me)
        assert held(me, bicycle) == step
    assert [
        event["attributes"]["amount"]
        for event in me.get(f"/transactions/{saved['id']}/piggy_bank_events").json()["data"]
    ] == [30]


def test_an_account_is_deleted_with_its_share_and_the_last_one_with_the_piggy_bank(me, banks):
    one, two, _ = banks
    bicycle = on_two(me, one, two)
    posted_one(me, transfer(one, two, "20", piggy_bank_id=bicycle))
    assert [bank["id"] for bank in me.get(f"/accounts/{two}/piggy_banks").json()["data"]] == [bicycle]
    assert list(errors(me.put(f"/accounts/{two}", asset(name="Two", currency_code="USD")))) == ["currency_code"]

    assert me.delete(f"/accounts/{one}").status_code == 204
    assert held(me, bicycle) == {two: "50"}, "its transfer is deleted, too"
    assert me.delete(f"/accounts/{two}").status_code == 204
    assert me.get("/piggy_banks").json()["data"] == []

    undone(me)
    undone(me)
    assert held(me, bicycle) == {one: "80", two: "70"}
    assert me.delete(f"/accounts/{two}").status_code == 204
    assert held(me, bicycle) == {one: "100"}
    undone(me)
    assert held(me, bicycle) == {one: "80", two: "70"}


def test_what_is_wrong_with_an_account_is_named_at_that_account(me, banks):
    one, two, three = banks
    dollars = an_account(me, "Dollars", currency_code="USD")
    saving(me, three, name="Car", current_amount="400")

    assert refused(me, None).keys() == {"account_id"}
    assert refused(me, None, accounts=shares(one, dollars, one, "999")).keys() == {
        "accounts.1.account_id", "accounts.2.account_id", "accounts.3.account_id",
    }  # fmt: skip
    assert refused(me, two, accounts=shares(one, two)).keys() == {"account_id"}
    assert refused(me, one, accounts=[{}, {"account_id": one, "current_amount": "-1"}]).keys() == {
        "accounts.0.account_id", "accounts.1.current_amount",
    }  # fmt: skip
    assert refused(me, None, accounts=shares(**{f"_{one}": "300", f"_{two}": "301"})).keys() == {
        "accounts.0.current_amount"
    }
    too_much = refused(me, None, accounts=shares(one, **{f"_{three}": "600.01"}), target_amount="1000")
    assert too_much == {
        "accounts.1.current_amount": ["The account “Three” holds only 600.00 EUR that is not yet set aside."]
    }
    assert refused(me, one, current_amount="6", accounts=shares(**{f"_{one}": "5"})).keys() == {"current_amount"}
    assert refused(me, one, accounts=[1]).keys() == {"accounts.0"}


def test_version_6_sends_and_shows_the_same_accounts(me, banks):
    one, two, three = banks
    bicycle = on_two(me, one, two)
    path = f"/piggy-banks/{bicycle}"

    def listed(**body):
        answer = me.v6.put(path, body) if body else me.v6.get(path)
        assert answer.status_code == 200, answer.text
        return [(of["account_id"], of["current_amount"]) for of in answer.json()["data"]["attributes"]["accounts"]]

    assert listed() == [(one, "100.00"), (two, "50.00")]
    assert listed(accounts=[{"account_id": two}, {"id": one, "current_amount": "1"}, {"id": three}]) == [
        (two, "50.00"), (one, "1.00"), (three, "0.00"),
    ]  # fmt: skip
    assert listed(name="Boat", current_amount="10") == [(two, "9.00"), (one, "1.00"), (three, "0.00")]
    assert listed(accounts=[{"id": one}], current_amount="10") == [(one, "10.00")]
    for account in (one, two):
        assert len(me.v6.get(f"/accounts/{account}/piggy-banks").json()["data"]) == (account == one)
    other = me.v6.put(path, {"accounts": [{"id": one}, {"id": one}, {}]})
    assert other.json()["errors"].keys() == {"accounts.1.id", "accounts.2.id"}
