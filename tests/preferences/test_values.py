"""What may the data of each preference be? It keeps its kind, and what cannot be used is refused with a reason."""

from typing import Any

import pytest

from farthing.books.preferences.model import NAMES

from ..conftest import Client

FIELDS = "transaction_journal_optional_fields"


def refusal(client: Client, name: str, body: dict[str, Any]) -> str:
    """The one sentence; the preference must be as it was."""
    before = client.get(f"/preferences/{name}").json()

    answer = client.put(f"/preferences/{name}", body)

    assert answer.status_code == 422, answer.text
    assert list(answer.json()["errors"]) == ["data"]
    assert client.get(f"/preferences/{name}").json() == before
    [sentence] = answer.json()["errors"]["data"]
    return str(sentence)


@pytest.mark.parametrize(
    ("name", "sent", "kept"),
    [
        ("language", "nl_NL", "nl_NL"),
        ("language", "de", "de"),
        ("language", "pt-br", "pt_BR"),
        ("language", "zh_TW", "zh_TW"),
        ("language", "sr_latn_RS", "sr_Latn_RS"),
        ("customFiscalYear", True, True),
        ("customFiscalYear", 1, True),
        ("customFiscalYear", "TRUE", True),
        ("customFiscalYear", False, False),
        ("customFiscalYear", 0, False),
        ("fiscalYearStart", "04-01", "04-01"),
        ("fiscalYearStart", "02-29", "02-29"),
        ("currencyPreference", "JPY", "JPY"),
        ("currencyPreference", " usd ", "USD"),
        (FIELDS, ["notes", "due_date"], ["notes", "due_date"]),
        (FIELDS, "notes, due_date,", ["notes", "due_date"]),
        (FIELDS, {"notes": True, "due_date": 0, "book_date": "1"}, ["notes", "book_date"]),
        (FIELDS, {}, []),
        (FIELDS, [], []),
        ("frontPageAccounts", [4, 5], [4, 5]),
        ("frontPageAccounts", ["4", 5], ["4", 5]),
        ("frontPageAccounts", "4,5,6", ["4", "5", "6"]),
        ("frontPageAccounts", 4, [4]),
        ("frontPageAccounts", [], []),
        ("viewRange", "1D", "1D"),
        ("viewRange", " 6M ", "6M"),
        ("listPageSize", 1, 1),
        ("listPageSize", "1000", 1000),
        ("listPageSize", 20.0, 20),
        ("twoFactorAuthEnabled", "0", False),
        ("timezone", "America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("recurrenceCatchUp", "latest", "latest"),
        ("holidayCountry", "NL", "NL"),
        ("holidayCountry", "gb", "GB"),
        ("holidayCountry", "de-by", "DE-BY"),
        ("holidayCountry", "none", ""),
        ("holidayCountry", " None ", ""),
        ("savedFilters", [{"name": " Food ", "query": "category_id=4"}], [{"name": "Food", "query": "category_id=4"}]),
        ("savedFilters", [], []),
        ("accountOrder", "5,4", ["5", "4"]),
        ("accountGroupOrder", ["debts", "savings"], ["debts", "savings"]),
        (
            "dashboardCards",
            [{"card": "bills", "shown": "0"}, {"card": "report", "name": " Food ", "report": "spending"}],
            [
                {"card": "bills", "shown": False, "name": "", "report": "", "query": ""},
                {"card": "report", "shown": True, "name": "Food", "report": "spending", "query": ""},
            ],
        ),
    ],
)
def test_a_fitting_value_is_kept_in_its_kind(me: Client, name: str, sent: object, kept: object) -> None:
    answer = me.put(f"/preferences/{name}", {"data": sent})

    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]["attributes"]["data"]
    assert (data, type(data)) == (kept, type(kept))


@pytest.mark.any_database
@pytest.mark.parametrize("sent", ["english", "xx", "en_ZZ", "de_XX", "en_US_POSIX", "root", "../etc", 12])
def test_a_language_must_be_known(me: Client, sent: object) -> None:
    sentence = refusal(me, "language", {"data": sent})

    assert sentence == "The data must be a known language, such as en_US."


@pytest.mark.any_database
@pytest.mark.parametrize("name", ["customFiscalYear", "twoFactorAuthEnabled"])
@pytest.mark.parametrize("sent", ["yes", 2, [], {}, [True], "on"])
def test_a_switch_is_true_or_false(me: Client, name: str, sent: object) -> None:
    assert refusal(me, name, {"data": sent}) == "The data field must be true or false."


