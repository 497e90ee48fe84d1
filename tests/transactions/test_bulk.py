"""How are many transactions recorded at once? All or nothing; or, when asked, each that can be."""

import json

import pytest

from .making import (
    account_named,
    asset,
    balance,
    count_rows,
    deposit,
    errors,
    exact,
    findings,
    listed,
    made,
    split,
    transfer,
    withdrawal,
)

PATH = "/transactions/bulk"
MOST = "92233720368547758.07"


def sent(client, *bodies, query="", **fields):
    return client.post(f"{PATH}{query}", {"transactions": list(bodies), **fields})


def results(response):
    assert response.status_code == 200, response.text
    return exact(response)["data"]


def wrong(account_id):
    return withdrawal(account_id, "x", date="2024-02-30")


class TestAllOrNothing:
    def test_each_gets_a_result_with_its_splits_in_the_order_sent(self, world, me):
        checking, savings = made(me, asset()), made(me, asset(name="Savings"))
        both = withdrawal(checking) | {
            "transactions": [split(source_id=checking, description=text) for text in ("one", "two")]
        }

        response = sent(me, deposit(checking, date="2024-05-20"), both, transfer(checking, savings))

        found = results(response)
        assert [(one["index"], one["status"], len(one["data"])) for one in found] == [
            ("0", 200, 1), ("1", 200, 2), ("2", 200, 1),
        ]  # fmt: skip
        assert [one["data"][0]["attributes"]["type"] for one in found] == ["Deposit", "Withdrawal", "Transfer"]
        assert response.json()["meta"] == {"recorded": 3, "failed": 0, "dry_run": False}
        for one in found:
            assert exact(me.get(f"/transactions/{one['data'][0]['id']}"))["data"] == one["data"]
        assert balance(me, checking) == "-37.5"
        assert findings(world, me) == []

    def test_one_that_is_wrong_stops_all_and_every_problem_is_told(self, me):
        checking = made(me, asset())

        problems = errors(sent(me, withdrawal(checking), wrong(checking), withdrawal(999_999), {}))

        assert list(problems) == [
            "transactions.1.date",
            "transactions.1.transactions.0.amount",
            "transactions.2.transactions.0.source_id",
            "transactions.3.date",
            "transactions.3.type",
            "transactions.3.transactions",
            "transactions.3.description",
        ]
        key = "transactions.2.transactions.0.source_id"
        assert problems[key] == [f"The selected {key} is invalid: there is no such account."]
        assert listed(me) == []
        assert account_named(me, "Grocer") == []

    def test_one_that_overflows_stops_all_and_is_named(self, world, me):
        checking = made(me, asset())
        few = [deposit(checking, "1") for _ in range(5)]

        problems = errors(sent(me, *few, deposit(checking, MOST), *few))

        assert list(problems) == ["transactions.5.transactions.0.amount"]
        assert listed(me) == []
        assert balance(me, checking) == "0"
        assert account_named(me, "Work") == []
        assert findings(world, me) == []

    def test_a_new_name_is_made_once_for_all(self, world, me):
        checking = made(me, asset())
        bodies = []
        for name in ("Baker", "BAKER", "baker"):
            body = withdrawal(checking, tags=[name])
            body["transactions"][0] |= {"destination_name": name, "category_name": name, "budget_name": name}
            bodies.append(body)

        found = results(sent(me, *bodies))

        seen = [one["data"][0]["attributes"] for one in found]
        named = ("destination_name", "category_name", "budget_name", "tags")
        assert {one[name] for one in seen for name in named} == {"Baker"}
        assert [count_rows(world, me, table) for table in ("categories", "budgets", "tags")] == [1, 1, 1]

    def test_a_thousand_at_once_are_one_unit_of_work(self, world, me):
        checking = made(me, asset())
        body = {"transactions": [realistic(checking, number) for number in range(1000)]}
        assert len(json.dumps(body)) < 1024**2, "half of the largest body that is accepted by default"
        with world.books.reading() as db:
            before = db.value("SELECT revision FROM users WHERE id = :id", id=me.user.id)

        # Without the check against OpenAPI, which is slow for an answer of this size.
        headers = {"Authorization": f"Bearer {me.token}"}
        response = me.http.post(f"/api/v1{PATH}", json=body, headers=headers)

        assert response.json()["meta"] == {"recorded": 1000, "failed": 0, "dry_run": False}
        assert count_rows(world, me, "entries") == 1000
        assert len(listed(me, "/accounts", type="expense", limit=1000)) == 60
        with world.books.reading() as db:
            assert db.value("SELECT revision FROM users WHERE id = :id", id=me.user.id) == before + 1
        assert findings(world, me) == []


