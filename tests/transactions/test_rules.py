"""What is refused, under which key, and in which words? Everything that is wrong is told at once."""

from decimal import Decimal

import pytest

from .making import (
    a_transaction,
    asset,
    errors,
    listed,
    made,
    posted,
    posted_one,
    refused,
    split,
    withdrawal,
)


def test_an_empty_body_says_what_is_needed(me):
    for response in (me.post("/transactions"), me.post("/transactions", {})):
        assert errors(response) == {
            "date": ["The date field is required."],
            "type": ["The type field is required."],
            "transactions": ["At least one transaction is needed."],
            "description": ["At least one transaction is needed."],
        }


@pytest.mark.any_database
@pytest.mark.parametrize("empty", [[], [None], "", None])
def test_at_least_one_split_is_needed(me, empty):
    problems = refused(me, withdrawal(1) | {"transactions": empty})

    assert list(problems) == ["transactions", "description"]


@pytest.mark.any_database
@pytest.mark.parametrize("wrong", ["text", 5, {"a": 1}, True])
def test_splits_are_a_list(me, wrong):
    assert refused(me, withdrawal(1) | {"transactions": wrong}) == {
        "transactions": ["The transactions must be a list."]
    }


def test_a_split_is_a_group_of_fields(me):
    body = withdrawal(made(me, asset()))
    body["transactions"].append("text")

    assert refused(me, body)["transactions.1"] == ["The transactions.1 must be a group of named fields."]


@pytest.mark.any_database
@pytest.mark.parametrize(
    "wrong", ["opening_balance", "reconciliation", "Withdrawal", "withdrawals", "exchange", 1, ["withdrawal"]]
)
def test_only_three_types_can_be_recorded(me, wrong):
    body = withdrawal(made(me, asset())) | {"type": wrong}

    assert refused(me, body) == {
        "type": ["The selected type is invalid: it must be one of withdrawal, deposit, transfer."]
    }


@pytest.mark.any_database
@pytest.mark.parametrize(
    "field", ["date", "interest_date", "book_date", "process_date", "due_date", "payment_date", "invoice_date"]
)
@pytest.mark.parametrize("wrong", ["2023-02-29", "10-05-2024", "20240510", "tomorrow", 20240510, "0999-12-31"])
def test_days_must_exist(me, field, wrong):
    assert list(refused(me, withdrawal(made(me, asset())) | {field: wrong})) == [field]


@pytest.mark.any_database
@pytest.mark.parametrize("wrong", [0, "0.00", -1, "-0.01", "1,50", "1e3", "NaN", "Infinity", "abc", True, "12.505", {}])
@pytest.mark.parametrize("field", ["amount", "foreign_amount"])
def test_amounts_are_above_zero_and_exact(me, field, wrong):
    body = withdrawal(made(me, asset()))
    body["transactions"][0] |= {"foreign_amount": 1, "foreign_currency_code": "USD", field: wrong}

    assert list(refused(me, body)) == [f"transactions.0.{field}"]


@pytest.mark.parametrize(
    ("code", "fits", "over"),
    [
        ("EUR", "1.01", "1.001"),
        ("JPY", "100", "100.5"),
        ("KWD", "1.001", "1.0001"),
        ("ETH", "0.000000000001", "0.0000000000001"),
    ],
)
def test_a_currency_has_its_own_decimals(me, code, fits, over):
    def body(amount):
        made_body = withdrawal(account_id, amount)
        made_body["transactions"][0]["currency_code"] = code
        return made_body

    account_id = made(me, asset(currency_code=code))

    assert posted_one(me, body(fits))["amount"] == -Decimal(fits)
    assert list(refused(me, body(over))) == ["transactions.0.amount"]


def test_the_largest_amount_is_what_64_bits_hold(me):
    key = "transactions.0.amount"

    problems = refused(me, withdrawal(made(me, asset()), "92233720368547758.08"))

    assert problems == {key: [f"The {key} may not be greater than 92233720368547758.07 in EUR."]}


def test_an_amount_needs_its_currency(me):
    body = withdrawal(made(me, asset()))
    del body["transactions"][0]["currency_code"]

    problems = refused(me, body)

    one, other = "transactions.0.currency_id", "transactions.0.currency_code"
    assert problems == {
        one: [f"The {one} field is required when {other} is not present."],
        other: [f"The {other} field is required when {one} is not present."],
    }


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"currency_code": "XQX"}, "currency_code"),
        ({"currency_code": "EURO"}, "currency_code"),
        ({"currency_id": 99999}, "currency_id"),
        ({"currency_id": "x"}, "currency_id"),
        ({"currency_id": 99999, "currency_code": "EUR"}, "currency_id"),
    ],
)
def test_the_currency_must_be_known(me, fields, key):
    body = withdrawal(made(me, asset()))
    body["transactions"][0] |= {"currency_code": None, **fields}

    assert list(refused(me, body)) == [f"transactions.0.{key}"]


