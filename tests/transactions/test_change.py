"""What does changing or deleting a transaction do? It acts on the whole entry; splits are matched by position."""

from datetime import UTC, datetime

import pytest

from .making import (
    a_transaction,
    asset,
    balance,
    count_rows,
    deposit,
    errors,
    exact,
    findings,
    listed,
    made,
    posted,
    posted_one,
    shown,
    split,
    transfer,
    withdrawal,
)

LATER = datetime(2024, 5, 15, 13, 0, tzinfo=UTC)


def changed(client, split_id, body):
    response = client.put(f"/transactions/{split_id}", body)
    assert response.status_code == 200, response.text
    return list(exact(response)["data"])


def market(account_id, *texts, **fields):
    splits = [split(source_id=account_id, amount=place + 1, description=text) for place, text in enumerate(texts)]
    return a_transaction("withdrawal", *splits, description="Market", **fields)


def test_splits_keep_their_ids_by_position(world, me):
    checking = made(me, asset())
    before = posted(me, market(checking, "bread", "milk", "eggs"))
    world.time.now = LATER

    after = changed(me, before[1]["id"], market(checking, "rolls", "cream", "honey"))

    assert [one["id"] for one in after] == [one["id"] for one in before]
    assert [one["attributes"]["transaction_description"] for one in after] == ["rolls", "cream", "honey"]
    seen = after[0]["attributes"]
    assert seen["journal_id"] == before[0]["attributes"]["journal_id"]
    assert (seen["created_at"], seen["updated_at"]) == ("2024-05-15T12:00:00+00:00", "2024-05-15T13:00:00+00:00")


def test_splits_that_are_not_sent_are_removed(world, me):
    checking = made(me, asset())
    before = [one["id"] for one in posted(me, market(checking, "bread", "milk", "eggs"))]

    after = [one["id"] for one in changed(me, before[2], market(checking, "bread"))]

    assert after == before[:1]
    assert me.get(f"/transactions/{before[2]}").status_code == 404
    assert balance(me, checking) == "-1"
    assert findings(world, me) == []


def test_extra_splits_are_made(world, me):
    checking = made(me, asset())
    before = [one["id"] for one in posted(me, market(checking, "bread"))]

    after = [one["id"] for one in changed(me, before[0], market(checking, "bread", "milk"))]

    assert after[0] == before[0]
    assert len(after) == 2
    assert balance(me, checking) == "-3"
    assert findings(world, me) == []


def test_positions_count_whatever_the_indexes_of_a_form(me):
    checking = made(me, asset())
    before = [one["id"] for one in posted(me, market(checking, "bread", "milk"))]
    form = {"date": "2024-05-11", "description": "Market"}
    for index, text in ((5, "rolls"), (9, "cream")):
        fields = split(source_id=checking, description=text)
        form |= {f"transactions[{index}][{name}]": value for name, value in fields.items()}

    after = me.request("PUT", f"/transactions/{before[0]}", data=form).json()["data"]

    assert [one["id"] for one in after] == before
    assert [one["attributes"]["transaction_description"] for one in after] == ["rolls", "cream"]


def test_what_is_left_out_is_blanked(me):
    checking = made(me, asset())
    body = withdrawal(checking, notes="n", tags="a,b", internal_reference="r", due_date="2024-06-01")
    body["transactions"][0] |= {"category_name": "Food", "budget_name": "Home", "reconciled": True}
    before = posted_one(me, body)

    [after] = changed(me, before["id"], withdrawal(checking))

    seen = after["attributes"]
    for name in ("notes", "tags", "internal_reference", "due_date", "category_id", "budget_id"):
        assert (before[name] is None, seen[name]) == (False, None)
    assert (before["reconciled"], seen["reconciled"]) == (True, False)


