"""Refunds: deposits that lower what was spent under their category and budget, and are counted as deposits."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ..changes.test_undo import undone
from ..length import examples
from ..transactions.making import a_transaction, balance, deposit, findings, listed, posted_one, refused, split, total
from .making import BUDGET, CATEGORY, amounts, asset, errors, made, named, recorded, withdrawn

_MAY = {"start": "2024-05-01", "end": "2024-05-31"}


def refund(account_id, amount="4", on="2024-05-12", **fields):
    one = split(
        destination_id=account_id, amount=amount, source_name="Grocer", category_name="Food", budget_name="Daily"
    )
    return a_transaction("deposit", {**one, "refund": True, **fields}, date=on)


@pytest.fixture
def bought(me):
    """The id of an account from which something was bought for 10."""
    checking = made(me, asset())
    recorded(me, BUDGET.on(CATEGORY.on(withdrawn(checking, "10"), "Food"), "Daily"))
    return checking


def test_a_refund_lowers_what_was_spent_and_is_listed_with_the_deposits(world, me, bought):
    given_back = posted_one(me, refund(bought))

    assert (given_back["refund"], given_back["budget_name"]) == (True, "Daily")
    for kind in (CATEGORY, BUDGET):
        found = named(me, kind, "Food" if kind is CATEGORY else "Daily")
        assert (amounts(found["spent"]), amounts(found.get("earned", []))) == ({"EUR": "6"}, {})
        assert found["transactions_count"] == 2
    category = named(me, CATEGORY, "Food")["id"]
    assert total(me, f"/categories/{category}/transactions", type="deposit") == 1
    summary = {one["key"]: one["monetary_value"] for one in me.get("/summary/basic", **_MAY).json()}
    assert (summary["spent-in-EUR"], summary["earned-in-EUR"]) == (-6, 0)
    assert balance(me, bought) == "-6"
    assert findings(world, me) == []


def test_a_deposit_that_is_no_refund_has_no_budget(me, bought):
    plain = posted_one(me, refund(bought, refund=False))

    assert (plain["refund"], plain["budget_id"]) == (False, None)
    assert amounts(named(me, CATEGORY, "Food")["earned"]) == {"EUR": "4"}


def test_only_a_deposit_can_be_a_refund(me, bought):
    wrong = withdrawn(bought)
    wrong["transactions"][0]["refund"] = True

    assert refused(me, wrong) == {"transactions.0.refund": ["Only a deposit can be a refund."]}
    assert list(refused(me, refund(bought, refund="perhaps"))) == ["transactions.0.refund"]
    bulk = me.post("/transactions/bulk", {"transactions": [refund(bought), wrong]})
    assert list(errors(bulk)) == ["transactions.1.transactions.0.refund"]


def test_a_refund_stays_one_until_a_change_says_otherwise(world, me, bought):
    path = f"/transactions/{posted_one(me, refund(bought))['id']}"

    def put(**fields):
        body = refund(bought, "5", **fields)
        body["transactions"][0] = {
            name: value for name, value in body["transactions"][0].items() if name != "refund" or name in fields
        }
        return me.put(path, body).json()["data"][0]["attributes"]

    assert put()["refund"] is True
    assert amounts(named(me, BUDGET, "Daily")["spent"]) == {"EUR": "5"}
    assert (put(refund=None)["refund"], put()["budget_id"]) == (False, None)
    assert amounts(named(me, BUDGET, "Daily")["spent"]) == {"EUR": "10"}
    assert put(refund=True)["budget_name"] == "Daily"
    assert findings(world, me) == []


def test_many_refunds_get_a_budget_at_once_and_plain_deposits_do_not(me, bought):
    back, plain = posted_one(me, refund(bought))["id"], posted_one(me, deposit(bought))["id"]

    assert me.put("/transactions/bulk", {"ids": [back], "budget_name": "Fun"}).status_code == 200
    assert amounts(named(me, BUDGET, "Fun")["spent"]) == {"EUR": "-4"}
    assert list(errors(me.put("/transactions/bulk", {"ids": [plain], "budget_name": "Fun"}))) == ["ids.0"]


# Everything that can happen to the sums, against a model that knows nothing of how they are kept.
_TYPES = {"withdrawal": 1, "deposit": 2, "transfer": 3}
_steps = st.lists(
    st.fixed_dictionaries(
        {
            "do": st.sampled_from(["post", "post", "post", "put", "delete", "undo", "count"]),
            "which": st.integers(0, 50),
            "type": st.sampled_from(["withdrawal", "deposit", "deposit", "transfer"]),
            "refund": st.booleans(),
            "day": st.integers(0, 60),
            "own": st.integers(0, 1),
            "units": st.integers(1, 99_999),
            "category": st.sampled_from([None, "Food", "Fun"]),
            "budget": st.sampled_from([None, "Daily"]),
            "tag": st.sampled_from([None, "weekend"]),
        }
    ),
    min_size=4,
    max_size=14,
)


class Model:
    """The accounts, whether each counts in the net worth, and the transactions, as they were sent; and how it was."""

    def __init__(self, accounts):
        self.counting = dict.fromkeys(accounts, True)
        self.sent = {}
        self.before = []

    def remember(self):
        self.before.append((dict(self.counting), dict(self.sent)))

    def body(self, step):
        own, other = list(self.counting)[step["own"]], list(self.counting)[1 - step["own"]]
        sides = {
            "withdrawal": {"source_id": own, "destination_name": "Shop"},
            "deposit": {"source_name": "Shop", "destination_id": own},
            "transfer": {"source_id": own, "destination_id": other},
        }[step["type"]]
        one = split(
            amount=f"{step['units'] / 100:.2f}",
            category_name=step["category"],
            budget_name=step["budget"],
            refund=step["refund"] and step["type"] == "deposit",
            **sides,
        )
        on = (date(2024, 1, 15) + timedelta(days=step["day"])).isoformat()
        return a_transaction(step["type"], one, date=on, tags=[step["tag"]] if step["tag"] else [])

    def sums(self):
        """By table, label, type, grain and period: units and splits."""
        found = Counter()
        for body in self.sent.values():
            [one], type_ = body["transactions"], _TYPES[body["type"]]
            units = round(float(one["amount"]) * 100)
            counted = 1 if one["refund"] else type_
            moved = {1: units, 2: units, 3: 0}[type_] * (-1 if one["refund"] else 1)
            keeps_budget = body["type"] == "withdrawal" or one["refund"]
            sides = [one.get(f"{side}_id") or one.get(f"{side}_name") for side in ("source", "destination")]
            carried = [
                ("flows", ""), *(("accounts", side) for side in sides), ("categories", one["category_name"]),
                ("budgets", one["budget_name"] if keeps_budget else None), *(("tags", tag) for tag in body["tags"]),
            ]  # fmt: skip
            worth = units * (self.counting.get(sides[1], False) - self.counting.get(sides[0], False))
            for period in ("", body["date"][:7], body["date"]):
                for table, name in carried:
                    if name is not None:
                        found[table, name, counted, period, "units"] += moved
                        found[table, name, type_, period, "splits"] += table != "flows"
                found["net_worth", "", 0, period, "units"] += worth
        return {key: figure for key, figure in found.items() if figure}


def _stored(world, me):
    """The same, as it is kept."""
    found = Counter()
    with world.books.reading() as db:
        for table in ("accounts", "categories", "budgets", "tags"):
            rows = db.all(
                f"""
                SELECT l.id, l.name, s.type, s.period, s.units, s.splits FROM sums_of_{table} s
                JOIN {table} l ON l.user_id = s.user_id AND l.id = s.label_id WHERE s.user_id = :id
                """,
                id=me.user.id,
            )
            for label_id, name, type_, period, units, splits in rows:
                key = (table, str(label_id) if name in ("Checking", "Savings") else name, type_, period)
                found[(*key, "units")] += units
                found[(*key, "splits")] += splits
        for sql in ("'flows', type, period, units FROM flows", "'net_worth', 0, period, units FROM net_worth"):
            for table, type_, period, units in db.all(f"SELECT {sql} WHERE user_id = :id", id=me.user.id):
                found[table, "", type_, period, "units"] = units
    return {key: figure for key, figure in found.items() if figure}


def _take(me, model, step):
    """If there is something to do it to."""
    chosen = sorted(model.sent)[step["which"] % len(model.sent)] if model.sent else None
    match step["do"]:
        case "undo" if model.before:
            undone(me)
            then = model.before.pop()
            model.remember()  # to undo the undo
            model.counting, model.sent = then
        case "post":
            model.remember()
            body = model.body(step)
            model.sent[posted_one(me, body)["journal_id"]] = body
        case "put" | "delete" if chosen:
            model.remember()
            path = f"/transactions/{_split_of(me, chosen)}"
            if step["do"] == "delete":
                assert me.delete(path).status_code == 204
                del model.sent[chosen]
            else:
                model.sent[chosen] = body = model.body({**step, "type": model.sent[chosen]["type"]})
                assert me.put(path, body).status_code == 200
        case "count":
            model.remember()
            account_id = list(model.counting)[step["own"]]
            model.counting[account_id] = not model.counting[account_id]
            name = "Checking" if step["own"] == 0 else "Savings"
            body = asset(name=name, include_net_worth=model.counting[account_id])
            assert me.put(f"/accounts/{account_id}", body).status_code == 200


def _split_of(me, journal_id):
    found = listed(me, type="all", limit=1000)
    return next(one["id"] for one in found if one["attributes"]["journal_id"] == journal_id)


@settings(
    max_examples=examples(36),
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=_steps)
def test_all_sums_equal_those_of_a_plain_model_after_anything(world, steps):
    me = world.someone()
    model = Model([made(me, asset()), made(me, asset(name="Savings"))])
    for step in steps:
        _take(me, model, step)

    assert _stored(world, me) == model.sums()
    assert findings(world, me) == []


def test_what_was_deleted_before_there_were_refunds_comes_back(world, me, bought):
    [paid] = listed(me)
    assert me.delete(f"/transactions/{paid['id']}").status_code == 204
    with world.books.writing() as db:  # as the log was then
        db.run("UPDATE changes SET before = replace(before, ',\"refund\":0', '') WHERE user_id = :id", id=me.user.id)

    undone(me)

    assert [one["attributes"]["refund"] for one in listed(me)] == [False]
    assert findings(world, me) == []