@pytest.mark.any_database
@pytest.mark.parametrize("sent", ["1 April", "13-01", "00-10", "04-31", "02-30", "4-1", "01-00", "2024-04-01"])
def test_a_fiscal_year_starts_on_a_day_that_exists(me: Client, sent: str) -> None:
    sentence = refusal(me, "fiscalYearStart", {"data": sent})

    assert sentence == "The data must be a month and a day that exists, such as 04-01."


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ("XQZ", "The data must be the code of a currency, but there is no currency XQZ."),
        ("euro", "The data must be the code of a currency, such as EUR."),
        (1, "The data must be the code of a currency, such as EUR."),
        ("E\u0000R", "The data may not contain the NUL character."),
    ],
)
def test_the_default_currency_must_be_known(me: Client, sent: object, sentence: str) -> None:
    assert refusal(me, "currencyPreference", {"data": sent}) == sentence


@pytest.mark.any_database
@pytest.mark.parametrize("sent", ["notes,wishes", ["wishes"], [1], {"wishes": True}])
def test_optional_fields_are_among_the_known_ones(me: Client, sent: object) -> None:
    assert refusal(me, FIELDS, {"data": sent}).startswith("The data must be a list of these names: interest_date, ")


def test_an_object_of_optional_fields_says_yes_or_no(me: Client) -> None:
    assert refusal(me, FIELDS, {"data": {"notes": "maybe"}}) == "The data field must be true or false."


@pytest.mark.any_database
@pytest.mark.parametrize("sent", ["4,five", ["-1"], [-1], ["4.5"], [10**18]])
def test_front_page_accounts_are_ids(me: Client, sent: object) -> None:
    sentence = refusal(me, "frontPageAccounts", {"data": sent})

    assert sentence == "The data must be a list of account ids, such as 4,5,6."


@pytest.mark.any_database
@pytest.mark.parametrize("sent", [True, {"a": 1}, [[4]], [True], [4.5], [{"id": 4}]])
def test_a_list_holds_plain_values(me: Client, sent: object) -> None:
    assert refusal(me, "frontPageAccounts", {"data": sent}) == "The data must be a list, or comma-separated text."


@pytest.mark.any_database
@pytest.mark.parametrize("sent", ["2M", "1m", "month", 1, True, ["1M"]])
def test_a_view_range_is_one_of_six(me: Client, sent: object) -> None:
    sentence = refusal(me, "viewRange", {"data": sent})

    assert sentence == "The selected data is invalid: it must be one of 1D, 1W, 1M, 3M, 6M, 1Y."


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (0, "The data must be between 1 and 1000."),
        (1001, "The data must be between 1 and 1000."),
        ("-1", "The data must be between 1 and 1000."),
        (1.5, "The data must be a whole number."),
        ("abc", "The data must be a number, written like 1234.56."),
        (True, "The data must be a number."),
        ([50], "The data must be a number."),
    ],
)
def test_a_page_holds_one_to_a_thousand(me: Client, sent: object, sentence: str) -> None:
    assert refusal(me, "listPageSize", {"data": sent}) == sentence


@pytest.mark.any_database
@pytest.mark.parametrize("sent", ["Europe", "Atlantis", "europe/amsterdam", "../UTC", "/etc/passwd", "+01:00", 1])
def test_a_time_zone_is_one_of_the_iana_list(me: Client, sent: object) -> None:
    sentence = refusal(me, "timezone", {"data": sent})

    assert sentence == "The data must be a time zone of the IANA list, such as Europe/Amsterdam."


def test_catching_up_is_all_latest_or_none(me: Client) -> None:
    sentence = refusal(me, "recurrenceCatchUp", {"data": "some"})

    assert sentence == "The selected data is invalid: it must be one of all, latest, none."


@pytest.mark.any_database
@pytest.mark.parametrize("sent", ["Netherlands", "XX", "EU", "ZZ", "N", "419", "001", "DE-", "DE-XX", "-BY", "DEU"])
def test_a_holiday_country_exists(me: Client, sent: str) -> None:
    sentence = refusal(me, "holidayCountry", {"data": sent})

    assert sentence == "The data must be a country, such as NL, a region of a country, such as DE-BY, or none."


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("type=deposit", "must be a list of filters, each with a name and a query."),
        ([4], "must be a list of filters, each with a name and a query."),
        ([{"query": "type=deposit"}], "must give every filter a name of 1 to 100 characters."),
        ([{"name": "x" * 101, "query": "type=deposit"}], "must give every filter a name of 1 to 100 characters."),
        ([{"name": "Income"}], "must give every filter a query of 1 to 2000 characters."),
        ([{"name": "Income", "query": "a"}, {"name": "INCOME", "query": "b"}],
         "may not have two filters of the same name."),
        ([{"name": f"Filter {one}", "query": "a"} for one in range(101)], "may not have more than 100 filters."),
    ],
)  # fmt: skip
def test_a_saved_filter_has_a_name_of_its_own_and_a_query(me: Client, sent: object, reason: str) -> None:
    assert refusal(me, "savedFilters", {"data": sent}) == f"The data {reason}"