def test_balances_follow_a_new_day_amount_and_account(world, me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    one = posted_one(me, withdrawal(checking, "10", date="2024-05-01"))["id"]

    changed(me, one, withdrawal(savings, "7", date="2024-05-03"))

    assert balance(me, checking) == "0"
    assert [balance(me, savings, date=day) for day in ("2024-05-02", "2024-05-03")] == ["0", "-7"]
    assert findings(world, me) == []


def test_the_same_again_changes_nothing_but_the_time(world, me):
    checking = made(me, asset())
    before = posted(me, market(checking, "bread", "milk", tags="a,b"))
    world.time.now = LATER

    after = changed(me, before[0]["id"], market(checking, "bread", "milk", tags="a,b"))

    for one in (*before, *after):
        del one["attributes"]["updated_at"]
    assert after == before
    assert findings(world, me) == []


class TestTheType:
    @pytest.mark.parametrize("repeated", ["withdrawal", "Withdrawal", " withdrawal ", "", None])
    def test_may_be_repeated_or_left_out(self, me, repeated):
        checking = made(me, asset())
        one = posted_one(me, withdrawal(checking))["id"]

        assert changed(me, one, withdrawal(checking) | {"type": repeated})[0]["attributes"]["type"] == "Withdrawal"

    @pytest.mark.parametrize("other", ["deposit", "transfer", "opening_balance", "x", 3])
    def test_cannot_be_changed(self, me, other):
        checking = made(me, asset())
        one = posted_one(me, withdrawal(checking))["id"]

        problems = errors(me.put(f"/transactions/{one}", withdrawal(checking) | {"type": other}))

        assert problems == {"type": ["The type cannot be changed: this transaction is a withdrawal."]}

    @pytest.mark.parametrize("make", [deposit, lambda own: transfer(own, own)])
    def test_decides_which_accounts_may_be_named(self, me, make):
        checking = made(me, asset())
        one = posted_one(me, deposit(checking))["id"]

        problems = errors(me.put(f"/transactions/{one}", withdrawal(checking) | {"type": None}))

        assert list(problems) == ["transactions.0.source_id", "transactions.0.destination_name"]


def test_an_empty_body_says_what_is_needed(me):
    one = posted_one(me, withdrawal(made(me, asset())))["id"]

    assert list(errors(me.put(f"/transactions/{one}", {}))) == ["date", "transactions", "description"]


def test_everything_wrong_is_told_at_once_and_nothing_changes(world, me):
    checking = made(me, asset())
    [before] = posted(me, withdrawal(checking))
    body = withdrawal(999_999, "x", date="x") | {"type": "transfer", "notes": "new"}

    problems = errors(me.put(f"/transactions/{before['id']}", body))

    assert list(problems) == ["type", "date", "transactions.0.amount", "transactions.0.source_id"]
    assert listed(me) == [before]


def test_a_change_stays_within_64_bits(world, me):
    checking = made(me, asset())
    posted(me, deposit(checking, "92233720368547758.00"))
    [before] = posted(me, deposit(checking, "0.01"))

    problems = errors(me.put(f"/transactions/{before['id']}", deposit(checking, "0.08")))

    assert list(problems) == ["transactions.0.amount"]
    assert listed(me)[0] == before
    assert findings(world, me) == []


def test_deleting_removes_every_split(world, me):
    checking = made(me, asset())
    ids = [one["id"] for one in posted(me, market(checking, "bread", "milk", tags="a"))]

    response = me.delete(f"/transactions/{ids[1]}")

    assert (response.status_code, response.content) == (204, b"")
    assert [me.get(f"/transactions/{one}").status_code for one in ids] == [404, 404]
    assert me.delete(f"/transactions/{ids[0]}").status_code == 404
    assert balance(me, checking) == "0"
    assert [count_rows(world, me, table) for table in ("entries", "splits", "entry_tags")] == [0, 0, 0]
    assert findings(world, me) == []


def test_taking_away_stays_within_64_bits_too(me):
    checking, savings, purse = (made(me, asset(name=name)) for name in ("Checking", "Savings", "Purse"))
    posted(me, deposit(checking, "92233720368547758.07"))
    one = posted_one(me, transfer(checking, savings, "0.07"))["id"]
    posted(me, transfer(purse, checking, "0.07"))

    assert list(errors(me.delete(f"/transactions/{one}"))) == ["id"]
    assert len(listed(me)) == 3


class TestOpeningBalances:
    @pytest.fixture
    def opened(self, me):
        account_id = made(me, asset(opening_balance="45.67", opening_balance_date="2024-01-01"))
        return account_id, listed(me, type="opening_balance")[0]["id"]

    def test_are_shown_like_any_other(self, me, opened):
        account_id, split_id = opened

        [one] = exact(me.get(f"/transactions/{split_id}"))["data"]

        seen = one["attributes"]
        assert (seen["type"], str(seen["amount"]), seen["date"]) == ("Opening balance", "45.67", "2024-01-01")
        assert seen["description"] == "Initial balance of Checking"
        assert (seen["destination_id"], seen["source_type"]) == (int(account_id), "Initial balance account")

    @pytest.mark.parametrize("body", [{}, deposit(1), {"type": "opening_balance"}])
    def test_are_changed_through_their_account(self, me, opened, body):
        account_id, split_id = opened

        problems = errors(me.put(f"/transactions/{split_id}", body))

        assert problems == {"type": ["An opening balance can only be changed in its account."]}
        assert str(shown(me, account_id)["opening_balance"]) == "45.67"

    def test_may_be_deleted_and_the_account_then_began_with_nothing(self, world, me, opened):
        account_id, split_id = opened

        assert me.delete(f"/transactions/{split_id}").status_code == 204

        account = shown(me, account_id)
        assert (account["opening_balance"], account["opening_balance_date"]) == (None, None)
        assert account["current_balance"] == 0
        assert findings(world, me) == []

    def test_may_come_back_after_that(self, me, opened):
        account_id, split_id = opened
        me.delete(f"/transactions/{split_id}")

        me.put(f"/accounts/{account_id}", asset(opening_balance="5", opening_balance_date="2024-02-01"))

        assert balance(me, account_id) == "5"


def test_every_change_leaves_what_was_before(world, me):
    checking = made(me, asset())
    one = posted(me, market(checking, "bread", "milk", tags="a"))
    changed(me, one[0]["id"], market(checking, "rolls", notes="n"))
    me.delete(f"/transactions/{one[0]['id']}")

    with world.books.reading() as db:
        rows = db.all(
            """
            SELECT kind, action, COUNT(*) FROM changes
            WHERE user_id = :id AND kind IN ('entries', 'splits', 'entry_tags') GROUP BY kind, action
            """,
            id=me.user.id,
        )

    assert {(kind, action): count for kind, action, count in rows} == {
        ("entries", "created"): 1,
        ("entries", "changed"): 1,
        ("splits", "changed"): 1,
        ("splits", "removed"): 2,
        ("entry_tags", "removed"): 1,
        ("entries", "removed"): 1,
    }
