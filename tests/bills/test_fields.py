"""Every field of a bill: what it may be, what is said when it is not, and everything at once."""

from decimal import Decimal
from typing import Any

import pytest

from ..conftest import Client
from .making import a_bill, changed, errors, exact, refused, seen, stored, without

REQUIRED = ["name", "match", "amount_min", "amount_max", "date", "repeat_freq", "skip", "automatch", "active"]
CURRENCY = ["currency_id", "currency_code"]


def test_every_field_is_stored_and_shown(me: Client) -> None:
    bill = stored(me, a_bill(notes="Paid by standing order"))

    assert bill["type"] == "bills"
    assert bill["id"].isdigit()
    assert bill["links"] == {
        "self": f"http://farthing.example/api/v1/bills/{bill['id']}",
        "0": {"rel": "self", "uri": f"/bills/{bill['id']}"},
    }
    assert bill["attributes"] == {
        "created_at": "2024-05-15T12:00:00+00:00",
        "updated_at": "2024-05-15T12:00:00+00:00",
        "name": "Rent",
        "match": ["rent", "landlord"],
        "amount_min": 795,
        "amount_max": Decimal("855.5"),
        "currency_id": 1,
        "currency_code": "EUR",
        "currency_symbol": "€",
        "currency_dp": 2,
        "date": "2024-01-01",
        "repeat_freq": "monthly",
        "skip": 0,
        "automatch": True,
        "active": True,
        "attachments_count": 0,
        "pay_dates": [],
        "paid_dates": [],
        "periods": [],
        "next_expected_match": "2024-06-01",
        "matching": False,
        "notes": "Paid by standing order",
        "end_date": None,
        "extension_date": None,
        "object_group_id": None,
        "object_group_title": None,
        "object_group_order": None,
        "order": 1,
    }
    assert seen(me, bill) == bill["attributes"]


@pytest.mark.any_database
@pytest.mark.parametrize("how", ["POST", "PUT"])
def test_an_empty_body_names_every_required_field(me: Client, how: str) -> None:
    path = f"/bills/{stored(me)['id']}" if how == "PUT" else "/bills"

    found = errors(me.request(how, path, json={}))

    assert found == {
        "name": ["The name field is required."],
        "match": ["The match field is required."],
        "amount_min": ["The minimum amount field is required."],
        "amount_max": ["The maximum amount field is required."],
        "date": ["The date field is required."],
        "repeat_freq": ["The repeat freq field is required."],
        "skip": ["The skip field is required."],
        "automatch": ["The automatch field is required."],
        "active": ["The active field is required."],
        "currency_id": ["The currency id field is required when currency code is not present."],
        "currency_code": ["The currency code field is required when currency id is not present."],
    }


@pytest.mark.any_database
@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("empty", [None, "", "   "])
def test_an_empty_required_field_counts_as_missing(me: Client, name: str, empty: str | None) -> None:
    assert list(refused(me, a_bill(**{name: empty}))) == [name]


WRONG: dict[str, list[Any]] = {
    "name": [["Rent"], {"a": 1}, True, "x" * 256, "a\0b"],
    "match": [{"a": 1}, True, [["rent"]], [{}], "x" * 256, ["x" * 128, "y" * 128], "a\0b"],
    "amount_min": ["abc", "1,50", "1e3", "NaN", "Infinity", "0x10", True, [], {}, 0, "0.00", -1, "7.123"],
    "amount_max": ["abc", "855,50", "1e3", True, {}, 0, "-855", "855.501", "92233720368547758.08"],
    "date": ["2024-02-30", "2024-13-01", "01/02/2024", "tomorrow", 20240101, "0999-12-31", "9999-01-01", True, []],
    "repeat_freq": ["daily", "Monthly", "half year", 1, True, ["monthly"]],
    "skip": [-1, 32, "1.5", "abc", True, [], "500"],
    "automatch": ["yes", "on", 2, -1, "t", [], {}],
    "active": ["no", "off", 2, "01", [], {}],
    "currency_code": ["EURO", "ZZZ", True, []],
    "currency_id": [0, -1, 99999, "abc", "1.5", True, 2**63],
    "notes": ["x" * 65_001, {}, True],
}


@pytest.mark.any_database
@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_wrong_value_names_its_field_and_no_other(me: Client, name: str, value: Any) -> None:
    body = without(a_bill(), "currency_code") if name == "currency_id" else a_bill()

    found = refused(me, {**body, name: value})

    assert list(found) == [name]
    assert found[name][0].startswith("The ")
    assert me.get("/bills").json()["data"] == []


