"""Which accounts may a transaction name? It depends on the type, and on what is found under an id or a name."""

import pytest

from .making import (
    a_transaction,
    account_named,
    asset,
    cash_id,
    deposit,
    expense,
    liability,
    listed,
    made,
    posted_one,
    refused,
    revenue,
    split,
    transfer,
    withdrawal,
)

OWN_SIDES = [("withdrawal", "source"), ("deposit", "destination"), ("transfer", "source"), ("transfer", "destination")]
OTHER_SIDES = [("withdrawal", "destination", "Expense account"), ("deposit", "source", "Revenue account")]
UNKNOWN = 999_999_999


@pytest.fixture
def accounts(me):
    """One account of each kind, by a word for it."""
    bodies = {
        "asset": asset(name="Checking"),
        "savings": asset(name="Savings"),
        "expense": expense(name="Grocer"),
        "revenue": revenue(name="Work"),
        "loan": liability(name="Loan"),
        "debt": liability(name="Debt", liability_type="debt"),
        "mortgage": liability(name="Mortgage", liability_type="mortgage"),
        "credit card": liability(name="Visa", liability_type="credit card"),
    }
    return {word: made(me, body) for word, body in bodies.items()} | {"cash": cash_id(me)}


def sides(type_, side, **fields):
    """A transaction whose other side is right, whatever this one is."""
    right = {"source_id": None, "destination_id": None}
    other = "destination" if side == "source" else "source"
    if type_ == "transfer" or (type_, side) in (("withdrawal", "destination"), ("deposit", "source")):
        right[f"{other}_name"] = "Savings"
    return a_transaction(type_, split(**{**right, **fields}))


@pytest.mark.any_database
@pytest.mark.parametrize(("type_", "side"), OWN_SIDES)
@pytest.mark.parametrize("kind", ["asset", "loan", "debt", "mortgage", "credit card"])
def test_ones_own_side_is_an_asset_or_a_liability(me, accounts, type_, side, kind):
    seen = posted_one(me, sides(type_, side, **{f"{side}_id": accounts[kind]}))

    assert seen[f"{side}_id"] == int(accounts[kind])


@pytest.mark.any_database
@pytest.mark.parametrize(("type_", "side"), OWN_SIDES)
@pytest.mark.parametrize("kind", ["expense", "revenue", "cash"])
def test_ones_own_side_is_nothing_else(me, accounts, type_, side, kind):
    key = f"transactions.0.{side}_id"

    problems = refused(me, sides(type_, side, **{f"{side}_id": accounts[kind]}))

    assert problems == {key: [f"The selected {key} is invalid: it must be an asset account or a liability."]}


@pytest.mark.any_database
@pytest.mark.parametrize(("type_", "side"), OWN_SIDES)
def test_ones_own_side_must_be_named(me, accounts, type_, side):
    key = f"transactions.0.{side}_id"

    assert refused(me, sides(type_, side)) == {key: [f"The {key} field is required, or {side}_name."]}


@pytest.mark.parametrize(("type_", "side"), OWN_SIDES)
def test_ones_own_side_is_found_by_name_in_any_case(me, accounts, type_, side):
    assert posted_one(me, sides(type_, side, **{f"{side}_name": " cHECKING "}))[f"{side}_id"] == int(accounts["asset"])
    assert posted_one(me, sides(type_, side, **{f"{side}_name": "Loan"}))[f"{side}_id"] == int(accounts["loan"])


@pytest.mark.any_database
@pytest.mark.parametrize(("type_", "side"), OWN_SIDES)
@pytest.mark.parametrize("name", ["Nobody", "Grocer", "Work", "Cash account"])
def test_ones_own_side_is_never_made(me, accounts, type_, side, name):
    key = f"transactions.0.{side}_name"

    assert list(refused(me, sides(type_, side, **{f"{side}_name": name}))) == [key]
    assert account_named(me, "Nobody") == []


