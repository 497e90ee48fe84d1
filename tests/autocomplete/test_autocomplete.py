"""Suggestions: what begins with the typed text before what holds it, and only one's own."""

from decimal import Decimal

import pytest

from ..accounts.making import asset, errors, exact, expense, liability, made
from ..bills.making import a_bill, stored
from ..recurrences.making import a_recurrence
from ..rules.making import a_rule
from ..rules.making import stored as ruling
from ..transactions.making import a_transaction, deposit, posted, posted_one, split, withdrawal


def suggested(client, kind, **query):
    response = client.get(f"/autocomplete/{kind}", **query)
    assert response.status_code == 200, response.text
    return exact(response)["data"]


def names(client, kind, **query):
    return [one["name"] for one in suggested(client, kind, **query)]


class TestNames:
    @pytest.mark.parametrize("kind", ["categories", "tags", "budgets"])
    def test_beginnings_come_first(self, me, kind):
        for name in ("Sea food", "Food", "Fast FOOD", "Car", "Foods"):
            me.post(f"/{kind}", {"tag" if kind == "tags" else "name": name, "active": True})

        assert names(me, kind, query="foo") == ["Food", "Foods", "Fast FOOD", "Sea food"]
        assert names(me, kind, query="foo", limit=1) == ["Food"]
        assert names(me, kind) == ["Car", "Fast FOOD", "Food", "Foods", "Sea food"]
        assert names(me, kind, query="nothing") == []

    @pytest.mark.parametrize("kind", ["categories", "tags", "budgets"])
    def test_accents_are_ignored_but_those_that_were_typed_come_first(self, me, kind):
        for name in ("Müller", "Muller & Co.", "Café Müller", "Maler", "Ægir"):
            me.post(f"/{kind}", {"tag" if kind == "tags" else "name": name, "active": True})

        assert names(me, kind, query="muller") == ["Muller & Co.", "Müller", "Café Müller"]
        assert names(me, kind, query="Mül") == ["Müller", "Muller & Co.", "Café Müller"]
        assert names(me, kind, query="cafe") == ["Café Müller"]
        assert names(me, kind, query="aeg", limit=1) == ["Ægir"]

    def test_an_id_comes_along(self, me):
        category_id = me.post("/categories", {"name": "Food"}).json()["data"]["id"]

        assert suggested(me, "categories", query="FOOD") == [{"id": category_id, "name": "Food"}]

    @pytest.mark.parametrize("query", ["%", "_", "100%", "a_b", "!", "\\"])
    def test_marks_stand_for_themselves(self, me, query):
        for name in ("100% wool", "a_b", "axb", "wow!", "back\\slash"):
            me.post("/tags", {"tag": name})

        assert names(me, "tags", query=query) == [
            name for name in ("100% wool", "a_b", "back\\slash", "wow!") if query in name
        ]

    def test_a_group_is_suggested_as_long_as_it_has_members(self, me):
        bill = stored(me, a_bill(object_group_title="Home"))["id"]
        assert names(me, "object_groups", query="ho") == ["Home"]

        me.put(f"/bills/{bill}", a_bill(object_group_title=""))

        assert names(me, "object_groups") == []

    def test_what_is_out_of_use_is_not_suggested(self, me):
        me.post("/budgets", {"name": "Old", "active": False})
        stored(me, a_bill(name="Old", active=False))
        stored(me, a_bill(name="Rent", match="else"))

        assert names(me, "budgets") == []
        assert names(me, "bills") == ["Rent"]

    @pytest.mark.parametrize("kind", ["accounts", "categories", "tags", "budgets", "bills", "descriptions"])
    def test_nobody_elses_and_within_bounds(self, me, someone_else, kind):
        account_id = made(me, asset())
        stored(me, a_bill())
        one = split(source_id=account_id, destination_name="Grocer", category_name="Food", budget_name="Household")
        posted(me, a_transaction("withdrawal", one, tags="weekend"))
        assert suggested(me, kind)

        assert [one for one in suggested(someone_else, kind) if one.get("name") != "Cash account"] == []
        for limit in ("0", "51", "x"):
            assert list(errors(me.get(f"/autocomplete/{kind}", limit=limit))) == ["limit"]
        assert list(errors(me.get(f"/autocomplete/{kind}", query="x" * 256))) == ["query"]
        assert suggested(me, kind, query="\0\0") is not None


class TestAccounts:
    def test_of_some_kinds_and_only_active_ones(self, me):
        account_id = made(me, asset(name="Bank", opening_balance="1", opening_balance_date="2024-01-01"))
        made(me, asset(name="Bank of old", active=False))
        made(me, expense(name="Bank fees"))
        made(me, liability(name="Bank loan", currency_code="USD"))

        assert names(me, "accounts", query="bank") == ["Bank", "Bank fees", "Bank loan"]
        assert names(me, "accounts", query="bank", type="expense") == ["Bank fees"]
        assert names(me, "accounts", query="bank", type="asset,liability") == ["Bank", "Bank loan"]
        assert suggested(me, "accounts", type="asset") == [
            {
                "id": account_id, "name": "Bank", "type": "Asset account", "currency_id": 1, "currency_code": "EUR",
                "currency_symbol": "€", "currency_dp": 2,
            }
        ]  # fmt: skip


