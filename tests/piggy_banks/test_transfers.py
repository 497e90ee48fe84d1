"""How do transfers move money in and out of piggy banks? With every way they are made, changed and deleted."""

import pytest

from ..builders import AT
from ..recurrences.making import a_recurrence, a_split, fired, stored
from ..transactions.making import findings as all_findings
from .making import (
    a_piggy_bank,
    an_account,
    asset,
    changed,
    count_rows,
    errors,
    exact,
    findings,
    inside,
    made,
    moves,
    posted_one,
    saving,
    seen,
    split,
    transfer,
    withdrawal,
)


@pytest.fixture
def checking(me):
    return an_account(me, "Checking", "5000")


@pytest.fixture
def savings(me):
    return an_account(me)


@pytest.fixture
def bicycle(me, savings):
    return saving(me, savings)


@pytest.fixture(autouse=True)
def in_order(world, me):
    """Whatever a test does: in each piggy bank is what its events brought."""
    yield
    assert findings(world, me) == []


def rewritten(client, transaction_id, body):
    response = client.put(f"/transactions/{transaction_id}", body)
    assert response.status_code == 200, response.text


def test_a_transfer_to_its_account_fills_it(me, checking, savings, bicycle):
    one = posted_one(me, transfer(checking, savings, "25.50", piggy_bank_id=bicycle))

    assert moves(me, bicycle) == [("2024-05-10", "25.5")]
    assert inside(me, bicycle) == "25.5"
    [event] = exact(me.get(f"/transactions/{one['id']}/piggy_bank_events"))["data"]
    assert event["attributes"]["journal_id"] == one["journal_id"]


def test_by_name_in_any_case(me, checking, savings, bicycle):
    posted_one(me, transfer(checking, savings, "25.50", piggy_bank_name="BICYCLE"))

    assert inside(me, bicycle) == "25.5"


def test_a_transfer_from_its_account_takes_out_what_is_there(me, checking, savings, bicycle):
    posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    posted_one(me, transfer(savings, checking, "30", piggy_bank_id=bicycle))
    assert inside(me, bicycle) == "70"

    posted_one(me, transfer(savings, checking, "500", piggy_bank_id=bicycle))
    assert inside(me, bicycle) == "0"
    assert [amount for _, amount in moves(me, bicycle)] == ["-70", "-30", "100"]


def test_it_is_never_filled_above_its_target(me, checking, savings, bicycle):
    posted_one(me, transfer(checking, savings, "590", piggy_bank_id=bicycle))
    posted_one(me, transfer(checking, savings, "50", piggy_bank_id=bicycle))
    posted_one(me, transfer(checking, savings, "50", piggy_bank_id=bicycle))

    assert [amount for _, amount in moves(me, bicycle)] == ["10", "590"]
    assert seen(me, bicycle)["percentage"] == 100


def test_all_splits_together_count(me, checking, savings, bicycle):
    sides = {"source_id": checking, "destination_id": savings}
    body = transfer(checking, savings, piggy_bank_id=bicycle)
    body["transactions"] = [split(amount=amount, description=amount, **sides) for amount in ("10", "20")]
    assert me.post("/transactions", body).status_code == 200

    assert moves(me, bicycle) == [("2024-05-10", "30")]


def test_what_arrives_in_its_own_currency_counts(me, savings, bicycle):
    dollars = an_account(me, "Dollars", currency_code="USD")
    amounts = {"amount": "11", "currency_code": "USD", "foreign_amount": "10", "foreign_currency_code": "EUR"}
    body = transfer(dollars, savings, piggy_bank_id=bicycle)
    body["transactions"] = [{**amounts, "source_id": dollars, "destination_id": savings}]
    assert me.post("/transactions", body).status_code == 200

    assert inside(me, bicycle) == "10"


# What is refused


def test_only_transfers_move_it(me, savings, bicycle):
    found = errors(me.post("/transactions", withdrawal(savings, piggy_bank_id=bicycle)))

    assert found == {"piggy_bank_id": ["The piggy bank ID works only for transfers."]}