def realistic(account_id, number):
    return {
        "type": "withdrawal",
        "date": f"2023-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "description": f"Card payment 4711-{number:06} at the counter of a shop in town",
        "notes": "REF 20230401/77120/000123456789 CARD 1234 XXXX XXXX 5678 TERMINAL 99887766, auth 55AA3F",
        "internal_reference": f"bank-2023-{number:08}",
        "tags": "card,imported",
        "book_date": "2023-04-03",
        "process_date": "2023-04-04",
        "transactions": [
            {
                "amount": f"{number % 90 + 1}.{number % 100:02}",
                "currency_code": "EUR",
                "source_id": account_id,
                "destination_name": f"Supermarket number {number % 60} of the town",
                "category_name": f"Category {number % 12}",
                "budget_name": "Household",
                "foreign_amount": "12.34",
                "foreign_currency_code": "USD",
            }
        ],
    }


class TestTheWholeBody:
    @pytest.mark.any_database
    @pytest.mark.parametrize("body", [None, {}, {"transactions": []}, {"transactions": None}, {"transactions": [None]}])
    def test_at_least_one_is_needed(self, me, body):
        assert errors(me.post(PATH, body)) == {
            "transactions": ["The transactions field is required: send at least one."]
        }

    @pytest.mark.parametrize("many", [1001, 20_000])
    def test_a_thousand_is_the_most(self, me, many):
        assert errors(me.post(PATH, {"transactions": [{}] * many})) == {
            "transactions": ["The transactions may not have more than 1000 items."]
        }

    @pytest.mark.parametrize("wrong_list", ["text", 5, {"a": 1}])
    def test_it_is_a_list(self, me, wrong_list):
        assert errors(me.post(PATH, {"transactions": wrong_list})) == {
            "transactions": ["The transactions must be a list."]
        }

    def test_each_is_a_group(self, me):
        assert errors(me.post(PATH, {"transactions": [5]})) == {
            "transactions.0": ["The transactions.0 must be a group of named fields."]
        }

    @pytest.mark.parametrize("flag", ["partial", "dry_run"])
    def test_flags_are_yes_or_no(self, me, flag):
        checking = made(me, asset())

        for response in (
            sent(me, withdrawal(checking), **{flag: "maybe"}),
            sent(me, withdrawal(checking), query=f"?{flag}=maybe"),
        ):
            assert errors(response) == {flag: [f"The {flag.replace('_', ' ')} field must be true or false."]}
        assert listed(me) == []

    def test_a_form_with_brackets_and_gaps_works_and_keys_show_what_was_sent(self, me):
        checking = made(me, asset())

        def form(**fields):
            whole = {"type": "withdrawal", "date": "2024-05-10", "description": "by form"}
            flat = {f"transactions[3][{name}]": value for name, value in whole.items()}
            splits = split(source_id=checking) | fields
            return flat | {f"transactions[3][transactions][7][{name}]": value for name, value in splits.items()}

        right = me.request("POST", PATH, data=form())
        not_right = me.request("POST", PATH, data=form(amount="x", currency_code="???"))

        assert [(one["index"], one["status"]) for one in results(right)] == [("3", 200)]
        assert list(errors(not_right)) == [
            "transactions.3.transactions.7.amount", "transactions.3.transactions.7.currency_code",
        ]  # fmt: skip

    def test_it_is_no_transaction_of_that_name(self, me):
        response = me.get(PATH)

        assert (response.status_code, response.headers["allow"]) == (405, "DELETE, POST, PUT")

    def test_nobody_else_is_meant(self, me, someone_else):
        theirs = made(someone_else, asset())

        assert list(errors(sent(me, withdrawal(theirs)))) == ["transactions.0.transactions.0.source_id"]


