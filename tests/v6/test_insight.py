"""Insights say what the books say: every sum is held against a model, and against the reports of version 1."""

from collections import defaultdict
from decimal import Decimal

import pytest

from ..accounts.making import asset, made
from ..bills.making import a_bill, paid, stored
from ..conftest import NOW
from ..reports.making import report, some_books
from ..transactions.making import posted, withdrawal

START, END = "2023-02-10", "2024-04-20"
FLOWS = {"expense": "spent", "income": "earned"}
GROUPS = {
    "expense": {"expense": "other", "asset": "own", "budget": "budget", "category": "category", "tag": "tags"},
    "income": {"revenue": "other", "asset": "own", "category": "category", "tag": "tags"},
    "transfer": {"category": "category", "tag": "tags"},
}


@pytest.fixture(scope="module")
def model(shared_world):
    shared_world.time.now = NOW
    return some_books(shared_world.someone(), seed=6)


def asked(model, path, **query):
    answer = model.client.v6.get(f"/insight/{path}", start=START, end=END, **query)
    assert answer.status_code == 200, answer.text
    rows = answer.json()
    for row in rows:
        assert all(isinstance(row[name], str) for name in {*row} if not name.endswith("_float"))
        assert float(row["difference"]) == row["difference_float"] != 0
    assert len({(row.get("id"), row["currency_id"]) for row in rows}) == len(rows)
    return rows


def amount_of(split, flow):
    if flow == "transfer":
        return split.amount if split.type == "transfer" else Decimal(0)
    return -split.spent if flow == "expense" else split.earned


def labels_of(split, name):
    value = getattr(split, name)
    return sorted(value) if name == "tags" else [value] if value else []


def wanted(model, flow, name, passes=lambda _: True):
    """By label and currency; the label is None for what has none, and the empty text for everything."""
    found = defaultdict(Decimal)
    for split in model.splits:
        if START <= split.on <= END and passes(split):
            for label in [""] if not name else labels_of(split, name) or [None]:
                found[label, split.currency] += amount_of(split, flow)
    return {key: amount for key, amount in found.items() if amount}


def given(rows):
    return {(row.get("name", ""), row["currency_code"]): Decimal(row["difference"]) for row in rows}


def only(model, account):
    """The query for one own account, and what passes it."""
    query = {"accounts[]": model.ids["account_id"][account]}
    return query, lambda split: split.own == account or (split.type == "transfer" and split.other == account)


@pytest.mark.parametrize("account", [None, "Checking", "Dollars"])
@pytest.mark.parametrize("flow", GROUPS)
class TestAgainstTheModel:
    def test_groups_and_what_has_no_label(self, model, flow, account):
        query, passes = only(model, account) if account else ({}, lambda _: True)
        for word, name in GROUPS[flow].items():
            expected = wanted(model, flow, name, passes)

            labelled = {key: amount for key, amount in expected.items() if key[0] is not None}
            assert given(asked(model, f"{flow}/{word}", **query)) == labelled, word
            if word in ("budget", "category", "tag"):
                without = {("", code): amount for (label, code), amount in expected.items() if label is None}
                assert given(asked(model, f"{flow}/no-{word}", **query)) == without, word

    def test_totals(self, model, flow, account):
        query, passes = only(model, account) if account else ({}, lambda _: True)

        assert given(asked(model, f"{flow}/total", **query)) == wanted(model, flow, "", passes)


def test_transfers_of_accounts_add_up_to_nothing(model):
    rows = asked_transfers(model)
    brought = {key: Decimal(0) for key in rows}
    for split in model.splits:
        if split.type == "transfer" and START <= split.on <= END:
            brought[split.own, split.currency] -= split.amount

    assert {key: Decimal(row["out"]) for key, row in rows.items()} == brought
    for row in rows.values():
        assert Decimal(row["in"]) + Decimal(row["out"]) == Decimal(row["difference"])
        assert (row["in_float"], row["out_float"]) == (float(row["in"]), float(row["out"]))
    assert {name for name, _ in asked_transfers(model, **{"accounts[]": model.ids["account_id"]["Yen"]})} == {"Yen"}


def asked_transfers(model, **query):
    answer = model.client.v6.get("/insight/transfer/asset", start=START, end=END, **query)
    assert answer.status_code == 200, answer.text
    return {(row["name"], row["currency_code"]): row for row in answer.json()}


@pytest.mark.parametrize(("flow", "word", "by"), [("expense", "expense", "payee"), ("income", "category", "category")])
def test_the_reports_of_version_1_say_the_same(model, flow, word, by):
    old = report(model.client, "breakdown", by=by, type=FLOWS[flow], start=START, end=END, period="range")
    sign = -1 if flow == "expense" else 1

    shown = {
        (row["name"], of["currency_code"]): sign * of["total"]
        for row in old["data"]
        if row["row"] == "label"
        for of in row["amounts"]
    }
    assert given(asked(model, f"{flow}/{word}")) == {key: amount for key, amount in shown.items() if amount}


def test_labels_and_payees_are_chosen_by_id(model):
    ids = model.ids
    some = asked(model, "expense/category", **{"categories[]": ids["category_id"]["Food"]})
    baker = asked(model, "expense/expense", **{"accounts[]": ids["account_id"]["Baker"]})
    both = {"accounts[]": [ids["account_id"]["Baker"], ids["account_id"]["Checking"]]}

    assert {row["name"] for row in some} == {"Food"}
    assert {row["name"] for row in baker} == {"Baker"}
    assert given(asked(model, "expense/expense", **both)) == {
        key: amount
        for key, amount in wanted(model, "expense", "other", lambda split: split.own == "Checking").items()
        if key[0] == "Baker"
    }


def test_bills_are_summed_by_their_payments(me):
    bank = made(me, asset())
    bill = stored(me, a_bill(date="2024-01-01"))
    paid(me, bank, on="2024-03-01")
    paid(me, bank, on="2024-04-01")
    posted(me, withdrawal(bank, "12.30", date="2024-03-02"))
    march = {"start": "2024-03-01", "end": "2024-03-31", "accounts[]": bank}

    rows = me.v6.get("/insight/expense/bill", **march).json()
    others = me.v6.get("/insight/expense/no-bill", **march).json()

    name = bill["attributes"]["name"]
    assert [(row["id"], row["name"], row["difference"]) for row in rows] == [(bill["id"], name, "-800.00")]
    assert [row["difference"] for row in others] == ["-12.30"]


def test_what_is_wrong_is_named(me):
    assert set(me.v6.get("/insight/income/total").json()["errors"]) == {"start", "end"}
    days = {"start": START, "end": END}
    assert set(me.v6.get("/insight/income/total", **days, **{"accounts[]": "x"}).json()["errors"]) == {"accounts"}
    assert set(me.v6.get("/insight/income/total", **days, **{"accounts[]": 99999999}).json()["errors"]) == {"accounts"}
    assert me.v6.get("/insight/expense/tag", **days).json() == []