@pytest.mark.parametrize(("type_", "side"), OWN_SIDES)
def test_an_unknown_id_is_refused_whatever_the_name_says(me, accounts, type_, side):
    id_key, name_key = f"transactions.0.{side}_id", f"transactions.0.{side}_name"

    found = refused(me, sides(type_, side, **{f"{side}_id": UNKNOWN, f"{side}_name": "Checking"}))
    neither = refused(me, sides(type_, side, **{f"{side}_id": UNKNOWN, f"{side}_name": "Nobody"}))

    assert found == {id_key: [f"The selected {id_key} is invalid: there is no such account."]}
    assert list(neither) == [id_key, name_key]


@pytest.mark.parametrize(("type_", "side"), OWN_SIDES)
def test_the_id_wins_over_the_name(me, accounts, type_, side):
    seen = posted_one(me, sides(type_, side, **{f"{side}_id": accounts["asset"], f"{side}_name": "Nobody"}))

    assert seen[f"{side}_name"] == "Checking"


@pytest.mark.parametrize(("type_", "side", "kind"), OTHER_SIDES)
def test_the_other_side_is_made_from_its_name_once(me, accounts, type_, side, kind):
    first = posted_one(me, sides(type_, side, **{f"{side}_name": "Bücher Müller"}))
    again = posted_one(me, sides(type_, side, **{f"{side}_name": "BÜCHER MÜLLER"}))

    assert (first[f"{side}_type"], first[f"{side}_name"]) == (kind, "Bücher Müller")
    assert again[f"{side}_id"] == first[f"{side}_id"]
    [made_account] = account_named(me, "Bücher Müller")
    assert (made_account["attributes"]["active"], made_account["attributes"]["currency_code"]) == (True, "EUR")


@pytest.mark.parametrize(("type_", "side", "kind"), OTHER_SIDES)
def test_the_other_side_may_be_cash_by_id_by_name_or_by_leaving_it_out(me, accounts, type_, side, kind):
    for fields in ({f"{side}_id": accounts["cash"]}, {f"{side}_name": "cash account"}, {}, {f"{side}_name": " "}):
        assert posted_one(me, sides(type_, side, **fields))[f"{side}_id"] == int(accounts["cash"])


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("type_", "side", "wrong"),
    [("withdrawal", "destination", "revenue"), ("deposit", "source", "expense")]
    + [(type_, side, kind) for type_, side, _ in OTHER_SIDES for kind in ("asset", "loan")],
)
def test_the_other_side_is_of_the_kind_that_the_type_asks_for(me, accounts, type_, side, wrong):
    key = f"transactions.0.{side}_id"

    assert list(refused(me, sides(type_, side, **{f"{side}_id": accounts[wrong]}))) == [key]


@pytest.mark.parametrize(("type_", "side", "kind"), OTHER_SIDES)
def test_a_name_of_another_kind_is_no_hindrance(me, accounts, type_, side, kind):
    """Names may repeat: a shop may be called like a bank account."""
    seen = posted_one(me, sides(type_, side, **{f"{side}_name": "Checking"}))

    assert seen[f"{side}_type"] == kind
    assert len(account_named(me, "Checking")) == 2


@pytest.mark.parametrize(("type_", "side", "kind"), OTHER_SIDES)
def test_an_unknown_other_side_is_not_replaced_by_its_name(me, accounts, type_, side, kind):
    key = f"transactions.0.{side}_id"

    problems = refused(me, sides(type_, side, **{f"{side}_id": UNKNOWN, f"{side}_name": "Somebody"}))

    assert problems == {key: [f"The selected {key} is invalid: there is no such account."]}
    assert account_named(me, "Somebody") == []


def test_of_several_accounts_of_a_name_the_oldest_active_one_is_meant(me):
    retired = made(me, asset(name="Purse", active=False))
    older, _younger = made(me, asset(name="Purse")), made(me, asset(name="Purse"))

    assert posted_one(me, a_transaction("withdrawal", split(source_name="purse")))["source_id"] == int(older)
    assert posted_one(me, withdrawal(retired))["source_id"] == int(retired), "by its id it is meant all the same"


