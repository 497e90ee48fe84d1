"""Is a whole body read at once? Every problem with the caller's own key, nothing good lost, and what must be there."""

from decimal import Decimal
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AliasChoices, BaseModel, Field

from farthing.kernel.errors import Invalid, Problem
from farthing.kernel.fields import (
    UNREADABLE_NUMBER,
    Amount,
    Day,
    Flag,
    Id,
    Name,
    PositiveAmount,
    WordList,
    choice,
    parse,
)
from farthing.kernel.parsed import Indexed


class Split(BaseModel):
    amount: PositiveAmount | None = None
    currency_id: Id | None = None
    currency_code: Name | None = None


class Plan(BaseModel):
    title: Name | None = None
    first_date: Day | None = None
    amount_min: Amount | None = None
    type: Annotated[str, choice("asset", "expense")] | None = None
    account_role: Name | None = None
    account_number: Annotated[Name | None, Field(validation_alias=AliasChoices("account_number", "account number"))] = (
        None
    )
    splits: list[Split] | None = None
    labels: list[Name] | None = None
    group: Split | None = None
    active: Flag | None = None
    match: WordList | None = None


def fields_of(problems):
    return [problem.field for problem in problems]


@pytest.mark.parametrize("nothing", [None, "", "  ", "\n\u00a0", "\u200b", " \u200f\ufeff\u2060 "])
def test_null_and_empty_are_the_same_as_absent_at_every_depth(nothing):
    sent = {
        "title": nothing,
        "group": {"amount": nothing},
        "splits": [{"amount": nothing}, nothing],
        "labels": [nothing],
    }

    parsed = parse(Plan, sent)

    assert parsed.problems == []
    assert parsed.values == Plan(group=Split(), splits=[Split()], labels=[])


def test_unknown_fields_are_ignored_whatever_they_hold():
    deep: list[object] = []
    for _ in range(500):
        deep = [deep]

    assert parse(Plan, {"title": "Rent", "other": deep, "more": {"1": UNREADABLE_NUMBER}}).values == Plan(title="Rent")


def test_all_problems_are_told_at_once_and_what_could_be_read_is_kept():
    parsed = parse(
        Plan, {"title": "Rent", "first_date": "soon", "amount_min": "x", "group": {"amount": "5", "currency_id": "0"}}
    )

    assert parsed.problems == [
        Problem("first_date", "The first date is not a valid date: write it as YYYY-MM-DD."),
        Problem("amount_min", "The minimum amount must be a number, written like 1234.56."),
        Problem("group.currency_id", "The selected group.currency_id is invalid."),
    ]
    assert parsed.failed == {"first_date", "amount_min", "group.currency_id"}
    assert parsed.values == Plan(title="Rent", group=Split(amount=Decimal(5)))


@pytest.mark.parametrize(
    "splits",
    [
        Indexed([{"amount": "1"}, {"amount": "x"}], ["3", "7"]),
        {"7": {"amount": "x"}, "3": {"amount": "1"}},
    ],
)
def test_error_keys_show_the_index_as_sent(splits):
    parsed = parse(Plan, {"splits": splits})

    assert fields_of(parsed.problems) == ["splits.7.amount"]
    assert parsed.values.splits == [Split(amount=Decimal(1)), Split()]


def test_a_null_in_a_list_does_not_shift_the_index_of_the_others():
    assert fields_of(parse(Plan, {"splits": [None, {"amount": "x"}]}).problems) == ["splits.1.amount"]


@pytest.mark.parametrize("sent", ["x", 5, True, {"amount": "5"}])
def test_where_a_list_is_wanted_nothing_else_will_do(sent):
    parsed = parse(Plan, {"splits": sent})

    assert parsed.problems == [Problem("splits", "The splits must be a list.")]
    assert parsed.values == Plan()


def test_where_a_group_is_wanted_nothing_else_will_do():
    parsed = parse(Plan, {"group": 5, "splits": [{"amount": 1}, "x", [], {"amount": 2}]})

    assert fields_of(parsed.problems) == ["splits.1", "splits.2", "group"]
    assert parsed.problems[0].message == "The splits.1 must be a group of named fields."
    assert parsed.values.splits == [Split(amount=Decimal(1)), Split(), Split(), Split(amount=Decimal(2))]


def test_wrong_items_of_a_plain_list_are_left_out():
    parsed = parse(Plan, {"labels": ["a", True, "b", {}, "c"]})

    assert fields_of(parsed.problems) == ["labels.1", "labels.3"]
    assert parsed.values.labels == ["a", "b", "c"]