RIGHT: dict[str, list[tuple[Any, Any]]] = {
    "name": [("x" * 255, "x" * 255), ("  Rent  ", "Rent"), (12, "12")],
    "amount_min": [("795.00", Decimal(795)), (795.25, Decimal("795.25")), ("0.01", Decimal("0.01"))],
    "amount_max": [(1000, Decimal(1000)), ("92233720368547758.07", Decimal("92233720368547758.07"))],
    "date": [("2024-02-29", "2024-02-29"), ("2024-05-01T23:59:59-12:00", "2024-05-01"), ("9998-12-31", "9998-12-31")],
    "repeat_freq": [(one, one) for one in ("weekly", "monthly", "quarterly", "half-year", "yearly")],
    "skip": [(0, 0), ("31", 31), ("1.0", 1)],
    "automatch": [(0, False), ("1", True), ("FALSE", False), (True, True)],
    "active": [("0", False), (1, True), ("true", True), (False, False)],
    "currency_code": [("eur", "EUR"), (" USD ", "USD")],
    "notes": [("", None), (None, None), ("x" * 65_000, "x" * 65_000), (" two\nlines ", "two\nlines")],
}


@pytest.mark.parametrize(
    ("name", "value", "expected"), [(name, *pair) for name, pairs in RIGHT.items() for pair in pairs]
)
def test_a_valid_value_is_stored(me: Client, name: str, value: Any, expected: Any) -> None:
    assert stored(me, a_bill(**{name: value}))["attributes"][name] == expected


@pytest.mark.any_database
def test_all_problems_are_reported_at_once(me: Client) -> None:
    stored(me)

    found = refused(
        me,
        {
            "name": "RENT",
            "match": "Landlord, RENT",
            "amount_min": "20",
            "amount_max": "10",
            "currency_code": "ZZZ",
            "date": "2024-02-30",
            "repeat_freq": "daily",
            "skip": 32,
            "automatch": "maybe",
        },
    )

    assert set(found) == {*REQUIRED, "currency_code"}
    assert "taken" in found["name"][0]
    assert "another of your bills" in found["match"][0]
    assert "smaller" in found["amount_min"][0]
    assert "larger" in found["amount_max"][0]
    assert found["active"] == ["The active field is required."]


@pytest.mark.any_database
@pytest.mark.parametrize("highest", ["10", "10.00", "9.99", "0.01"])
def test_the_maximum_must_be_larger_and_both_fields_say_so(me: Client, highest: str) -> None:
    assert refused(me, a_bill(amount_min="10", amount_max=highest)) == {
        "amount_min": ["The minimum amount must be smaller than the maximum amount."],
        "amount_max": ["The maximum amount must be larger than the minimum amount."],
    }


def test_amounts_are_exact_in_their_currency(me: Client) -> None:
    dinar = stored(me, a_bill(name="Dinar", match="kw", amount_min="0.001", amount_max="0.002", currency_code="KWD"))

    assert (dinar["attributes"]["amount_min"], dinar["attributes"]["amount_max"]) == (
        Decimal("0.001"),
        Decimal("0.002"),
    )
    assert refused(me, a_bill(currency_code="JPY", amount_min="795.5"))["amount_min"] == [
        "The minimum amount may have at most 0 decimal places in JPY."
    ]


MATCHES: list[tuple[Any, list[str]]] = [
    ("rent", ["rent"]),
    (" rent , landlord ", ["rent", "landlord"]),
    ("rent,,landlord,", ["rent", "landlord"]),
    (["rent", " landlord "], ["rent", "landlord"]),
    (["rent,landlord", ""], ["rent", "landlord"]),
    ("rent,Rent,RENT,landlord", ["rent", "landlord"]),
    ("Straße,STRASSE,e\u0301t\u00e9,\u00c9T\u00c9", ["Straße", "e\u0301t\u00e9"]),
    ("two words,more", ["two words", "more"]),
    (["x" * 127, "y" * 127], ["x" * 127, "y" * 127]),
    (12, ["12"]),
]


@pytest.mark.parametrize(("sent", "expected"), MATCHES)
def test_words_are_trimmed_and_duplicates_dropped(me: Client, sent: Any, expected: list[str]) -> None:
    assert stored(me, a_bill(match=sent))["attributes"]["match"] == expected


@pytest.mark.any_database
@pytest.mark.parametrize("sent", [",", " , ,", [], ["", "  "], [","]])
def test_without_any_word_the_field_is_missing(me: Client, sent: Any) -> None:
    assert refused(me, a_bill(match=sent)) == {"match": ["The match field is required."]}


@pytest.mark.parametrize("sent", ["rent,landlord", "LANDLORD,Rent", [" landlord", "RENT", "rent"]])
def test_no_two_bills_have_the_same_set_of_words(me: Client, sent: Any) -> None:
    stored(me)

    assert refused(me, a_bill(name="Other", match=sent)) == {
        "match": ["The match words are already used by another of your bills."]
    }
    assert stored(me, a_bill(name="Other", match="rent"))["attributes"]["match"] == ["rent"]


@pytest.mark.parametrize("name", ["Rent", "rent", " RENT "])
def test_a_name_is_unique_ignoring_case(me: Client, name: str) -> None:
    stored(me)

    assert refused(me, a_bill(name=name, match="other")) == {
        "name": ["The name has already been taken by another of your bills."]
    }


