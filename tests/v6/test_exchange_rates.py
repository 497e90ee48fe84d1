"""Exchange rates by id, by pair and by day."""

from ..accounts.making import asset, made
from .test_basics import data

RATES = "/exchange-rates"


def stored(me, rate="1.25", on="2024-05-01", from_="EUR", to="USD"):
    return data(me.v6.post(RATES, {"from": from_, "to": to, "date": on, "rate": rate}))


def rates(answer):
    return [(one["attributes"]["date"][:10], one["attributes"]["rate"]) for one in data(answer)]


def test_a_rate_is_the_same_in_both_versions(me):
    rate = stored(me)

    shown = rate["attributes"]
    assert (shown["rate"], shown["date"]) == ("1.25", "2024-05-01T00:00:00+00:00")
    assert (shown["from_currency_code"], shown["to_currency_decimal_places"]) == ("EUR", 2)
    old = data(me.get(f"/exchange_rates/{rate['id']}"))["attributes"]
    assert (str(old["rate"]), old["date"], str(old["from_currency_id"])) == (
        "1.25", "2024-05-01", shown["from_currency_id"],
    )  # fmt: skip
    changed = data(me.v6.put(f"{RATES}/{rate['id']}", {"rate": "1.5"}))
    assert changed["attributes"] == {**shown, "rate": "1.5"}
    assert me.v6.delete(f"{RATES}/{rate['id']}").status_code == 204
    assert me.get(f"/exchange_rates/{rate['id']}").status_code == 404


def test_a_rate_of_the_same_day_is_replaced(me):
    first = stored(me)

    assert stored(me, rate="1.3")["id"] == first["id"]
    assert rates(me.v6.get(RATES)) == [("2024-05-01", "1.3")]


def test_rates_by_pair_and_day(me):
    for day in ("2024-05-01", "2024-05-02"):
        stored(me, on=day)
    stored(me, from_="USD", to="EUR")

    assert len(rates(me.v6.get(f"{RATES}/eur/USD"))) == 2
    assert rates(me.v6.get(f"{RATES}/EUR/USD/2024-05-02")) == [("2024-05-02", "1.25")]
    assert data(me.v6.put(f"{RATES}/EUR/USD/2024-05-02", {"rate": 1.75}))["attributes"]["rate"] == "1.75"
    assert me.v6.delete(f"{RATES}/EUR/USD/2024-05-02").status_code == 204
    assert me.v6.delete(f"{RATES}/EUR/USD/2024-05-02").status_code == 404
    assert me.v6.delete(f"{RATES}/EUR/USD").status_code == 204
    assert rates(me.v6.get(f"{RATES}/EUR/USD")) == []
    assert len(rates(me.v6.get(f"{RATES}/USD/EUR"))) == 1
    assert me.v6.get(f"{RATES}/EUR/QQQ").status_code == 404


def test_several_rates_at_once(me):
    by_day = me.v6.post(f"{RATES}/by-date/2024-05-01", {"from": "EUR", "rates": {"USD": "1.1", "JPY": 160}})
    by_pair = me.v6.post(f"{RATES}/by-currencies/EUR/USD", {"2024-05-01": "1.2", "2024-05-03": "1.3"})

    assert sorted(rates(by_day)) == [("2024-05-01", "1.1"), ("2024-05-01", "160")]
    assert sorted(rates(by_pair)) == [("2024-05-01", "1.2"), ("2024-05-03", "1.3")]
    assert len(rates(me.v6.get(RATES))) == 3


def test_what_is_wrong_is_named(me):
    wrong = {
        RATES: ({"from": "EUR", "to": "EUR", "rate": "-1"}, {"to", "rate", "date"}),
        f"{RATES}/by-date/2024-05-01": ({"from": "XXY", "rates": {"QQQ": "0"}}, {"from", "rates.QQQ"}),
        f"{RATES}/by-currencies/EUR/USD": ({"soon": "1", "2024-05-01": "x"}, {"soon", "2024-05-01"}),
    }
    for path, (body, fields) in wrong.items():
        refused = me.v6.post(path, body)
        assert (refused.status_code, set(refused.json()["errors"])) == (422, fields)
    assert me.v6.get(RATES).json()["data"] == []
    assert set(me.v6.post(RATES, {}).json()["errors"]) == {"from", "to", "date", "rate"}


def test_amounts_are_converted_at_these_rates(me):
    made(me, asset(currency_code="USD", opening_balance="10", opening_balance_date="2024-05-01"))
    me.v6.post("/preferences", {"name": "convertToPrimary", "data": True})
    stored(me, from_="USD", to="EUR", rate="0.5")

    [line] = me.v6.get("/chart/account/overview", start="2024-05-01", end="2024-05-01").json()

    assert (list(line["entries"].values()), list(line["pc_entries"].values())) == (["10.00"], ["5.00"])
