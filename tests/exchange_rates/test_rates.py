"""Exchange rates of a user: every field, rule and shape; lists, imports, undoing."""

from typing import Any

import pytest

from ..accounts.making import asset, errors, exact, made
from ..conftest import Client
from .making import a_rate, told


def test_every_attribute_is_shown(me: Client) -> None:
    document = me.post("/exchange-rates", {"from": "usd", "to": 1, "date": "2024-05-01", "rate": 0.9200}).json()

    thing = document["data"]
    assert thing["type"] == "exchange_rates"
    assert thing["attributes"] == {
        "updated_at": "2024-05-15T12:00:00+00:00",
        "created_at": "2024-05-15T12:00:00+00:00",
        "date": "2024-05-01",
        "rate": 0.92,
        "source": "own",
        "from_currency_id": 7,
        "from_currency_code": "USD",
        "from_currency_name": "US Dollar",
        "from_currency_symbol": "$",
        "from_currency_dp": 2,
        "to_currency_id": 1,
        "to_currency_code": "EUR",
        "to_currency_name": "Euro",
        "to_currency_symbol": "€",
        "to_currency_dp": 2,
    }
    assert me.get(f"/exchange_rates/{thing['id']}").json() == document


def test_a_rate_is_exact(me: Client) -> None:
    rate_id = a_rate(me, rate="0.00000000000000000123")

    assert '"rate":0.00000000000000000123,' in me.get(f"/exchange_rates/{rate_id}").text


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"rate": 0}, {"rate": "The rate must be more than zero."}),
        ({"rate": "1.083,4"}, {"rate": "The rate must be a number, written like 1234.56."}),
        ({"rate": "1000000000000001"}, {"rate": "The rate must be more than zero, and at most 1000000000000000."}),
        ({"rate": "0." + "1" * 21}, {"rate": "The rate may have at most 20 decimal places."}),
        ({"date": "May"}, {"date": "The date is not a valid date: write it as YYYY-MM-DD."}),
        ({"from": "XXY"}, {"from": "The selected from is invalid: there is no such currency."}),
        ({"to": 99999}, {"to": "The selected to is invalid: there is no such currency."}),
        ({"to": "USD"}, {"to": "A rate needs two different currencies, but both are USD."}),
        ({"rate": None, "date": ""}, {"rate": "The rate field is required.", "date": "The date field is required."}),
    ],
)
def test_invalid_fields_are_reported_all_at_once(me: Client, fields: dict[str, Any], wrong: dict[str, str]) -> None:
    body = {"from": "USD", "to": "EUR", "date": "2024-05-01", "rate": "0.92", **fields}

    assert errors(me.post("/exchange_rates", body)) == {field: [sentence] for field, sentence in wrong.items()}


def test_both_currencies_are_required(me: Client) -> None:
    assert errors(me.post("/exchange_rates", {})).keys() == {
        *("from_currency_id", "from_currency_code", "to_currency_id", "to_currency_code", "date", "rate")
    }


def test_a_pair_has_one_rate_a_day_which_a_put_changes(me: Client) -> None:
    first, second = a_rate(me), a_rate(me, on="2024-05-02")
    body = {"from_currency_code": "USD", "to_currency_id": 1, "date": "2024-05-01", "rate": "0.93"}

    refused = errors(me.post("/exchange_rates", body))
    moved = errors(me.put(f"/exchange_rates/{second}", {"date": "2024-05-01"}))
    changed = me.put(f"/exchange_rates/{first}", {"rate": "0.93"}).json()["data"]["attributes"]

    sentence = f"There is already a rate of USD in EUR on 2024-05-01. Change rate {first} instead."
    assert refused == moved == {"date": [sentence]}
    assert (changed["rate"], changed["date"], changed["from_currency_code"]) == (0.93, "2024-05-01", "USD")


def test_a_list_can_be_filtered_and_begins_with_the_newest(me: Client) -> None:
    for source, target, on in (("USD", "EUR", "01"), ("USD", "EUR", "02"), ("EUR", "JPY", "03")):
        a_rate(me, source, target, f"2024-05-{on}")

    assert [one[:18] for one in told(me)] == ["2024-05-03 EUR JPY", "2024-05-02 USD EUR", "2024-05-01 USD EUR"]
    assert len(told(me, **{"from": "usd"})) == len(told(me, to="1")) == 2
    assert told(me, start="2024-05-02", end="2024-05-02") == ["2024-05-02 USD EUR 0.92"]
    assert errors(me.get("/exchange_rates", to="XXY")).keys() == {"to"}
    page = me.get("/exchange_rates", limit=1, to="EUR").json()
    assert page["meta"]["pagination"]["total"] == 2
    assert page["links"]["next"].endswith("?to=EUR&limit=1&page=2")


def test_deleting_and_changing_can_be_undone(me: Client) -> None:
    rate_id = a_rate(me)
    me.put(f"/exchange_rates/{rate_id}", {"rate": "1.5"})
    me.delete(f"/exchange_rates/{rate_id}")

    for expected in ("2024-05-01 USD EUR 1.5", "2024-05-01 USD EUR 0.92"):
        changes = me.get("/changes").json()["data"]
        last = next(one for one in changes if not one["attributes"]["undone_by"] and not one["attributes"]["undoes"])
        assert me.post(f"/changes/{last['id']}/undo").status_code == 200
        assert told(me) == [expected]
    a_rate(me, on="2024-05-03")
    newest = me.get("/changes").json()["data"][0]["attributes"]
    assert newest["summary"] == "Made 1 exchange rate"
    assert newest["names"] == ["USD in EUR on 2024-05-03"]