class TestPartial:
    @pytest.mark.parametrize("how", [{"partial": True}, {"query": "?partial=1"}, {"partial": 0, "query": "?partial=1"}])
    def test_the_good_ones_are_kept_and_the_others_told(self, world, me, how):
        checking = made(me, asset())

        response = sent(me, withdrawal(checking), wrong(checking), 5, deposit(checking), **how)

        found = results(response)
        assert [(one["index"], one["status"]) for one in found] == [("0", 200), ("1", 422), ("2", 422), ("3", 200)]
        assert [sorted(one) for one in found[:2]] == [["data", "index", "status"], ["errors", "index", "status"]]
        assert list(found[1]["errors"]) == ["transactions.1.date", "transactions.1.transactions.0.amount"]
        assert found[2]["errors"] == {"transactions.2": ["The transactions.2 must be a group of named fields."]}
        assert response.json()["meta"] == {"recorded": 2, "failed": 2, "dry_run": False}
        assert len(listed(me)) == 2
        assert findings(world, me) == []

    def test_those_that_overflow_fail_alone(self, world, me):
        checking, savings = made(me, asset()), made(me, asset(name="Savings"))
        too_much = deposit(checking, MOST)
        too_much["transactions"][0] |= {"source_name": "Only here", "category_name": "Only here"}
        bodies = [deposit(checking, "1"), too_much, deposit(savings, "2"), wrong(checking), too_much, deposit(savings)]

        response = sent(me, *bodies, partial=1)

        assert [one["status"] for one in results(response)] == [200, 422, 200, 422, 422, 200]
        assert list(results(response)[4]["errors"]) == ["transactions.4.transactions.0.amount"]
        assert (balance(me, checking), balance(me, savings)) == ("1", "14.5")
        assert account_named(me, "Only here") == []
        assert count_rows(world, me, "categories") == 0
        assert findings(world, me) == []

    def test_a_name_first_used_by_one_that_fails_is_made_for_the_next(self, world, me):
        checking = made(me, asset())
        bodies = [deposit(checking, "1"), deposit(checking, MOST), deposit(checking, "2")]
        for body in bodies:
            body["transactions"][0]["source_name"] = "Somebody"
        bodies[0]["transactions"][0]["source_name"] = "Somebody else"

        found = results(sent(me, *bodies, partial=1))

        assert [one["status"] for one in found] == [200, 422, 200]
        assert len(account_named(me, "Somebody")) == 1
        assert findings(world, me) == []

    def test_when_none_is_good_nothing_is_kept_and_the_answer_is_still_a_list(self, me):
        response = sent(me, {}, {}, partial=1)

        assert [one["status"] for one in results(response)] == [422, 422]
        assert response.json()["meta"] == {"recorded": 0, "failed": 2, "dry_run": False}

    def test_what_is_wrong_with_the_whole_stops_all(self, me):
        checking = made(me, asset())

        assert list(errors(sent(me, withdrawal(checking), {}, partial=1, dry_run="x"))) == [
            "dry_run",
            "transactions.1.date",
            "transactions.1.type",
            "transactions.1.transactions",
            "transactions.1.description",
        ]
        assert listed(me) == []


class TestDryRun:
    @pytest.mark.parametrize("how", [{"dry_run": True}, {"query": "?dry_run=true"}])
    def test_everything_is_answered_and_nothing_is_kept(self, world, me, how):
        checking = made(me, asset())
        body = withdrawal(checking, tags="new")
        body["transactions"][0]["category_name"] = "New"
        tables = ("entries", "splits", "categories", "tags", "accounts", "changes", "words", "mentions")
        before = {table: count_rows(world, me, table) for table in tables}

        response = sent(me, body, body, **how)

        assert [one["status"] for one in results(response)] == [200, 200]
        assert results(response)[0]["data"][0]["attributes"]["category_name"] == "New"
        assert response.json()["meta"] == {"recorded": 2, "failed": 0, "dry_run": True}
        assert {table: count_rows(world, me, table) for table in tables} == before
        assert balance(me, checking) == "0"
        assert findings(world, me) == []

    def test_problems_are_told_as_they_would_be(self, me):
        checking = made(me, asset())

        assert list(errors(sent(me, deposit(checking, MOST), deposit(checking, "1"), dry_run=1))) == [
            "transactions.1.transactions.0.amount"
        ]

    def test_together_with_partial(self, world, me):
        checking = made(me, asset())

        response = sent(me, deposit(checking, MOST), deposit(checking, "1"), wrong(checking), dry_run=1, partial=1)

        assert [one["status"] for one in results(response)] == [200, 422, 422]
        assert response.json()["meta"] == {"recorded": 1, "failed": 2, "dry_run": True}
        assert listed(me) == []
        assert findings(world, me) == []

    def test_it_can_be_done_in_earnest_afterwards(self, me):
        checking = made(me, asset())

        sent(me, deposit(checking), dry_run=1)
        sent(me, deposit(checking))

        assert balance(me, checking) == "12.5"