def test_currencies_are_meant_by_id_or_by_code_in_any_case(me):
    body = withdrawal(made(me, asset()))
    for fields in ({"currency_code": "eur"}, {"currency_id": 1}, {"currency_id": "1", "currency_code": "USD"}):
        body["transactions"][0] |= {"currency_code": None, "currency_id": None, **fields}
        assert posted_one(me, body)["currency_code"] == "EUR"


def test_a_foreign_amount_needs_a_foreign_currency(me):
    body = withdrawal(made(me, asset()))
    body["transactions"][0]["foreign_amount"] = 5

    problems = refused(me, body)

    named = ("foreign_currency_id", "foreign_currency_code", "foreign_amount")
    assert list(problems) == [f"transactions.0.{name}" for name in named]


def test_a_wrong_foreign_amount_does_not_hide_a_wrong_foreign_currency(me):
    body = withdrawal(made(me, asset()))
    body["transactions"][0] |= {"foreign_amount": "x", "foreign_currency_code": "XQX"}

    assert list(refused(me, body)) == ["transactions.0.foreign_amount", "transactions.0.foreign_currency_code"]


def test_a_foreign_currency_without_an_amount_says_nothing(me):
    body = withdrawal(made(me, asset()))
    body["transactions"][0] |= {"foreign_currency_code": "USD", "foreign_currency_id": None}

    assert posted_one(me, body)["foreign_currency_code"] is None


@pytest.mark.parametrize("sent", [{"foreign_currency_code": "XQX"}, {"foreign_currency_id": 999_999}])
def test_a_foreign_currency_without_an_amount_must_be_one(me, sent):
    body = withdrawal(made(me, asset()))
    body["transactions"][0] |= sent

    assert list(refused(me, body)) == [f"transactions.0.{name}" for name in sent]


class TestDescriptions:
    def test_the_whole_or_its_split_is_described(self, me):
        body = withdrawal(made(me, asset()), description=None)

        assert refused(me, body) == {"description": ["The description field is required: here or in the split."]}

    def test_the_only_text_there_is_describes_the_whole(self, me):
        body = withdrawal(made(me, asset()), description=" ")
        body["transactions"][0]["description"] = "Bread"

        seen = posted_one(me, body)

        assert (seen["description"], seen["journal_description"], seen["transaction_description"]) == (
            "Bread", "Bread", None,
        )  # fmt: skip

    def test_a_split_does_not_repeat_the_whole(self, me):
        body = withdrawal(made(me, asset()), description="Bread")
        body["transactions"][0]["description"] = " Bread "
        key = "transactions.0.description"

        assert refused(me, body) == {key: [f"The {key} may not be the same as that of the whole transaction."]}

    def test_with_several_splits_each_needs_a_text(self, me):
        checking = made(me, asset())
        body = a_transaction("withdrawal", *[split(source_id=checking, description=text) for text in ("a", "", None)])

        assert list(refused(me, body)) == ["transactions.1.description", "transactions.2.description"]

    def test_the_first_of_several_texts_describes_the_whole_when_nothing_else_does(self, me):
        checking = made(me, asset())
        splits = [split(source_id=checking, description=text) for text in ("Bread", "Milk")]

        seen = [one["attributes"] for one in posted(me, a_transaction("withdrawal", *splits, description=None))]

        assert [one["description"] for one in seen] == ["Bread", "Milk (Bread)"]

    @pytest.mark.parametrize(("where", "key"), [(True, "description"), (False, "transactions.0.description")])
    def test_1024_characters_are_enough(self, me, where, key):
        def body(text):
            sent = withdrawal(checking)
            (sent if where else sent["transactions"][0])["description"] = text
            return sent

        checking = made(me, asset())

        assert "é" * 1024 in posted_one(me, body("é" * 1024))["description"]
        assert list(refused(me, body("é" * 1025))) == [key]


@pytest.mark.parametrize(
    ("field", "most"), [("internal_reference", 255), ("notes", 65_000), ("category_name", 255), ("budget_name", 255)]
)
def test_texts_have_their_limits(me, field, most):
    def body(length):
        sent = withdrawal(checking)
        (sent["transactions"][0] if field.endswith("_name") else sent)[field] = "n" * length
        return sent

    checking = made(me, asset())

    assert len(posted_one(me, body(most))[field]) == most
    [key] = refused(me, body(most + 1))
    assert key.endswith(field)


@pytest.mark.any_database
@pytest.mark.parametrize("side", ["source_name", "destination_name"])
def test_names_of_accounts_have_their_limit(me, side):
    body = withdrawal(made(me, asset()))
    body["transactions"][0][side] = "n" * 256

    assert list(refused(me, body)) == [f"transactions.0.{side}"]