def test_one_spelled_exactly_so_comes_first(me):
    made(me, asset(name="PURSE"))
    exactly = made(me, asset(name="Purse"))

    assert posted_one(me, a_transaction("withdrawal", split(source_name="Purse")))["source_id"] == int(exactly)


def test_an_inactive_payee_is_not_found_by_name_and_a_new_one_is_made(me, accounts):
    made(me, expense(name="Closed shop", active=False))

    seen = posted_one(me, sides("withdrawal", "destination", destination_name="Closed shop"))

    assert seen["destination_id"] == int(account_named(me, "Closed shop")[-1]["id"])


@pytest.mark.parametrize("fields", [{"destination_name": "checking"}, {"destination_id": "own"}])
def test_source_and_destination_differ(me, accounts, fields):
    fields = {name: accounts["asset"] if value == "own" else value for name, value in fields.items()}
    body = a_transaction("transfer", split(source_id=accounts["asset"], **fields))

    assert refused(me, body) == {
        "transactions.0.destination_id": ["The source and the destination may not be the same account."]
    }


@pytest.mark.parametrize("kind", ["hidden", "someone else's", "exchange"])
def test_helpers_and_the_accounts_of_others_are_unknown(world, me, someone_else, accounts, kind):
    if kind == "hidden":
        made(me, asset(name="Opened", opening_balance=1, opening_balance_date="2024-01-01"))
        account_id = listed(me, "/accounts", type="hidden")[0]["id"]
    elif kind == "exchange":
        with world.books.reading() as db:
            account_id = str(db.value(
                "SELECT id FROM accounts WHERE user_id = :id AND kind = 'Exchange account'", id=me.user.id
            ))  # fmt: skip
    else:
        account_id = made(someone_else, asset(name="Theirs"))

    assert list(refused(me, withdrawal(account_id))) == ["transactions.0.source_id"]
    assert list(refused(me, deposit(account_id))) == ["transactions.0.destination_id"]
    assert list(refused(me, transfer(accounts["asset"], account_id))) == ["transactions.0.destination_id"]
    assert list(refused(me, sides("withdrawal", "destination", destination_id=account_id))) == [
        "transactions.0.destination_id"
    ]


def test_the_names_of_others_are_not_found(me, someone_else, accounts):
    made(someone_else, asset(name="Theirs"))

    assert list(refused(me, a_transaction("withdrawal", split(source_name="Theirs")))) == ["transactions.0.source_name"]


@pytest.mark.parametrize("name", ["Exchange account", "Opened (initial balance)"])
def test_the_names_of_helpers_mean_a_shop_like_any_other(me, name):
    opened = made(me, asset(name="Opened", opening_balance=1, opening_balance_date="2024-01-01"))

    seen = posted_one(me, a_transaction("withdrawal", split(source_id=opened, destination_name=name)))

    assert (seen["destination_name"], seen["destination_type"]) == (name, "Expense account")


@pytest.mark.parametrize(
    ("type_", "shared"),
    [("withdrawal", ["source"]), ("deposit", ["destination"]), ("transfer", ["source", "destination"])],
)
def test_splits_share_what_the_type_says(me, accounts, type_, shared):
    first = {"source_name": "Checking", "destination_name": "Loan", "description": "one"}
    second = {"source_name": "Savings", "destination_name": "Debt", "description": "two"}
    if type_ == "withdrawal":
        first |= {"destination_name": "A"}
        second |= {"destination_name": "B"}
    if type_ == "deposit":
        first |= {"source_name": "A"}
        second |= {"source_name": "B"}

    problems = refused(me, a_transaction(type_, split(**first), split(**second)))

    assert problems == {
        f"transactions.0.{side}_id": [f"All splits of a {type_} must have the same {side} account."] for side in shared
    }


def test_splits_that_do_not_share_are_told_with_everything_else(me, accounts):
    first = split(source_name="Checking", description="one", amount=None)
    second = split(source_name="Savings", description="two", currency_code="???")

    problems = refused(me, a_transaction("withdrawal", first, second))

    assert list(problems) == [
        "transactions.0.source_id", "transactions.0.amount", "transactions.1.currency_code",
    ]  # fmt: skip
