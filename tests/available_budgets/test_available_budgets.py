"""Available budgets: every field, rule and shape."""

from typing import Any

import pytest

from ..accounts.making import asset, errors, made
from ..conftest import Client

MAY = {"transaction_currency_id": 1, "amount": "1500", "start_date": "2024-05-01", "end_date": "2024-05-31"}


def stored(client: Client, **fields: Any) -> dict[str, Any]:
    response = client.post("/available_budgets", {**MAY, **fields})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["data"]
    return found


def refused(client: Client, **fields: Any) -> dict[str, list[str]]:
    return errors(client.post("/available_budgets", {**MAY, **fields}))


def test_it_shows_what_was_sent(me: Client) -> None:
    thing = stored(me)

    shown = thing["attributes"]
    assert (shown["start_date"], shown["end_date"], shown["amount"]) == ("2024-05-01", "2024-05-31", 1500)
    assert thing["type"] == "available_budgets"
    assert thing["links"]["0"] == {"rel": "self", "uri": f"/available_budgets/{thing['id']}"}


def test_the_currency_comes_along_on_show_and_in_lists(me: Client) -> None:
    kept = stored(me, transaction_currency_id=16)

    for path in (f"/available_budgets/{kept['id']}", "/available_budgets"):
        response = me.get(path).json()
        thing = response["data"][0] if isinstance(response["data"], list) else response["data"]
        assert thing["relationships"]["transaction_currency"]["data"] == {"type": "transaction_currencies", "id": "16"}
        [currency] = response["included"]
        assert (currency["type"], currency["attributes"]["code"]) == ("transaction_currencies", "JPY")
        assert currency["attributes"]["default"] is False


def test_the_user_comes_along_when_asked(me: Client) -> None:
    kept = stored(me)

    included = me.get(f"/available_budgets/{kept['id']}", include="user").json()["included"]

    assert {one["type"] for one in included} == {"users", "transaction_currencies"}


def test_everything_is_required(me: Client) -> None:
    found = errors(me.post("/available_budgets", {}))

    assert found.keys() == {"transaction_currency_id", "amount", "start_date", "end_date"}


@pytest.mark.any_database
@pytest.mark.parametrize("amount", [0, -1, "0", "x", "1,50", "1.234", "1e3"])
def test_the_amount_is_above_zero_and_fits_the_currency(me: Client, amount: Any) -> None:
    assert refused(me, amount=amount).keys() == {"amount"}


def test_the_currency_must_exist(me: Client) -> None:
    assert refused(me, transaction_currency_id=999_999).keys() == {"transaction_currency_id"}


def test_one_day_is_a_period_but_not_a_backward_one(me: Client) -> None:
    assert stored(me, end_date="2024-05-01")
    assert refused(me, end_date="2024-04-30").keys() == {"start_date", "end_date"}


def test_both_links_of_its_currency_lead_there(me: Client) -> None:
    [currency] = me.get(f"/available_budgets/{stored(me)['id']}").json()["included"]
    links = currency["links"]

    own = links["self"].partition("/api/v1")[2]
    for path in (own, own.replace("_", "-"), links["0"]["uri"]):
        assert me.get(path).json()["data"]["attributes"]["code"] == currency["attributes"]["code"]


@pytest.mark.any_database
@pytest.mark.parametrize("day", ["2023-02-29", "tomorrow", "31-05-2024", 20240531])
def test_days_must_exist(me: Client, day: Any) -> None:
    assert "end_date" in refused(me, end_date=day)


def test_the_names_of_later_clients_do_as_well(me: Client) -> None:
    for body in (
        {"currency_id": 7, "amount": 1, "start": "2024-05-01", "end": "2024-05-31"},
        {"currency_code": "usd", "amount": 1, "start_date": "2024-05-01", "end_date": "2024-05-31"},
    ):
        response = me.post("/available-budgets", body)
        assert response.json()["data"]["attributes"]["currency_code"] == "USD", response.text


