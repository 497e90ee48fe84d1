"""What does a new account need? Every field of the contract: required, conditional, ignored, or refused by name."""

import pytest

from .making import asset, card, errors, expense, liability, made, revenue, shown, without

EVERY_KIND = [asset(), card(), expense(), revenue(), liability()]
OWED = ("liability_type", "liability_amount", "liability_start_date", "interest", "interest_period")


def kind_of(body):
    return f"{body['type']} {body.get('account_role', '')}".strip()


def stored(client):
    return client.get("/accounts").json()["meta"]["pagination"]["total"]


@pytest.mark.parametrize("body", EVERY_KIND, ids=kind_of)
def test_the_smallest_account_of_each_kind_is_accepted(me, body):
    assert shown(me, made(me, body))["name"] == body["name"]


def test_a_new_account_answers_with_all_that_the_contract_names(me):
    body = asset(
        iban="NL02 ABNA 0123 4567 89", bic="abnanl2a", account_number="7", virtual_balance="12.34", notes="mine",
        opening_balance="45.67", opening_balance_date="2024-01-01", account_role="savingAsset",
    )  # fmt: skip

    response = me.post("/accounts", body)

    data = response.json()["data"]
    assert (response.status_code, response.headers["content-type"]) == (200, "application/vnd.api+json")
    assert data["type"] == "accounts"
    assert data["links"] == {
        "self": f"http://farthing.example/api/v1/accounts/{data['id']}",
        "0": {"rel": "self", "uri": f"/accounts/{data['id']}"},
    }
    assert data["attributes"] == {
        "created_at": "2024-05-15T12:00:00+00:00", "updated_at": "2024-05-15T12:00:00+00:00",
        "name": "Checking", "active": True, "type": "Asset account",
        "currency_id": 1, "currency_code": "EUR", "currency_symbol": "€", "currency_dp": 2,
        "current_balance": 58.01, "current_balance_date": "2024-05-15", "notes": "mine",
        "monthly_payment_date": None, "credit_card_type": None, "account_number": "7",
        "iban": "NL02ABNA0123456789", "bic": "ABNANL2A", "virtual_balance": 12.34,
        "opening_balance": 45.67, "opening_balance_date": "2024-01-01",
        "role": "savingAsset", "account_role": "savingAsset", "include_net_worth": True,
        "interest": None, "interest_period": None,
        "liability_type": None, "liability_amount": None, "liability_start_date": None, "liability_direction": None,
        "latitude": None, "longitude": None, "zoom_level": None,
    }  # fmt: skip


@pytest.mark.any_database
@pytest.mark.parametrize("body", EVERY_KIND, ids=kind_of)
@pytest.mark.parametrize("field", ["name", "active", "include_net_worth"])
def test_name_active_and_include_net_worth_are_always_required(me, body, field):
    sentence = f"The {field.replace('_', ' ')} field is required."

    assert errors(me.post("/accounts", without(body, field))) == {field: [sentence]}
    assert errors(me.post("/accounts", body | {field: None})) == {field: [sentence]}
    assert errors(me.post("/accounts", body | {field: "  "})) == {field: [sentence]}


def test_the_type_is_required_and_one_of_four(me):
    assert errors(me.post("/accounts", without(expense(), "type"))) == {"type": ["The type field is required."]}
    for word in ("cash", "Asset", "Asset account", "loan", "liabilities", "import"):
        assert list(errors(me.post("/accounts", expense(type=word)))) == ["type"]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("body", "field", "condition"),
    [
        (asset(), "account_role", "type is asset"),
        (card(), "cc_type", "account role is ccAsset"),
        (card(), "cc_monthly_payment_date", "account role is ccAsset"),
        *((liability(), field, "type is liability") for field in OWED),
    ],
)
def test_what_the_kind_demands_is_required(me, body, field, condition):
    sentence = f"The {field.replace('_', ' ')} field is required when {condition}."

    assert errors(me.post("/accounts", without(body, field))) == {field: [sentence]}
    assert errors(me.post("/accounts", body | {field: ""})) == {field: [sentence]}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        *((expense(), field) for field in ("account_role", "cc_type", "cc_monthly_payment_date", *OWED)),
        *((revenue(), field) for field in ("opening_balance", "opening_balance_date", *OWED)),
        *((liability(), field) for field in ("account_role", "opening_balance", "opening_balance_date", "cc_type")),
        *((asset(), field) for field in ("cc_type", "cc_monthly_payment_date", *OWED)),
    ],
)
def test_a_field_of_another_kind_is_ignored_unchecked(me, body, field):
    plain = shown(me, made(me, body))

    assert shown(me, made(me, body | {field: "nonsense"})) == plain
    assert shown(me, made(me, body | {field: ["2024-01-01"]})) == plain


