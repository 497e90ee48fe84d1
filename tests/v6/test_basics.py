"""What clients of version 6 ask first: who and what runs here, in which zone, with which currency and preferences."""

import pytest

from ..conftest import World


def data(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def test_about_claims_a_version_that_clients_accept(me, world: World):
    about = data(me.v6.get("/about"))

    assert {"version", "api_version", "php_version", "os", "driver"} <= about.keys()
    assert all(isinstance(value, str) and value for value in about.values())
    assert (about["version"], about["api_version"], about["driver"]) == ("6.6.2", "6.6.2", world.books.dialect)


def test_the_current_user(me):
    shown = data(me.v6.get("/about/user"))

    assert (shown["type"], shown["id"]) == ("users", str(me.user.id))
    assert shown["attributes"]["email"] == me.user.email
    assert shown["attributes"]["blocked"] is False
    assert shown["attributes"]["blocked_code"] is None


def test_an_importer_may_say_that_it_has_finished(me):
    answer = me.v6.post("/batch/finish", {})

    assert (answer.status_code, answer.content) == (204, b"")


def test_the_time_zone_is_a_value_of_the_configuration(me):
    me.v6.put("/preferences/timezone", {"data": "Europe/Berlin"})

    shown = data(me.v6.get("/configuration/app.timezone"))

    assert shown == {"title": "app.timezone", "value": "Europe/Berlin", "editable": False}
    listed = me.v6.get("/configuration").json()
    assert isinstance(listed, list)
    assert shown in listed
    assert {"title", "value", "editable"} == set().union(*listed)


def test_every_value_of_the_configuration_has_its_kind(me):
    values = {value["title"]: value["value"] for value in me.v6.get("/configuration").json()}

    assert "category_is" in values["search.operators"]
    assert "set_category" in values["firefly.rule-actions"]
    assert "STORE_TRANSACTION" in values["webhook.triggers"]
    assert values["firefly.account_to_transaction"]["Asset account"]["Expense account"] == "Withdrawal"
    assert values["firefly.allowed_opposing_types"]["destination"]["Expense account"][0] == "Asset account"
    for name in ("firefly.rule-actions", "firefly.default_location", "configuration.last_update_check"):
        assert data(me.v6.get(f"/configuration/{name}"))["value"] == values[name]


def test_the_configuration_is_not_changed_over_the_api(new_world: World):
    owner, other = new_world.someone(), new_world.someone()

    for who in (owner, other):
        assert who.v6.put("/configuration/app.timezone", {"value": "UTC"}).status_code == 403
    assert owner.v6.put("/configuration/nothing", {"value": "UTC"}).status_code == 404
    assert owner.v6.get("/configuration/nothing").status_code == 404


def test_currencies_are_listed_and_found_by_code_or_id(me):
    answer = me.v6.get("/currencies", limit=2).json()
    euro = data(me.v6.get("/currencies/EUR"))

    assert answer["meta"]["pagination"]["per_page"] == 2
    assert answer["meta"]["pagination"]["count"] == 2
    assert answer["links"]["next"].startswith("http://farthing.example/v6/api/v1/currencies?")
    assert euro["type"] == "currencies"
    assert euro["attributes"]["code"] == "EUR"
    assert euro["attributes"]["decimal_places"] == 2
    assert data(me.v6.get(f"/currencies/{euro['id']}")) == euro
    assert me.v6.get("/currencies/QQQ").status_code == 404


@pytest.mark.parametrize("path", ["/currencies/primary", "/currencies/default"])
def test_the_primary_currency_is_the_users_own(me, path):
    assert data(me.v6.get(path))["attributes"]["code"] == "EUR"

    made = data(me.v6.post("/currencies/USD/primary", {}))

    assert made["attributes"]["primary"] is True
    assert data(me.v6.get(path))["attributes"]["code"] == "USD"
    assert data(me.v6.get("/currencies/EUR"))["attributes"]["primary"] is False


def test_a_put_changes_only_what_it_names(new_world: World):
    owner = new_world.someone()
    made = data(owner.v6.post("/currencies", {"code": "PNT", "name": "Points", "symbol": "pt"}))
    assert made["attributes"]["decimal_places"] == 2

    changed = data(owner.v6.put("/currencies/PNT", {"name": "Bonus points"}))

    assert changed["attributes"]["name"] == "Bonus points"
    assert changed["attributes"]["symbol"] == "pt"
    emptied = owner.v6.put("/currencies/PNT", {"symbol": ""})
    assert (emptied.status_code, list(emptied.json()["errors"])) == (422, ["symbol"])
    assert owner.v6.delete("/currencies/PNT").status_code == 204
    assert new_world.someone().v6.post("/currencies", {"code": "PNT"}).status_code == 403


def test_preferences_are_the_same_in_both_versions(me):
    shown = data(me.v6.put("/preferences/listPageSize", {"data": 10}))

    assert shown["attributes"]["data"] == 10
    old = {one["attributes"]["name"]: one["attributes"]["data"] for one in data(me.get("/preferences"))}
    new = {
        one["attributes"]["name"]: one["attributes"]["data"]
        for one in me.v6.get("/preferences", limit=50).json()["data"]
    }
    assert old == new
    assert new["listPageSize"] == 10


def test_a_preference_may_be_set_by_naming_it(me):
    assert data(me.v6.post("/preferences", {"name": "viewRange", "data": "1W"}))["attributes"]["data"] == "1W"
    name = "frontpageAccounts"  # as clients of version 6 write it
    assert data(me.v6.put(f"/preferences/{name}", {"data": ["7"]}))["attributes"]["name"] == name
    assert data(me.v6.get("/preferences/frontPageAccounts"))["attributes"]["data"] == ["7"]
    [listed] = data(me.v6.get(f"/preferences-list/{name},unheard"))
    assert (listed["attributes"]["name"], listed["attributes"]["data"]) == (name, ["7"])
    assert me.v6.get("/preferences/unheard").status_code == 404
    assert me.v6.put("/preferences/unheard", {"data": 1}).status_code == 404


@pytest.mark.parametrize("value", ["x", 7, 1.5, True, False, [1, "b", {"c": 2.5}], {"theme": {"dark": True}}])
def test_a_client_may_keep_a_preference_of_its_own(me, value):
    """Its value keeps its type. Version 1 does not list it."""
    made = data(me.v6.post("/preferences", {"name": "app settings", "data": value}))

    assert (made["attributes"]["name"], made["attributes"]["data"]) == ("app settings", value)
    assert data(me.v6.get("/preferences/app settings")) == made
    assert "app settings" not in {one["attributes"]["name"] for one in data(me.get("/preferences"))}
    assert me.get(f"/preferences/{made['id']}").status_code == 404
    changed = data(me.v6.put("/preferences/app settings", {"data": [value]}))
    assert (changed["id"], changed["attributes"]["data"]) == (made["id"], [value])


def test_a_preference_of_its_own_can_be_undone(me):
    me.v6.post("/preferences", {"name": "app settings", "data": {"dark": True}})
    me.v6.put("/preferences/app settings", {"data": {"dark": False}})

    *_, made, changed = sorted(int(change["id"]) for change in me.get("/changes").json()["data"])

    assert me.post(f"/changes/{changed}/undo").status_code == 200
    assert data(me.v6.get("/preferences/app settings"))["attributes"]["data"] == {"dark": True}
    assert me.post(f"/changes/{made}/undo").status_code == 200
    assert me.v6.get("/preferences/app settings").status_code == 404


def test_what_is_no_value_of_a_preference_is_refused(me):
    for name, value in (("convertToPrimary", "yes"), ("huge", "x" * 65_001), ("nothing", None)):
        refused = me.v6.post("/preferences", {"name": name, "data": value})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, ["data"]), name
