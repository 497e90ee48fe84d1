"""Preferences act at once: on pages, on what today is, on the default currency."""

from datetime import UTC, datetime

from ..accounts.making import asset, made
from ..conftest import Client, World


def test_list_page_size_governs_the_next_list(me: Client) -> None:
    for name in ("One", "Two", "Three"):
        made(me, asset(name=name))
    me.put("/preferences/listPageSize", {"data": 2})

    first = me.get("/accounts", type="asset").json()
    second = me.get("/accounts", type="asset", page=2).json()

    assert first["meta"]["pagination"] == {
        "total": 3, "count": 2, "per_page": 2, "current_page": 1, "total_pages": 2,
    }  # fmt: skip
    assert [one["attributes"]["name"] for one in first["data"] + second["data"]] == ["One", "Three", "Two"]


def test_list_page_size_is_one_users_own(me: Client, someone_else: Client) -> None:
    me.put("/preferences/listPageSize", {"data": 2})

    assert someone_else.get("/accounts").json()["meta"]["pagination"]["per_page"] == 50


def test_the_time_zone_decides_what_today_is(me: Client, world: World) -> None:
    account = made(me, asset(opening_balance="10", opening_balance_date="2024-05-16"))
    world.time.now = datetime(2024, 5, 15, 23, 30, tzinfo=UTC)

    def today() -> tuple[str, int]:
        shown = me.get(f"/accounts/{account}").json()["data"]["attributes"]
        return shown["current_balance_date"], shown["current_balance"]

    assert today() == ("2024-05-15", 0)
    me.put("/preferences/timezone", {"data": "Europe/Amsterdam"})
    assert today() == ("2024-05-16", 10)
    me.put("/preferences/timezone", {"data": "America/New_York"})
    assert today() == ("2024-05-15", 0)


def test_the_currency_preference_decides_which_currency_is_the_default(me: Client) -> None:
    me.put("/preferences/currencyPreference", {"data": "jpy"})

    assert me.get("/currencies/JPY").json()["data"]["attributes"]["default"] is True
    assert me.get("/currencies/EUR").json()["data"]["attributes"]["default"] is False


def test_a_new_user_starts_in_the_time_zone_of_the_installation(world: World, me: Client) -> None:
    assert me.get("/preferences/timezone").json()["data"]["attributes"]["data"] == world.settings.timezone