def test_unknown_fields_are_ignored(me):
    assert shown(me, made(me, expense(colour="blue", user_id=1, id=99, data={"attributes": {"name": "x"}})))["name"]


# Values that do not fit

TEXT, NUMBER, DECIMAL, FLAG, GROUP, LIST = "nonsense", 7, 7.25, True, {"a": 1}, [1]
NOT_TEXT = [FLAG, GROUP, LIST]
NOT_A_CHOICE = [TEXT, NUMBER, *NOT_TEXT]
NOT_A_NUMBER = [TEXT, *NOT_TEXT]
NOT_A_DAY = [TEXT, NUMBER, DECIMAL, *NOT_TEXT, "2023-02-29", "2024-13-01", "01/02/2024", "20240102", "0999-12-31"]
WRONG = [
    (asset(), "name", [*NOT_TEXT, "n" * 256]),
    (asset(), "type", NOT_A_CHOICE),
    (asset(), "currency_id", [TEXT, DECIMAL, *NOT_TEXT, 0, -1, "1.5", 2**63, 10**40]),
    (asset(), "currency_code", [*NOT_TEXT, "EURO", "XXQ", "E"]),
    (asset(), "active", [TEXT, NUMBER, GROUP, LIST, "yes", "on", 2, -1, 0.5]),
    (asset(), "include_net_worth", [TEXT, NUMBER, GROUP, LIST, "no", "off", 2]),
    (asset(), "account_role", [*NOT_A_CHOICE, "walletAsset", "DefaultAsset"]),
    (card(), "cc_type", [*NOT_A_CHOICE, "monthlyfull"]),
    (card(), "cc_monthly_payment_date", NOT_A_DAY),
    (liability(), "liability_type", [*NOT_A_CHOICE, "Loan", "credit_card"]),
    (liability(), "liability_amount", [*NOT_A_NUMBER, 0, -1, "0.00", "1,50", "1e3", "0x10", "NaN", "Infinity"]),
    (liability(), "liability_start_date", NOT_A_DAY),
    (liability(), "interest", [*NOT_A_NUMBER, -0.1, 100.01, "101", "3,5"]),
    (liability(), "interest_period", [*NOT_A_CHOICE, "Yearly", "fortnightly"]),
    (asset(), "iban", [TEXT, NUMBER, *NOT_TEXT, "NL02ABNA0123456788", "NL02ABNA012345678", "XX02ABNA0123456789"]),
    (asset(), "bic", [NUMBER, *NOT_TEXT, "ABNANL2", "ABNANL2A1", "1BNANL2A", "ABNANL2A-XXX"]),
    (asset(), "account_number", [*NOT_TEXT, "7" * 256]),
    (asset(opening_balance_date="2024-01-01"), "opening_balance", [*NOT_A_NUMBER, "1.001", "1e3", "--1"]),
    (asset(opening_balance="1"), "opening_balance_date", NOT_A_DAY),
    (asset(), "virtual_balance", [*NOT_A_NUMBER, 0.001, "92233720368547758.08", 10**30, 1e29]),
    (asset(), "notes", [*NOT_TEXT, "n" * 65_001]),
]


@pytest.mark.any_database
@pytest.mark.parametrize(("body", "field", "values"), WRONG, ids=[field for _, field, _ in WRONG])
def test_a_value_that_does_not_fit_is_refused_under_its_own_name_and_nothing_is_stored(me, body, field, values):
    before = stored(me)

    for value in values:
        found = errors(me.post("/accounts", without(body, "currency_code") | {"currency_code": "EUR", field: value}))
        assert list(found) == [field], value
        assert len(found[field]) == 1
        assert found[field][0].endswith(".")

    assert stored(me) == before


