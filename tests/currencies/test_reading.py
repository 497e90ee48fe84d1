"""Everyone sees all currencies, by id or by code."""

import pytest

from ..conftest import Client, World

FIRST = "EUR HUF GBP UAH PLN TRY USD BRL CAD IDR AUD NZD EGP MAD ZAR JPY CNY RUB INR XBT BCH ETH"


def test_the_list_starts_with_the_best_known_in_the_order_of_their_ids(me: Client) -> None:
    listed = me.get("/currencies", limit=22).json()["data"]

    assert " ".join(one["attributes"]["code"] for one in listed) == FIRST
    assert [one["id"] for one in listed] == [str(number) for number in range(1, 23)]


def test_the_list_is_paged(me: Client) -> None:
    me.put("/preferences/listPageSize", {"data": 60})

    pages = [me.get("/currencies", page=number).json() for number in (1, 2, 3)]

    ids = [int(one["id"]) for page in pages for one in page["data"]]
    assert ids[:168] == sorted(set(ids))[:168]
    assert pages[0]["meta"]["pagination"]["per_page"] == 60
    assert pages[0]["links"]["next"] == "http://farthing.example/api/v1/currencies?&page=2"


def test_a_currency_is_shown_whole(me: Client) -> None:
    assert me.get("/currencies/1").json() == {
        "data": {
            "type": "currencies",
            "id": "1",
            "attributes": {
                "updated_at": "2026-01-01T00:00:00+00:00",
                "created_at": "2026-01-01T00:00:00+00:00",
                "name": "Euro",
                "code": "EUR",
                "symbol": "€",
                "decimal_places": 2,
                "default": True,
                "enabled": True,
            },
            "links": {
                "self": "http://farthing.example/api/v1/currencies/1",
                "0": {"rel": "self", "uri": "/currencies/1"},
            },
        }
    }


@pytest.mark.parametrize(("code", "places"), [("JPY", 0), ("KWD", 3), ("XBT", 8), ("ETH", 12), ("CLF", 4)])
def test_each_currency_has_decimal_places_of_its_own(me: Client, code: str, places: int) -> None:
    assert me.get(f"/currencies/{code}").json()["data"]["attributes"]["decimal_places"] == places


@pytest.mark.parametrize("spelled", ["USD", "usd", "uSd", "7"])
def test_a_currency_is_found_by_id_or_by_code_in_any_case(me: Client, spelled: str) -> None:
    assert me.get(f"/currencies/{spelled}").json()["data"]["id"] == "7"


def test_one_currency_is_the_default(me: Client) -> None:
    listed = me.get("/currencies", limit=1000).json()["data"]

    assert [one["id"] for one in listed if one["attributes"]["default"]] == ["1"]


@pytest.mark.parametrize("word", ["9Q9", "999999999", "0", "euro", "E", "-1", "a%00b", "%ff%ff%ff", "ſſſ"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_a_currency_that_is_not_there_is_not_found(owner: Client, plain: Client, method: str, word: str) -> None:
    assert owner.request(method, f"/currencies/{word}").status_code == 404
    assert plain.request(method, f"/currencies/{word}").status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("POST", ""), ("GET", "/1"), ("PUT", "/1"), ("DELETE", "/1"), ("POST", "/1/default")],
)
def test_without_a_token_there_is_nothing_to_see(world: World, method: str, path: str) -> None:
    assert world.http.request(method, f"/api/v1/currencies{path}").status_code == 401
