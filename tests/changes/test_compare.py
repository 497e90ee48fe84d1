"""What a change did: before and after, field by field, as people write it."""

import pytest

from farthing.care.changes.fields import FIELDS, PARTS
from farthing.storage.schema import TABLES

from ..accounts.making import asset, made
from ..bills.making import a_bill, stored
from ..recurrences.making import a_recurrence
from ..recurrences.making import stored as recurrence
from ..rules.making import a_group, a_rule
from ..transactions.making import posted_one, split, withdrawal

# Keys and times, what is computed from other columns, and the progress of a recurrence.
NOT_SHOWN = {
    "id", "user_id", "created_at", "updated_at", "uploaded_at", "name_fold", "title_fold", "kind", "helps_id",
    "opening_account_id", "bill_by_hand", "words_key", "longest_word", "secret", "sha256", "import_job_id",
    "source_foreign", "destination_foreign", "fired", "latest_on", "settled_until", "due_on", "failure", "auto_next_on",
    "import_hash", "split_id", "from_split_id", "to_split_id",
}  # fmt: skip


def differences(client, revision):
    [change] = client.get("/changes", revision=revision).json()["data"]
    response = client.get(f"/changes/{change['id']}/diff")
    assert response.status_code == 200, response.text
    return response.json()["data"]


def fields(client, revision):
    [one] = differences(client, revision)
    return {(field["name"], field["part"]): (field["before"], field["after"]) for field in one["fields"]}


def test_an_edited_account_shows_its_fields_also_after_later_edits(me):
    path = f"/accounts/{made(me, asset())}"
    renamed = me.put(path, asset(name="Everyday", notes="Blue card")).headers["farthing-revision"]
    again = me.put(path, asset(name="Joint", active=False)).headers["farthing-revision"]
    gone = me.delete(path).headers["farthing-revision"]

    assert fields(me, renamed) == {("name", None): ("Checking", "Everyday"), ("notes", None): (None, "Blue card")}
    assert fields(me, again) == {
        ("name", None): ("Everyday", "Joint"),
        ("active", None): (True, False),
        ("notes", None): ("Blue card", None),
    }
    [deleted] = [one for one in differences(me, gone) if one["kind"] == "accounts"]
    assert deleted["name"] == "Joint"
    assert {"name": "name", "part": None, "before": "Joint", "after": None} in deleted["fields"]


def test_splits_of_a_transaction_are_told_apart_and_references_are_named(me):
    account_id = made(me, asset())
    one = posted_one(me, withdrawal(account_id, "12.50", description="Shoes"))
    body = {
        **withdrawal(account_id, "13", description="Boots", tags=["sale"]),
        "transactions": [
            split(
                amount="13",
                destination_name="Grocer",
                description="Part",
                source_id=account_id,
                category_name="Clothes",
            ),
            split(amount="2", destination_name="Grocer", description="Part", source_id=account_id),
        ],
    }
    answer = me.put(f"/transactions/{one['id']}", body)
    assert answer.status_code == 200, answer.text

    found = next(one for one in differences(me, answer.headers["farthing-revision"]) if one["kind"] == "transactions")
    told = {(field["name"], field["part"]): (field["before"], field["after"]) for field in found["fields"]}

    assert found["name"] == "Boots"
    assert told["description", None] == ("Shoes", "Boots")
    assert told["amount", 1] == ("12.50 EUR", "13.00 EUR")
    assert told["category", 1] == (None, "Clothes")
    assert told["amount", 2] == (None, "2.00 EUR")
    assert told["tag", None] == (None, "sale")


def test_amounts_and_words_of_a_bill(me):
    bill = stored(me)
    answer = me.put(f"/bills/{bill['id']}", a_bill(match="rent,flat", amount_max="900"))

    assert fields(me, answer.headers["farthing-revision"]) == {
        ("match", None): ("rent, landlord", "rent, flat"),
        ("amount_max", None): ("855.50 EUR", "900.00 EUR"),
    }


def test_a_new_transaction_shows_its_splits_also_after_they_were_replaced_or_deleted(me):
    account_id = made(me, asset())
    booked = me.post("/transactions", withdrawal(account_id, "12.50", description="Shoes"))
    revision, entry_id = booked.headers["farthing-revision"], booked.json()["data"][0]["id"]

    def amounts():
        found = next(one for one in differences(me, revision) if one["kind"] == "transactions")
        return {(one["name"], one["part"]): one["after"] for one in found["fields"] if one["part"]}

    first = amounts()
    two = [split(source_id=account_id, amount=amount, description="Part") for amount in ("1", "2")]
    changed = me.put(
        f"/transactions/{entry_id}", {**withdrawal(account_id, "3", description="Boots"), "transactions": two}
    )
    assert changed.status_code == 200, changed.text
    replaced = amounts()
    me.delete(f"/transactions/{entry_id}")

    assert (first["source", 1], first["amount", 1]) == ("Checking", "12.50 EUR")
    assert replaced == first
    assert amounts().keys() == first.keys()
    assert amounts()["amount", 1] == "12.50 EUR"