def test_a_list_holds_ten_thousand_items_and_no_more():
    assert len(parse(Plan, {"splits": [{"amount": 1}] * 10_000}).values.splits or []) == 10_000
    for sent in ({"splits": [{}] * 10_001}, {"labels": ["x"] * 10_001}):
        [problem] = parse(Plan, sent).problems
        assert problem.message.endswith("may not have more than 10000 items.")


def test_a_field_with_two_names_is_complained_about_by_the_one_the_caller_used():
    assert parse(Plan, {"account number": "12"}).values.account_number == "12"
    assert fields_of(parse(Plan, {"account number": True}).problems) == ["account number"]
    assert fields_of(parse(Plan, {"account_number": True}).problems) == ["account_number"]
    assert fields_of(parse(Plan, {"account_number": [], "account number": {}}).problems) == [
        "account_number",
        "account number",
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["0", "7", "amount", "x"]), inner),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*Plan.model_fields]), json_values, max_size=6))
def test_any_body_is_read_and_its_problems_match_what_failed(sent):
    parsed = parse(Plan, sent)

    assert parsed.failed == {problem.field for problem in parsed.problems}


# What must be there


def test_require_reports_what_is_absent_but_not_what_was_wrong():
    parsed = parse(Plan, {"title": "", "first_date": "soon", "splits": []})

    parsed.require("title", "first_date", "amount_min", "splits")

    assert parsed.problems[1:] == [
        Problem("title", "The title field is required."),
        Problem("amount_min", "The minimum amount field is required."),
        Problem("splits", "The splits field is required."),
    ]
    assert parsed.problems[0].field == "first_date"


def test_require_when_depends_on_another_field():
    parsed = parse(Plan, {"type": "asset"})

    parsed.require_when(["account_role"], "type", "asset")

    assert parsed.problems == [Problem("account_role", "The account role field is required when type is asset.")]


@pytest.mark.parametrize("sent", [{"type": "expense"}, {}, {"type": "x"}, {"type": "asset", "account_role": []}])
def test_require_when_is_content_where_the_other_field_says_otherwise_or_the_field_was_sent(sent):
    parsed = parse(Plan, sent)
    before = list(parsed.problems)

    parsed.require_when(["account_role"], "type", "asset")

    assert parsed.problems == before


def test_require_either_complains_on_both_keys_when_neither_was_sent():
    parsed = parse(Split, {})

    parsed.require_either("currency_id", "currency_code")

    assert parsed.problems == [
        Problem("currency_id", "The currency id field is required when currency code is not present."),
        Problem("currency_code", "The currency code field is required when currency id is not present."),
    ]


@pytest.mark.parametrize("sent", [{"currency_id": 1}, {"currency_code": "EUR"}, {"currency_id": "wrong"}])
def test_require_either_is_content_with_either_even_a_wrong_one(sent):
    parsed = parse(Split, sent)
    before = list(parsed.problems)

    parsed.require_either("currency_id", "currency_code")

    assert parsed.problems == before


def test_each_group_of_a_list_reports_to_its_body_under_its_own_index():
    parsed = parse(Plan, {"splits": Indexed([{"amount": "x"}, {"currency_id": 1}, "no group"], ["4", "6", "9"])})

    for split in parsed.each("splits", parsed.values.splits):
        split.require("amount")

    assert fields_of(parsed.problems) == ["splits.4.amount", "splits.9", "splits.6.amount"]
    assert parsed.problems[-1].message == "The splits.6.amount field is required."
    assert parse(Plan, {}).each("splits", None) == []


def test_conditions_inside_a_list_are_named_by_their_full_keys():
    parsed = parse(Plan, {"splits": [{"amount": "1"}]})
    [split] = parsed.each("splits", parsed.values.splits)

    split.require_either("currency_id", "currency_code")

    sentence = "The splits.0.currency_id field is required when splits.0.currency_code is not present."
    assert parsed.problems[0].message == sentence


def test_a_body_is_refused_with_everything_that_was_reported_and_not_before():
    parsed = parse(Plan, {"first_date": "soon"})
    parsed.require("title")
    parsed.report("active", "The active field says nothing.")

    with pytest.raises(Invalid) as refusal:
        parsed.finish()

    assert fields_of(refusal.value.problems) == ["first_date", "title", "active"]
    parse(Plan, {"title": "Rent"}).finish()