@pytest.mark.parametrize("field", ["description", "notes", "internal_reference", "tags"])
@pytest.mark.parametrize("wrong", ["a\0b", {"a": 1}, True])
def test_text_is_text(me, field, wrong):
    assert list(refused(me, withdrawal(made(me, asset())) | {field: wrong})) == [field]


@pytest.mark.any_database
@pytest.mark.parametrize("wrong", ["yes", 2, "on", {"a": 1}])
def test_reconciled_is_yes_or_no(me, wrong):
    body = withdrawal(made(me, asset()))
    body["transactions"][0]["reconciled"] = wrong

    assert list(refused(me, body)) == ["transactions.0.reconciled"]


def test_everything_that_is_wrong_is_told_at_once(me):
    body = {
        "type": "withdrawal",
        "date": "2024-02-30",
        "tags": ["t" * 256],
        "due_date": "soon",
        "transactions": [
            {"amount": "12.505", "currency_code": "EUR", "source_name": "Nobody", "budget_id": 999_999},
            {"amount": -1, "currency_id": 1, "category_id": "x", "description": "two", "destination_id": 999_999},
            {"foreign_amount": 1, "source_id": 999_999, "description": "three", "reconciled": "maybe"},
        ],
    }

    assert sorted(refused(me, body)) == [
        "date",
        "due_date",
        "tags",
        "transactions.0.amount",
        "transactions.0.budget_id",
        "transactions.0.description",
        "transactions.0.source_name",
        "transactions.1.amount",
        "transactions.1.category_id",
        "transactions.1.destination_id",
        "transactions.1.source_id",
        "transactions.2.amount",
        "transactions.2.currency_code",
        "transactions.2.currency_id",
        "transactions.2.foreign_amount",
        "transactions.2.foreign_currency_code",
        "transactions.2.foreign_currency_id",
        "transactions.2.reconciled",
        "transactions.2.source_id",
    ]
    assert listed(me) == []


class TestForms:
    def form(self, **fields):
        return {"type": "withdrawal", "date": "2024-05-10", "description": "by form", **fields}

    def test_brackets_nest_and_indexes_may_have_gaps(self, me):
        checking = made(me, asset())
        fields = {"transactions[9][amount]": "2", "transactions[9][description]": "last"}
        fields |= {"transactions[3][amount]": "1.50", "transactions[3][description]": "first"}
        for index in (3, 9):
            fields |= {f"transactions[{index}][currency_code]": "EUR", f"transactions[{index}][source_id]": checking}

        response = me.request("POST", "/transactions", data=self.form(tags="a,b", **fields))

        seen = [one["attributes"] for one in response.json()["data"]]
        assert [(one["identifier"], one["amount"], one["tags"]) for one in seen] == [(0, -1.5, "a,b"), (1, -2, "a,b")]

    def test_error_keys_show_the_index_as_it_was_sent(self, me):
        fields = {"transactions[7][amount]": "x", "transactions[12][amount]": "1"}

        problems = errors(me.request("POST", "/transactions", data=self.form(**fields)))

        assert {key.split(".")[1] for key in problems if key.startswith("transactions")} == {"7", "12"}
        assert {"transactions.7.amount", "transactions.12.currency_id", "transactions.7.source_id"} <= set(problems)

    def test_splits_that_do_not_share_are_told_under_the_first_index(self, me):
        one, two = made(me, asset(name="One")), made(me, asset(name="Two"))
        fields = {}
        for index, account_id in ((4, one), (6, two)):
            fields |= {
                f"transactions[{index}][{name}]": value
                for name, value in split(source_id=account_id, description=f"split {index}").items()
            }

        problems = errors(me.request("POST", "/transactions", data=self.form(**fields)))

        assert list(problems) == ["transactions.4.source_id"]

    def test_multipart_is_the_same(self, me):
        fields = self.form(**{
            f"transactions[0][{name}]": value for name, value in split(source_id=made(me, asset())).items()
        })  # fmt: skip

        response = me.request("POST", "/transactions", files={name: (None, value) for name, value in fields.items()})

        assert response.json()["data"][0]["attributes"]["amount"] == -12.5

    def test_a_json_object_of_indexes_is_a_list_too(self, me):
        body = withdrawal(made(me, asset()))
        body["transactions"] = {"5": body["transactions"][0] | {"amount": "x"}}

        assert list(refused(me, body)) == ["transactions.5.amount"]


def test_unknown_fields_are_ignored(me):
    body = withdrawal(made(me, asset()), colour="green")
    body["transactions"][0]["mood"] = {"deep": [1]}

    assert posted_one(me, body)["type"] == "Withdrawal"
