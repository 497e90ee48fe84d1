"""The summary is an object by key, with the figures of version 1."""

from ..accounts.making import asset, made
from ..bills.making import a_bill, stored
from ..charts.making import some_books
from ..transactions.making import a_transaction, posted, split

MAY = {"start": "2024-05-01", "end": "2024-05-31"}


def summed(client, **query):
    answer = client.v6.get("/summary/basic", **{**MAY, **query})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def test_an_empty_summary_is_an_object(me):
    assert summed(me) == {}


def test_every_figure_is_that_of_version_1(me):
    some_books(me)
    stored(me, a_bill())

    whole = {"start": "2023-01-01", "end": "2024-12-31"}
    old = {figure["key"]: figure for figure in me.get("/summary/basic", **whole).json()}
    new = summed(me, **whole)

    assert {"balance-in-EUR", "bills-paid-in-EUR", "net-worth-in-USD"} <= new.keys()
    assert new.keys() == old.keys()
    for key, figure in new.items():
        assert figure.pop("no_available_budgets") is True
        assert figure == {**old[key], "currency_id": str(old[key]["currency_id"])}


def test_one_currency_may_be_chosen(me):
    dollars = made(me, asset(name="Dollars", currency_code="USD"))
    five = split(amount="5", currency_code="USD", source_id=dollars, destination_name="Diner")
    posted(me, a_transaction("withdrawal", five, date="2024-05-02"))
    me.post("/available_budgets", {"amount": "5", "currency_code": "USD", "start_date": "2024-05-01",
                                   "end_date": "2024-05-31"})  # fmt: skip

    chosen = summed(me, currency_code="usd")

    assert chosen["spent-in-USD"]["monetary_value"] == -5
    assert chosen["spent-in-USD"]["no_available_budgets"] is False
    assert all(figure["currency_code"] == "USD" for figure in chosen.values())
    assert summed(me, currency_code="JPY") == {}
    assert set(me.v6.get("/summary/basic", **MAY, currency_code="QQQ").json()["errors"]) == {"currency_code"}