def test_what_is_wrong_has_the_name_that_was_sent(me: Client) -> None:
    body = {"currency_id": 999_999, "amount": 1, "start": "2024-05-01", "end": "2024-04-31"}

    found = errors(me.post("/available_budgets", body))

    assert found.keys() == {"currency_id", "end"}
    assert found["end"][0].startswith("The end is not a valid date")
    assert errors(me.post("/available_budgets", {**body, "end": "2024-04-30"})).keys() == {
        "currency_id",
        "start",
        "end",
    }
    assert errors(me.post("/available_budgets", {"start": "", "end": "x"})).keys() == {
        "transaction_currency_id", "amount", "start_date", "end",
    }  # fmt: skip


def test_making_one_never_overwrites_another(me: Client) -> None:
    assert stored(me)["id"] != stored(me)["id"]
    assert me.get("/available_budgets").json()["meta"]["pagination"]["total"] == 2


def test_an_update_follows_the_rules_of_making_one(me: Client) -> None:
    kept = stored(me)
    address = f"/available_budgets/{kept['id']}"

    assert errors(me.put(address, {"amount": 5})).keys() == {"transaction_currency_id", "start_date", "end_date"}
    changed = me.put(address, {**MAY, "amount": "99.90", "transaction_currency_id": 7}).json()["data"]
    assert (changed["attributes"]["amount"], changed["attributes"]["currency_code"]) == (99.9, "USD")


def test_a_form_works_on_put(me: Client) -> None:
    kept = stored(me)

    response = me.request("PUT", f"/available_budgets/{kept['id']}", data={**MAY, "amount": "7"})

    assert response.json()["data"]["attributes"]["amount"] == 7


def test_deleting_it_deletes_nothing_else(me: Client) -> None:
    checking = made(me, asset())
    kept = stored(me)

    assert me.delete(f"/available_budgets/{kept['id']}").status_code == 204
    assert me.get(f"/available_budgets/{kept['id']}").status_code == 404
    assert me.get(f"/accounts/{checking}").status_code == 200


def test_pages_are_in_the_order_of_ids(me: Client) -> None:
    ids = [stored(me)["id"] for _ in range(3)]

    response = me.get("/available_budgets", limit=2, page=2).json()

    assert [one["id"] for one in response["data"]] == ids[2:]
    assert me.get("/available_budgets").json()["links"]["self"].endswith("/available_budgets?&page=1")


def test_a_range_lists_those_wholly_inside_it(me: Client) -> None:
    stored(me)
    june = stored(me, start_date="2024-06-01", end_date="2024-06-30")

    found = me.get("/available_budgets", start="2024-05-15", end="2024-06-30").json()["data"]

    assert [one["id"] for one in found] == [june["id"]]


@pytest.mark.parametrize(
    ("start", "end", "spent"),
    [("2024-05-01", "2024-05-31", 2), ("2024-04-30", "2024-07-15", 6), ("2024-05-02", "2024-07-14", 3),
     ("2024-06-01", "2024-06-30", 1), ("2024-05-01", "2024-06-10", 3), ("2025-01-01", "2025-12-31", 0)],
)  # fmt: skip
def test_what_was_spent_is_summed_over_the_period(me: Client, start: str, end: str, spent: int) -> None:
    checking = made(me, asset())
    spending, earning = {"source_id": checking}, {"destination_id": checking}
    for day in ("2024-04-30", "2024-05-01", "2024-05-31", "2024-06-10", "2024-07-01", "2024-07-15", "2024-07-16"):
        for type_, side, amount in (("withdrawal", spending, 1), ("deposit", earning, 5)):
            split = {"amount": amount, "currency_code": "EUR", **side}
            me.post("/transactions", {"type": type_, "date": day, "description": "x", "transactions": [split]})

    assert stored(me, start_date=start, end_date=end)["attributes"]["spent"] == spent