class TestDescriptions:
    def texts(self, client, **query):
        return [one["description"] for one in suggested(client, "descriptions", **query)]

    def test_it_brings_what_was_used_last(self, me):
        account_id, budget = made(me, asset()), "Household"
        posted(me, withdrawal(account_id, "5", description="weekly shopping", date="2024-05-01"))
        one = split(
            source_id=account_id, amount="7.25", destination_name="Market", category_name="Food", budget_name=budget
        )
        used = posted_one(
            me, a_transaction("withdrawal", one, description="Weekly shopping", date="2024-05-02", tags="a,b")
        )

        [found] = suggested(me, "descriptions", query="week")

        assert found == {
            "description": "Weekly shopping",
            "transaction_id": used["id"],
            "date": "2024-05-02",
            "type": "Withdrawal",
            "amount": Decimal("7.25"),
            "currency_id": 1,
            "currency_code": "EUR",
            "currency_symbol": "€",
            "currency_dp": 2,
            "source_id": int(account_id),
            "source_name": "Checking",
            "destination_id": used["destination_id"],
            "destination_name": "Market",
            "category_id": used["category_id"],
            "category_name": "Food",
            "budget_id": used["budget_id"],
            "budget_name": budget,
            "tags": ["a", "b"],
        }

    def test_newest_first_each_text_once(self, me):
        account_id = made(me, asset())
        for day, text in enumerate(("Train to work", "Tram", "train TO work", "Travel", "Bus"), start=1):
            posted(me, withdrawal(account_id, description=text, date=f"2024-05-0{day}"))

        assert self.texts(me, query="tra") == ["Travel", "train TO work", "Tram"]
        assert self.texts(me, query="tra", limit=1) == ["Travel"]
        assert self.texts(me, query="work trai") == ["train TO work"]
        assert self.texts(me, query="trai wo") == ["train TO work"]
        assert self.texts(me) == ["Bus", "Travel", "train TO work", "Tram"]
        assert self.texts(me, query="***") == []

    def test_words_of_the_notes_are_not_the_description(self, me):
        account_id = made(me, asset())
        posted(me, withdrawal(account_id, description="Lunch", notes="with the train"))

        assert self.texts(me, query="train") == []

    def test_of_one_type(self, me):
        account_id = made(me, asset())
        posted(me, withdrawal(account_id, description="Gift for Ann"))
        posted(me, deposit(account_id, description="Gift from Bob"))

        assert self.texts(me, query="gift", type="deposit") == ["Gift from Bob"]

    def test_an_old_text_is_found_behind_many_newer_ones(self, me, monkeypatch):
        from farthing.overviews.autocomplete import descriptions

        monkeypatch.setattr(descriptions, "_AT_ONCE", 2)
        account_id = made(me, asset())
        posted(me, withdrawal(account_id, description="Rent a car", date="2023-01-01"))
        for day in range(1, 8):
            posted(me, withdrawal(account_id, description="Rent", date=f"2024-05-0{day}"))

        assert self.texts(me, query="rent") == ["Rent", "Rent a car"]


class TestEverything:
    def found(self, client, query, **more):
        return [(one["type"], one["name"]) for one in suggested(client, "everything", query=query, **more)]

    def test_each_word_begins_a_word_whatever_its_case_and_accents(self, me):
        for name in ("Café Zürich", "Cafeteria", "Decaf", "Corner-shop café", "100% wool"):
            me.post("/tags", {"tag": name})

        assert self.found(me, "CAFE") == [("tags", "Café Zürich"), ("tags", "Cafeteria"), ("tags", "Corner-shop café")]
        assert self.found(me, "café zur") == [("tags", "Café Zürich")]
        assert self.found(me, "shop caf") == [("tags", "Corner-shop café")]
        assert self.found(me, "%") == self.found(me, "") == self.found(me, "_") == []
        assert self.found(me, "cafe", limit=1) == [("tags", "Café Zürich")]

    def test_of_every_kind_with_what_is_not_in_use_last(self, me, someone_else):
        account_id = made(me, asset(name="Home bank"))
        made(me, asset(name="Home at last", active=False))
        stored(me, a_bill(name="Home rent"))
        me.post("/categories", {"name": "Home"})
        me.post("/tags", {"tag": "home"})
        me.post("/budgets", {"name": "Home", "active": True})
        me.post("/piggy_banks", {"name": "New home", "account_id": account_id, "target_amount": "10"})
        assert me.post("/recurrences", a_recurrence(account_id, title="Home loan")).status_code == 200
        ruling(me, a_rule(title="All for home"))

        everything = suggested(me, "everything", query="home")

        assert [(one["type"], one["name"], one["active"]) for one in everything] == [
            ("accounts", "Home bank", True), ("accounts", "Home at last", False), ("bills", "Home rent", True),
            ("categories", "Home", True), ("tags", "home", True), ("budgets", "Home", True),
            ("recurrences", "Home loan", True), ("piggy_banks", "New home", True), ("rules", "All for home", True),
        ]  # fmt: skip
        assert (everything[0]["id"], everything[0]["detail"]) == (account_id, "Asset account")
        assert self.found(someone_else, "home") == []