def test_its_account_must_be_one_of_the_two_sides(me, checking, bicycle):
    other = made(me, asset(name="Other"))

    found = errors(me.post("/transactions", transfer(checking, other, piggy_bank_id=bicycle)))
    by_name = errors(me.post("/transactions", transfer(checking, other, piggy_bank_name="bicycle")))

    assert found == {"piggy_bank_id": ["The piggy bank ID must identify a piggy bank on one of the two accounts."]}
    assert list(by_name) == ["piggy_bank_name"]


def test_it_must_be_there_and_ones_own(me, someone_else, checking, savings):
    theirs = saving(someone_else, an_account(someone_else))

    for fields in ({"piggy_bank_id": theirs}, {"piggy_bank_name": "Bicycle"}, {"piggy_bank_id": 999_999_999}):
        found = errors(me.post("/transactions", transfer(checking, savings, **fields)))
        assert list(found) == list(fields)


# Changing


def test_a_change_moves_it_back_and_anew(me, checking, savings, bicycle):
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))

    rewritten(me, one["id"], transfer(checking, savings, "40", piggy_bank_id=bicycle, date="2024-05-11"))

    assert moves(me, bicycle) == [("2024-05-11", "40")]
    assert inside(me, bicycle) == "40"


def test_a_change_of_anything_but_the_sum_moves_nothing_again(me, checking, savings, bicycle):
    """Neither what was taken out since, nor what once had no room."""
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    other = posted_one(me, transfer(savings, checking, "40"))
    changed(me, bicycle, savings, current_amount="0")
    rewritten(me, other["id"], transfer(savings, checking, "40", piggy_bank_id=bicycle))
    changed(me, bicycle, savings, current_amount="70")
    before = moves(me, bicycle)

    rewritten(me, one["id"], transfer(checking, savings, "100", notes="a note", piggy_bank_id=bicycle))
    rewritten(me, other["id"], transfer(savings, checking, "40", notes="a note"))

    assert (inside(me, bicycle), moves(me, bicycle)) == ("70", before)


def test_a_change_that_says_nothing_of_it_keeps_it(me, checking, savings, bicycle):
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))

    rewritten(me, one["id"], transfer(checking, savings, "70"))
    assert inside(me, bicycle) == "70"
    rewritten(me, one["id"], transfer(savings, checking, "70"))
    assert inside(me, bicycle) == "0"


@pytest.mark.parametrize("empty", [{"piggy_bank_id": ""}, {"piggy_bank_id": None}, {"piggy_bank_name": " "}])
def test_an_empty_one_moves_it_back(me, checking, savings, bicycle, empty):
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))

    rewritten(me, one["id"], transfer(checking, savings, "100", **empty))
    assert (inside(me, bicycle), moves(me, bicycle)) == ("0", [])
    rewritten(me, one["id"], transfer(checking, savings, "100"))
    assert inside(me, bicycle) == "0"


def test_another_one_gets_what_the_first_gives_back(me, checking, savings, bicycle):
    boat = saving(me, savings, name="Boat")
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))

    rewritten(me, one["id"], transfer(checking, savings, "100", piggy_bank_name="boat"))

    assert (inside(me, bicycle), inside(me, boat)) == ("0", "100")


def test_other_accounts_let_it_go(me, checking, savings, bicycle):
    other = made(me, asset(name="Other"))
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))

    rewritten(me, one["id"], transfer(checking, other, "100"))
    assert inside(me, bicycle) == "0"
    assert "piggy_bank_id" in errors(
        me.put(f"/transactions/{one['id']}", transfer(checking, other, piggy_bank_id=bicycle))
    )


def test_a_full_one_gives_back_only_what_that_transfer_brought(me, checking, savings, bicycle):
    posted_one(me, transfer(checking, savings, "590", piggy_bank_id=bicycle))
    capped = posted_one(me, transfer(checking, savings, "50", piggy_bank_id=bicycle))

    assert me.delete(f"/transactions/{capped['id']}").status_code == 204

    assert inside(me, bicycle) == "590"


# Deleting


def test_deleting_the_transfer_moves_it_back(me, checking, savings, bicycle):
    into = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    out_of = posted_one(me, transfer(savings, checking, "30", piggy_bank_id=bicycle))

    me.delete(f"/transactions/{out_of['id']}")
    assert inside(me, bicycle) == "100"
    me.delete(f"/transactions/{into['id']}")
    assert (inside(me, bicycle), moves(me, bicycle)) == ("0", [])