def test_everything_wrong_is_said_in_one_answer(me):
    made(me, asset(account_number="7"))

    found = errors(
        me.post(
            "/accounts",
            asset(
                name="", active="maybe", currency_code="JPY", virtual_balance="1.5", account_number="7",
                opening_balance_date="2023-02-29", iban="NL02ABNA0123456788", account_role="ccAsset",
            ),
        )
    )  # fmt: skip

    assert found == {
        "name": ["The name field is required."],
        "active": ["The active field must be true or false."],
        "virtual_balance": ["The virtual balance may have at most 0 decimal places in JPY."],
        "account_number": ["The account number is already used by another of your accounts."],
        "opening_balance": ["The opening balance field is required when opening balance date is present."],
        "opening_balance_date": ["The opening balance date is not a valid date: there is no such day in the calendar."],
        "iban": ["The iban is not a valid IBAN: check the country, the length and each digit."],
        "cc_type": ["The cc type field is required when account role is ccAsset."],
        "cc_monthly_payment_date": ["The cc monthly payment date field is required when account role is ccAsset."],
    }


def test_an_empty_body_names_every_field_that_is_always_needed(me):
    assert sorted(errors(me.post("/accounts", {}))) == [
        "active", "currency_code", "currency_id", "include_net_worth", "name", "type",
    ]  # fmt: skip


# What fits, in all its spellings


@pytest.mark.parametrize(
    ("sent", "seen"),
    [(True, True), (1, True), ("1", True), ("TRUE", True), (False, False), (0, False), ("0", False), ("false", False)],
)
def test_a_flag_may_be_a_boolean_a_digit_or_a_word_and_false_is_kept(me, sent, seen):
    account = shown(me, made(me, asset(active=sent, include_net_worth=sent)))

    assert (account["active"], account["include_net_worth"]) == (seen, seen)


@pytest.mark.parametrize("day", ["2024-02-29", "2024-02-29T23:59:59-11:00", "2024-02-29 00:00:00"])
def test_of_a_date_time_the_day_counts_as_written(me, day):
    assert shown(me, made(me, card(cc_monthly_payment_date=day)))["monthly_payment_date"] == "2024-02-29"


def test_text_is_trimmed_and_may_be_anything_printable(me):
    account = shown(me, made(me, asset(name="  Åse's ≤ 😀 \n", notes=" line\nline ", account_number=123)))

    assert (account["name"], account["notes"], account["account_number"]) == ("Åse's ≤ 😀", "line\nline", "123")


def test_the_longest_texts_fit(me):
    account = shown(me, made(me, asset(name="ß" * 255, notes="😀" * 65_000, account_number="😀" * 255)))

    assert (account["name"], len(account["notes"]), len(account["account_number"])) == ("ß" * 255, 65_000, 255)


def test_two_accounts_may_have_one_name(me):
    assert made(me, asset(name="Same")) != made(me, asset(name="Same"))


# Credit cards among the assets


def test_a_credit_card_shows_its_type_and_its_payment_date(me):
    account = shown(me, made(me, card()))

    assert account["type"] == "Asset account"
    assert account["role"] == "ccAsset"
    assert account["credit_card_type"] == "monthlyFull"
    assert account["monthly_payment_date"] == "2024-05-25"


# Which currency


@pytest.mark.parametrize(
    "choice",
    [{"currency_id": 1}, {"currency_id": "1"}, {"currency_code": "EUR"}, {"currency_id": 1, "currency_code": "EUR"}],
    ids=str,
)
def test_the_currency_is_chosen_by_id_or_by_code_or_both(me, choice):
    account = shown(me, made(me, without(asset(), "currency_code") | choice))

    assert (account["currency_id"], account["currency_code"]) == (1, "EUR")


def test_of_an_id_and_another_code_the_id_wins(me):
    assert shown(me, made(me, asset(currency_id=1, currency_code="USD")))["currency_code"] == "EUR"


def test_without_a_currency_both_names_are_asked_for(me):
    expected = {
        "currency_id": ["The currency id field is required when currency code is not present."],
        "currency_code": ["The currency code field is required when currency id is not present."],
    }

    assert errors(me.post("/accounts", without(asset(), "currency_code"))) == expected
    assert errors(me.post("/accounts", asset(currency_code="", currency_id=None))) == expected


def test_an_unknown_currency_is_refused_by_whichever_name_it_came(me):
    assert errors(me.post("/accounts", asset(currency_code="XXQ", currency_id=999_999))) == {
        "currency_id": ["The selected currency id is invalid: there is no such currency."],
        "currency_code": ["The selected currency code is invalid: there is no such currency."],
    }