def test_names_and_words_of_other_users_are_free(me: Client, someone_else: Client) -> None:
    stored(someone_else)

    assert stored(me)["attributes"]["name"] == "Rent"


def test_after_deletion_name_and_words_are_free_again(me: Client) -> None:
    first = stored(me)
    assert me.delete(f"/bills/{first['id']}").status_code == 204

    assert stored(me)["id"] != first["id"]


def test_unknown_fields_are_ignored(me: Client) -> None:
    assert stored(me, a_bill(user_id=1, id=10**9, colour="red"))["id"] != str(10**9)


CURRENCIES: list[tuple[dict[str, Any], str]] = [
    ({"currency_id": 7}, "USD"),
    ({"currency_id": "7"}, "USD"),
    ({"currency_code": "USD"}, "USD"),
    ({"currency_id": 7, "currency_code": "usd"}, "USD"),
    ({"currency_id": 7, "currency_code": "EUR"}, "USD"),
    ({"currency_id": "", "currency_code": "USD"}, "USD"),
    ({"currency_id": 7, "currency_code": None}, "USD"),
]


@pytest.mark.parametrize(("chosen", "expected"), CURRENCIES)
def test_the_currency_is_chosen_by_id_or_code_when_made_and_when_changed(
    me: Client, chosen: dict[str, Any], expected: str
) -> None:
    body = {**without(a_bill(), "currency_code"), **chosen}

    assert stored(me, {**body, "name": "Made", "match": "made"})["attributes"]["currency_code"] == expected
    assert changed(me, stored(me), body)["attributes"]["currency_code"] == expected


def test_when_two_currencies_are_sent_both_must_exist(me: Client) -> None:
    assert list(refused(me, a_bill(currency_id=99999))) == ["currency_id"]
    assert list(refused(me, a_bill(currency_id=1, currency_code="ZZZ"))) == ["currency_code"]


def test_a_change_replaces_everything_and_blanks_what_is_left_out(me: Client) -> None:
    bill = stored(me, a_bill(notes="old"))
    other = {
        "name": "House",
        "match": ["house"],
        "amount_min": 1,
        "amount_max": 2,
        "currency_id": 7,
        "date": "2023-01-31",
        "repeat_freq": "yearly",
        "skip": 2,
        "automatch": 0,
        "active": 0,
    }

    found = changed(me, bill, other)["attributes"]

    assert found == {
        **bill["attributes"],
        **other,
        "currency_code": "USD",
        "currency_symbol": "$",
        "automatch": False,
        "active": False,
        "next_expected_match": None,
        "notes": None,
    }


@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_note_clears_it(me: Client, empty: str | None) -> None:
    bill = stored(me, a_bill(notes="old"))

    assert changed(me, bill, a_bill(notes=empty))["attributes"]["notes"] is None


def test_a_change_may_keep_its_own_name_and_words(me: Client) -> None:
    bill = stored(me)

    assert changed(me, bill, a_bill(name="RENT", match="landlord,RENT"))["attributes"]["match"] == ["landlord", "RENT"]


def test_a_change_may_not_take_the_name_or_words_of_another_bill(me: Client) -> None:
    stored(me, a_bill(name="Gas", match="gas"))
    bill = stored(me)

    found = errors(me.put(f"/bills/{bill['id']}", a_bill(name="gas", match="GAS")))

    assert set(found) == {"name", "match"}
    assert seen(me, bill) == bill["attributes"]


@pytest.mark.parametrize("how", ["data", "files"])
def test_forms_work_when_made_and_when_changed(me: Client, how: str) -> None:
    fields = {name: str(int(value) if isinstance(value, bool) else value) for name, value in a_bill().items()}
    sent = {how: {name: (None, value) for name, value in fields.items()} if how == "files" else fields}

    made = me.request("POST", "/bills", **sent)
    again = me.request("PUT", f"/bills/{made.json()['data']['id']}", **sent)

    assert (made.status_code, again.status_code) == (200, 200), again.text
    assert exact(made)["data"]["attributes"] == exact(again)["data"]["attributes"]
    assert made.json()["data"]["attributes"]["match"] == ["rent", "landlord"]


def test_words_may_come_as_form_fields_with_brackets(me: Client) -> None:
    fields = {name: str(int(value) if isinstance(value, bool) else value) for name, value in a_bill().items()}
    fields = {**without(fields, "match"), "match[]": ["rent", "landlord"]}

    response = me.request("POST", "/bills", data=fields)

    assert response.json()["data"]["attributes"]["match"] == ["rent", "landlord"]


def test_an_unknown_id_is_reported_before_a_wrong_body(me: Client, someone_else: Client) -> None:
    other = stored(someone_else)

    for bill_id in (other["id"], "999999999"):
        assert me.put(f"/bills/{bill_id}", {}).status_code == 404
    assert seen(someone_else, other) == other["attributes"]
