"""Which categories, budgets and tags does a transaction carry? Found by id or name, or made by naming them."""

import pytest

from .making import (
    a_transaction,
    asset,
    count_rows,
    deposit,
    listed,
    made,
    posted,
    posted_one,
    refused,
    split,
    transfer,
    withdrawal,
)


def labelled(account_id, **fields):
    body = withdrawal(account_id)
    body["transactions"][0] |= fields
    return body


@pytest.mark.parametrize("label", ["category", "budget"])
def test_a_new_name_is_made_once_and_found_in_any_case(world, me, label):
    checking = made(me, asset())

    first = posted_one(me, labelled(checking, **{f"{label}_name": "Müll"}))
    again = posted_one(me, labelled(checking, **{f"{label}_name": " MÜLL "}))
    by_id = posted_one(me, labelled(checking, **{f"{label}_id": first[f"{label}_id"], f"{label}_name": "Other"}))

    seen = {(one[f"{label}_id"], one[f"{label}_name"]) for one in (first, again, by_id)}
    assert seen == {(first[f"{label}_id"], "Müll")}
    assert count_rows(world, me, {"category": "categories", "budget": "budgets"}[label]) == 1


@pytest.mark.parametrize("label", ["category", "budget"])
def test_one_request_makes_a_name_once(world, me, label):
    checking = made(me, asset())
    splits = [
        split(source_id=checking, description=text, **{f"{label}_name": name})
        for text, name in (("one", "Food"), ("two", "food"), ("three", "FOOD"))
    ]

    seen = {one["attributes"][f"{label}_name"] for one in posted(me, a_transaction("withdrawal", *splits))}

    assert seen == {"Food"}


@pytest.mark.parametrize("label", ["category", "budget"])
@pytest.mark.parametrize("wrong", [999_999_999, "x", 0, -1, "theirs"])
def test_an_id_must_be_ones_own(me, someone_else, label, wrong):
    if wrong == "theirs":
        wrong = posted_one(someone_else, labelled(made(someone_else, asset()), **{f"{label}_name": "Theirs"}))[
            f"{label}_id"
        ]

    problems = refused(me, labelled(made(me, asset()), **{f"{label}_id": wrong, f"{label}_name": "Mine"}))

    assert list(problems) == [f"transactions.0.{label}_id"]


def test_each_user_has_names_of_their_own(me, someone_else):
    mine, theirs = (
        posted_one(client, labelled(made(client, asset()), category_name="Food")) for client in (me, someone_else)
    )

    assert mine["category_id"] != theirs["category_id"]


def test_only_withdrawals_have_a_budget(world, me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    for body in (deposit(checking), transfer(checking, savings)):
        body["transactions"][0] |= {"budget_name": "Household", "category_name": "Work"}
        seen = posted_one(me, body)
        assert (seen["budget_id"], seen["budget_name"], seen["category_name"]) == (None, None, "Work")

    assert count_rows(world, me, "budgets") == 0


@pytest.mark.parametrize(
    ("sent", "seen"),
    [
        ("home,food", "home,food"),
        (["home", "food"], "home,food"),
        (" home , ,food, ", "home,food"),
        (["b,a", "c"], "b,a,c"),
        ("Home,HOME,home", "Home"),
        (7, "7"),
        (["", None], None),
        ("", None),
    ],
)
def test_tags_come_with_commas_or_as_a_list_each_once_and_in_order(me, sent, seen):
    assert posted_one(me, withdrawal(made(me, asset()), tags=sent))["tags"] == seen


def test_tags_belong_to_the_whole_and_are_found_in_any_case(world, me):
    checking = made(me, asset())
    splits = [split(source_id=checking, description=text) for text in ("one", "two")]

    both = posted(me, a_transaction("withdrawal", *splits, tags="Straße"))
    again = posted_one(me, withdrawal(checking, tags="STRASSE"))

    assert [one["attributes"]["tags"] for one in both] == ["Straße", "Straße"]
    assert again["tags"] == "Straße"
    assert count_rows(world, me, "tags") == 1


def test_a_tag_has_at_most_255_characters(me):
    checking = made(me, asset())

    assert posted_one(me, withdrawal(checking, tags=["a", "n" * 255]))["tags"] == "a," + "n" * 255
    assert refused(me, withdrawal(checking, tags=["a", "n" * 256])) == {
        "tags": ["The tags may not have a tag of more than 255 characters."]
    }


def test_a_transaction_has_at_most_a_thousand_tags(me):
    checking = made(me, asset())

    assert refused(me, withdrawal(checking, tags=[f"t{number}" for number in range(1001)])) == {
        "tags": ["The tags may not have more than 1000 items."]
    }


@pytest.mark.parametrize("letter", ["\U0001d160", "ﬃ", "ᾷ", "𐐀", "İ"])
def test_the_longest_names_fit_however_they_are_folded(me, letter):
    """Some letters grow when they are folded, and an index takes only so many bytes."""
    long = letter * 255
    body = labelled(made(me, asset()), category_name=long, budget_name=long, destination_name=long)

    seen = posted_one(me, body | {"tags": [long]})

    assert {seen[name] for name in ("category_name", "budget_name", "destination_name", "tags")} == {long}
    assert posted_one(me, body)["category_id"] == seen["category_id"]
    assert len(listed(me)) == 2