_FOOD = {"card": "report", "name": "Food", "report": "spending", "query": "by=category"}


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ([4], "must be a list of cards, each with the fields card and shown."),
        ([{"shown": True}], "may only have the cards figures, net_worth, recent, bills, accounts, coming and report."),
        ([{"card": "bills"}, {"card": "bills"}], "may have each card only once, except for reports."),
        ([{"card": "bills", "name": "Rent"}], "may give a name, a report and a query only to reports."),
        ([_FOOD | {"report": "taxes"}], "must say which report each one is: spending, income, worth, flow, budgets."),
        ([_FOOD | {"name": ""}], "must give every report a name of 1 to 100 characters."),
        ([_FOOD | {"query": "x" * 2001}], "may give a report a query of at most 2000 characters."),
        ([_FOOD, _FOOD | {"name": "FOOD"}], "may not have two reports of the same name."),
        ([_FOOD | {"name": f"Report {one}"} for one in range(51)], "may not have more than 50 reports."),
    ],
)
def test_a_card_of_the_dashboard_is_one_that_there_is(me: Client, sent: object, reason: str) -> None:
    assert refusal(me, "dashboardCards", {"data": sent}) == f"The data {reason}"


@pytest.mark.any_database
@pytest.mark.parametrize("name", sorted(NAMES))
@pytest.mark.parametrize("body", [{}, {"data": None}, {"data": ""}, {"data": "  "}, {"value": "x"}])
def test_empty_data_is_refused_for_every_preference(me: Client, name: str, body: dict[str, Any]) -> None:
    assert refusal(me, name, body) == "The data field is required."


@pytest.mark.any_database
@pytest.mark.parametrize("name", sorted(NAMES))
def test_an_empty_field_of_a_form_is_refused_for_every_preference(me: Client, name: str) -> None:
    answer = me.request("PUT", f"/preferences/{name}", data={"data": ""})

    assert answer.status_code == 422
    assert answer.json()["errors"] == {"data": ["The data field is required."]}


@pytest.mark.parametrize(
    ("name", "full"),
    [("frontPageAccounts", ["4"]), (FIELDS, ["notes"]), ("savedFilters", [{"name": "Food", "query": "a=1"}])],
)
def test_a_list_is_emptied_by_an_empty_list(me: Client, name: str, full: list[Any]) -> None:
    me.put(f"/preferences/{name}", {"data": full})

    assert me.put(f"/preferences/{name}", {"data": []}).json()["data"]["attributes"]["data"] == []
    assert me.get(f"/preferences/{name}").json()["data"]["attributes"]["data"] == []


def test_none_takes_the_holiday_country_away(me: Client) -> None:
    me.put("/preferences/holidayCountry", {"data": "NL"})

    assert me.put("/preferences/holidayCountry", {"data": "none"}).json()["data"]["attributes"]["data"] == ""


@pytest.mark.any_database
@pytest.mark.parametrize("sent", [["123456789"] * 6501, ",".join(["123456789"] * 6501)])
def test_data_has_at_most_65000_characters(me: Client, sent: object) -> None:
    sentence = refusal(me, "frontPageAccounts", {"data": sent})

    assert sentence == "The data may not be greater than 65000 characters."


def test_65000_characters_still_fit(me: Client) -> None:
    ids = ["123456789"] * 6500

    assert me.put("/preferences/frontPageAccounts", {"data": ids}).json()["data"]["attributes"]["data"] == ids


def test_a_list_has_at_most_ten_thousand_items(me: Client) -> None:
    sentence = refusal(me, "frontPageAccounts", {"data": [1] * 10_001})

    assert sentence == "The data may not have more than 10000 items."


def test_a_body_that_cannot_be_read_is_told_where(me: Client) -> None:
    answer = me.request(
        "PUT", "/preferences/viewRange", content=b'{"data": ', headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 400
    assert "line 1" in answer.json()["message"]