def test_what_was_taken_out_since_cannot_go_back(me, checking, savings, bicycle):
    into = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    changed(me, bicycle, savings, current_amount="30")

    me.delete(f"/transactions/{into['id']}")

    assert inside(me, bicycle) == "0"


def test_what_was_filled_up_since_cannot_go_back(me, checking, savings, bicycle):
    posted_one(me, transfer(checking, savings, "600", piggy_bank_id=bicycle))
    out_of = posted_one(me, transfer(savings, checking, "100", piggy_bank_id=bicycle))
    posted_one(me, transfer(checking, savings, "60", piggy_bank_id=bicycle))

    me.delete(f"/transactions/{out_of['id']}")

    assert inside(me, bicycle) == "600"


def test_deleting_the_other_account_moves_it_back(me, checking, savings, bicycle):
    other = an_account(me, "Other")
    for amount in ("10", "20", "30"):
        posted_one(me, transfer(checking, savings, amount, piggy_bank_id=bicycle))
    posted_one(me, transfer(other, savings, "5", piggy_bank_id=bicycle))

    assert me.delete(f"/accounts/{checking}").status_code == 204

    assert inside(me, bicycle) == "5"


# Many at once, and by the clock


def test_many_at_once_fill_it_one_after_the_other(me, checking, savings, bicycle):
    bodies = [transfer(checking, savings, "250", piggy_bank_id=bicycle, description=f"n{n}") for n in range(3)]

    assert me.post("/transactions/bulk", {"transactions": bodies}).status_code == 200

    assert [amount for _, amount in moves(me, bicycle)] == ["100", "250", "250"]


def test_a_wrong_one_among_many_is_told_under_its_own_key(me, checking, savings, bicycle):
    right, wrong = transfer(checking, savings, piggy_bank_id=bicycle), withdrawal(savings, piggy_bank_id=bicycle)

    found = errors(me.post("/transactions/bulk", {"transactions": [right, wrong]}))

    assert list(found) == ["transactions.1.piggy_bank_id"]
    assert inside(me, bicycle) == "0"


def test_a_dry_run_leaves_it_as_it_was(me, checking, savings, bicycle):
    body = {"transactions": [transfer(checking, savings, piggy_bank_id=bicycle)], "dry_run": True}

    assert me.post("/transactions/bulk", body).status_code == 200

    assert (inside(me, bicycle), moves(me, bicycle)) == ("0", [])


def monthly(checking, savings, **fields):
    parted = a_split(checking, destination_id=savings, amount="25")
    del parted["destination_name"]
    return a_recurrence(checking, type="transfer", title="Save", transactions=[parted], **fields)


def test_a_recurring_transfer_fills_it_each_time(me, checking, savings, bicycle):
    stored(me, monthly(checking, savings, piggy_bank_id=bicycle))

    assert fired(me, "2024-07-15") == ["2024-06-01", "2024-07-01"]

    assert moves(me, bicycle) == [("2024-07-01", "25"), ("2024-06-01", "25")]


def test_a_recurring_transfer_may_name_it(me, checking, savings, bicycle):
    [meta] = stored(me, monthly(checking, savings, piggy_bank_name="BICYCLE"))["meta"]

    assert (meta["name"], meta["value"]) == ("piggy_bank_id", bicycle)
    assert list(errors(me.post("/recurrences", monthly(checking, savings, piggy_bank_name="Boat")))) == [
        "piggy_bank_name"
    ]


def test_a_recurring_transfer_must_touch_its_account(me, checking, bicycle):
    other = made(me, asset(name="Other"))

    found = errors(me.post("/recurrences", monthly(checking, other, piggy_bank_id=bicycle)))

    assert list(found) == ["piggy_bank_id"]


# What goes with what


def referring(world, me, table):
    with world.books.reading() as db:
        sql = f"SELECT COUNT(*) FROM {table} WHERE user_id = :id AND piggy_bank_id IS NOT NULL"
        return db.value(sql, id=me.user.id)


def test_deleting_it_leaves_transfers_and_recurrences(world, me, checking, savings, bicycle):
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    stored(me, monthly(checking, savings, piggy_bank_id=bicycle))

    assert me.delete(f"/piggy_banks/{bicycle}").status_code == 204

    assert me.get(f"/piggy_banks/{bicycle}").status_code == 404
    assert me.get(f"/transactions/{one['id']}").status_code == 200
    assert fired(me, "2024-06-15") == ["2024-06-01"]
    assert [referring(world, me, table) for table in ("entries", "recurrences", "piggy_bank_events")] == [0, 0, 0]