CSV = "Date;From;To;Rate\n2024-05-01;USD;EUR;0,92\n\n2024-05-02;usd;eur;0,93\n"


@pytest.mark.parametrize(
    "sent",
    [
        {"json": {"file": CSV}},
        {"content": CSV, "headers": {"Content-Type": "text/csv; charset=utf-8"}},
        {"files": {"file": ("rates.csv", CSV.encode("utf-8-sig"))}},
        {"json": {"file": "2024-05-01,USD,EUR,0.92\r\n2024-05-02,USD,EUR,0.93"}},
        {"json": {"file": "rate\tto\tfrom\tday\n0.92\tEUR\tUSD\t2024-05-01\n0.93\tEUR\tUSD\t2024-05-02\n"}},
    ],
)
def test_a_file_is_imported_however_it_is_sent(me: Client, sent: dict[str, Any]) -> None:
    answer = me.request("POST", "/exchange_rates/import", **sent)

    assert answer.json()["data"] == {"created": 2, "changed": 0, "unchanged": 0}, answer.text
    assert told(me) == ["2024-05-02 USD EUR 0.93", "2024-05-01 USD EUR 0.92"]


def test_an_import_replaces_rates_of_the_same_day_and_is_one_change(me: Client) -> None:
    a_rate(me)
    a_rate(me, on="2024-05-02", rate="0.5")

    answer = me.post("/exchange_rates/import", {"file": f"{CSV}2024-05-03;USD;EUR;0,94"})

    assert answer.json()["data"] == {"created": 1, "changed": 1, "unchanged": 1}
    assert told(me)[0] == "2024-05-03 USD EUR 0.94"
    me.post(f"/changes/{me.get('/changes').json()['data'][0]['id']}/undo")
    assert told(me) == ["2024-05-02 USD EUR 0.5", "2024-05-01 USD EUR 0.92"]


def test_an_import_is_all_or_nothing_and_says_which_rows_are_wrong(me: Client) -> None:
    rows = ["date,from,to,rate", "2024-05-01,USD,EUR,0.92", "31.5.2024,USD,EUR,x", "2024-05-03,Dollar,EUR,0"]
    again = ["2024-05-01,USD,EUR,0.92", "2024-05-01,USD,EUR,0.93", "2024-05-01,QQQ,EUR,1", "2024-05-02,EUR,EUR,1"]

    assert errors(me.post("/exchange_rates/import", {"file": "\n".join(rows)})) == {
        "rows.3.date": ["Row 3: the date must be written like 2024-05-31, not '31.5.2024'."],
        "rows.3.rate": ["Row 3: the rate must be a number like 1.0834, not 'x'."],
        "rows.4.from": ["Row 4: from must be the three letters of a currency, not 'Dollar'."],
        "rows.4.rate": ["Row 4: the rate must be more than zero, and at most 1000000000000000."],
    }
    assert errors(me.post("/exchange_rates/import", {"file": "\n".join(again)})) == {
        "rows.2.rate": ["Row 2: an earlier row has a different rate of USD in EUR on 2024-05-01."],
        "rows.3.from": ["Row 3: there is no currency QQQ."],
        "rows.4.to": ["Row 4: a rate needs two currencies, not EUR twice."],
    }
    for file in ("", "date,from,to,rate\n", "a,b\n1,2", '"'):
        assert errors(me.post("/exchange_rates/import", {"file": file})).keys() == {"file"}, file
    assert told(me) == []


def test_an_amount_is_converted_with_the_day_of_the_rate(me: Client) -> None:
    a_rate(me, "EUR", "USD", "2024-05-02", "1.25")
    a_rate(me, "EUR", "JPY", "2024-05-01", "160")
    asked = {"amount": "12.50", "from": "usd"}

    assert (
        exact(me.get("/exchange_rates/convert", **asked))["data"]
        == exact(me.get("/exchange_rates/convert", **asked, to="EUR"))["data"]
    )
    own = me.get("/exchange_rates/convert", **asked).json()["data"]
    assert (own["converted"], own["rate"], own["rate_date"], own["via_currency_code"]) == (10, 0.8, "2024-05-02", None)
    yen = me.get("/exchange_rates/convert", **asked, to="JPY").json()["data"]
    assert (yen["converted"], yen["rate"], yen["rate_date"], yen["via_currency_code"]) == (
        1600,
        128,
        "2024-05-01",
        "EUR",
    )
    early = me.get("/exchange_rates/convert", **asked, date="2024-04-30").json()["data"]
    assert (early["converted"], early["rate"], early["rate_date"]) == (None, None, None)
    for wrong, field in (({"amount": "x"}, "amount"), ({"amount": "1.234"}, "amount"), ({"from": ""}, "from")):
        assert errors(me.get("/exchange_rates/convert", **asked | wrong)).keys() == {field}


def test_the_latest_rates_are_those_of_the_currencies_of_ones_accounts(me: Client) -> None:
    for code in ("EUR", "USD", "JPY"):
        made(me, asset(name=code, currency_code=code))
    a_rate(me)

    found = me.get("/exchange_rates/latest").json()

    assert found["to_currency_code"] == "EUR"
    assert [(one["currency_code"], one["rate"], one["rate_date"]) for one in found["data"]] == [
        ("JPY", None, None),
        ("USD", 0.92, "2024-05-01"),
    ]