def test_amounts_of_a_piggy_bank_have_their_currency_also_when_the_account_is_gone(me):
    account_id = made(me, asset())
    kite = me.post("/piggy_banks", {"name": "Kite", "account_id": account_id, "target_amount": "12.34"})
    assert kite.status_code == 200, kite.text
    me.delete(f"/accounts/{account_id}")

    assert fields(me, kite.headers["farthing-revision"])["target_amount", None] == (None, "12.34 EUR")


def test_preferences_are_shown_without_the_marks_of_json(me):
    told = [me.put("/preferences/timezone", {"data": zone}) for zone in ("Europe/Paris", "Europe/Rome")]
    assert told[1].status_code == 200, told[1].text

    assert fields(me, told[1].headers["farthing-revision"]) == {("data", None): ("Europe/Paris", "Europe/Rome")}


def test_parts_of_a_rule_are_listed_by_kind(me):
    rule = me.post("/rules", a_rule(a_group(me), [("description_is", "x"), ("amount_more", "1")]))
    assert rule.status_code == 200, rule.text

    names = [one["name"] for one in differences(me, rule.headers["farthing-revision"])[0]["fields"]]
    assert names.index("trigger_value") < names.index("action") < names.index("action_value")


def test_what_is_no_part_of_the_books_is_named_by_what_was_done(me):
    answer = me.post("/invitations", {"role": "viewer", "name": "Sam"})
    assert answer.status_code == 200, answer.text
    [change] = me.get("/changes").json()["data"][:1]
    assert change["attributes"]["summary"] == "Invited somebody to these books"


def test_nobody_elses_changes_can_be_compared(me, someone_else):
    revision = me.post("/tags", {"tag": "mine"}).headers["farthing-revision"]
    [change] = me.get("/changes", revision=revision).json()["data"]

    assert someone_else.get(f"/changes/{change['id']}/diff").status_code == 404


def test_a_category_moved_under_another_shows_both_and_its_budget(me):
    home = me.post("/categories", {"name": "Home"}).json()["data"]["id"]
    budget_id = me.post("/budgets", {"name": "House", "active": True}).json()["data"]["id"]
    category_id = me.post("/categories", {"name": "Heating"}).json()["data"]["id"]
    answer = me.put(f"/categories/{category_id}", {"name": "Heating", "parent_id": home, "budget_id": budget_id})

    assert fields(me, answer.headers["farthing-revision"]) == {
        ("parent", None): (None, "Home"),
        ("budget", None): (None, "House"),
    }


def test_a_budget_that_begins_to_carry_over(me):
    budget_id = me.post("/budgets", {"name": "Food", "active": True}).json()["data"]["id"]
    answer = me.put(f"/budgets/{budget_id}", {"name": "Food", "active": True, "carry": "overspent"})

    assert fields(me, answer.headers["farthing-revision"]) == {("carry", None): ("no", "overspent")}


def test_a_rate_that_is_corrected(me):
    rate = {"from_currency_code": "EUR", "to_currency_code": "USD", "date": "2026-01-02"}
    rate_id = me.post("/exchange_rates", {**rate, "rate": "1.1"}).json()["data"]["id"]
    answer = me.put(f"/exchange_rates/{rate_id}", {**rate, "rate": "1.2"})

    assert fields(me, answer.headers["farthing-revision"]) == {("rate", None): ("1.1", "1.2")}


def test_days_of_a_recurrence_that_were_skipped_and_moved(me):
    path = f"/recurrences/{recurrence(me, a_recurrence(made(me, asset())))['id']}/occurrences"
    skipped = me.put(f"{path}/2024-06-01", {"skip": True})
    moved = me.put(f"{path}/2024-07-01", {"date": "2024-07-03"})

    assert fields(me, skipped.headers["farthing-revision"]) == {("planned_date", 1): (None, "2024-06-01")}
    assert fields(me, moved.headers["farthing-revision"]) == {
        ("planned_date", 1): (None, "2024-07-01"),
        ("moved_to", 1): (None, "2024-07-03"),
    }


@pytest.mark.any_database
def test_every_column_that_people_can_change_is_shown():
    """A new column is shown, or named here: otherwise a change of it would seem to have changed nothing."""
    for table, shown in FIELDS.items():
        if table == "preferences":
            continue  # only their values change
        known = {field.column for field in shown} | {field.currency for field in shown} | NOT_SHOWN
        # Parts repeat the type and the day of their object.
        known |= {PARTS[table].parent, PARTS[table].position, "type", "on_day"} if table in PARTS else set()
        assert not set(TABLES[table]) - known, table


@pytest.mark.any_database
def test_only_columns_of_the_books_are_shown():
    """Whatever else a table holds stays hidden until somebody decides otherwise."""
    assert not {"users", "tokens", "sessions", "jobs", "import_jobs", "sign_in_links"} & FIELDS.keys()
    for table, shown in FIELDS.items():
        assert {field.column for field in shown} <= set(TABLES[table])