def test_deleting_its_account_deletes_it(world, me, checking, savings, bicycle):
    posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    stored(me, monthly(checking, savings, piggy_bank_id=bicycle))

    assert me.delete(f"/accounts/{savings}").status_code == 204

    assert me.get(f"/piggy_banks/{bicycle}").status_code == 404
    assert [count_rows(world, me, table) for table in ("piggy_banks", "piggy_bank_events", "recurrences")] == [0, 0, 0]


def test_with_another_account_it_leaves_old_transfers_and_recurrences_behind(world, me, checking, savings, bicycle):
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    stored(me, monthly(checking, savings, piggy_bank_id=bicycle))
    boat = saving(me, savings, name="Boat")
    stored(me, monthly(checking, savings, piggy_bank_id=boat) | {"title": "Boat"})
    changed(me, bicycle, an_account(me, "Other"))
    changed(me, boat, checking, name="Boat")

    me.delete(f"/transactions/{one['id']}")

    assert inside(me, bicycle) == "100"
    assert referring(world, me, "recurrences") == 1


def test_transactions_bring_their_events_along(me, checking, savings, bicycle):
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    posted_one(me, transfer(checking, savings, "1"))

    document = exact(me.get("/transactions", include="piggy_bank_events"))

    [event] = document["included"]
    assert str(event["attributes"]["amount"]) == "100"
    related = {each["id"]: each["relationships"]["piggy_bank_events"]["data"] for each in document["data"]}
    assert [len(related[each["id"]]) for each in document["data"] if each["id"] == one["id"]] == [1]


def test_every_move_is_in_the_log(world, me, checking, savings, bicycle):
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))
    me.delete(f"/transactions/{one['id']}")
    me.delete(f"/piggy_banks/{bicycle}")

    with world.books.reading() as db:
        rows = db.all(
            """
            SELECT kind, action FROM changes WHERE user_id = :id AND kind IN ('piggy_banks', 'piggy_bank_events')
            ORDER BY id
            """,
            id=me.user.id,
        )
    assert rows == [
        ("piggy_banks", "created"),
        ("piggy_banks", "changed"),
        ("piggy_bank_events", "created"),
        ("piggy_bank_events", "removed"),
        ("piggy_banks", "changed"),
        ("piggy_banks", "removed"),
    ]


def tampered(world, me, sql):
    from farthing.identity import users

    with world.books.writing() as db:
        users.take(db, me.user.id, token_id=None, now=AT, doing="test")
        assert db.run_and_count(sql, user_id=me.user.id) == 1


def test_doctor_tells_of_one_that_drifted(world, me, checking, savings, bicycle):
    posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))

    tampered(world, me, "UPDATE piggy_banks SET current_units = 9000 WHERE user_id = :user_id")
    found = all_findings(world, me)
    tampered(world, me, "UPDATE piggy_banks SET current_units = 10000 WHERE user_id = :user_id")

    kept, true = "it stores 90.00 EUR", "but its events add up to 100.00 EUR."
    assert found == [f"{me.user.email}: piggy bank {bicycle} 'Bicycle': {kept}, {true}"]


def test_doctor_tells_of_an_event_of_a_transfer_that_names_no_piggy_bank(world, me, checking, savings, bicycle):
    one = posted_one(me, transfer(checking, savings, "100", piggy_bank_id=bicycle))

    tampered(world, me, "UPDATE entries SET piggy_bank_id = NULL WHERE user_id = :user_id AND type = 3")
    found = findings(world, me)
    tampered(world, me, f"UPDATE entries SET piggy_bank_id = {bicycle} WHERE user_id = :user_id AND type = 3")

    assert len(found) == 1
    assert f"transaction {one['journal_id']}, which has another piggy bank, or none" in found[0]


def test_a_body_of_one_with_a_wrong_account_names_only_that(me, bicycle):
    assert list(errors(me.put(f"/piggy_banks/{bicycle}", a_piggy_bank(999_999_999, current_amount="5")))) == [
        "account_id"
    ]
