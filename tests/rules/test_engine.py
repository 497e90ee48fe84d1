"""What rules make of a transaction, without any database: every trigger, every action, and how they work together."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from farthing.books.rules.engine import ALONE, RuleOutcome, Surroundings, prepare, run
from farthing.books.rules.model import ACTIONS, TRIGGERS, USER_ACTION, Rule, RuleEvent, StoredRulePart
from farthing.books.transactions.model import KnownAccount, Lookup, NewAccount, SplitDraft, TransactionDraft
from farthing.kernel.money import Money
from farthing.ledger.kinds import Kind, Type

from ..builders import AT, EUR, USD, day, money

CHECKING = KnownAccount(1, Kind.ASSET, "Checking", True, EUR)
SAVINGS = KnownAccount(2, Kind.ASSET, "Savings", True, EUR)
CLOSED = KnownAccount(3, Kind.ASSET, "Closed", False, EUR)
SHOP = KnownAccount(4, Kind.EXPENSE, "Corner shop", True, EUR)
BAKER = KnownAccount(5, Kind.EXPENSE, "Baker", True, EUR)
WORK = KnownAccount(6, Kind.REVENUE, "Employer", True, EUR)
CASH = KnownAccount(7, Kind.CASH, "Cash", True, EUR)

KNOWN = Lookup(
    accounts={one.id: one for one in (CHECKING, SAVINGS, CLOSED, SHOP, BAKER, WORK)},
    accounts_named={one.name.lower(): [one] for one in (CHECKING, SAVINGS, CLOSED, SHOP, BAKER, WORK)},
    cash=CASH,
    currencies={},
    currencies_coded={},
    categories={10: "food", 11: "travel"},
    categories_named={"food": 10, "travel": 11},
    budgets={20: "daily"},
    budgets_named={"daily": 20},
    bills={30: "rent", 31: "power"},
    bills_named={"rent": 30, "power": 31},
    piggy_banks={40: {2}},
    piggy_banks_named={"bicycle": 40},
    tags_named={"weekly": 50},
)
# Every name that the tests use has been looked up.
ALL_NAMES = frozenset(
    (kind, name)
    for kind in ("accounts", "categories", "budgets", "tags", "bills")
    for name in (
        "checking", "savings", "closed", "nobody", "corner shop", "baker", "new shop", "employer", "new work", "food",
        "travel", "sweets", "daily", "yearly", "rent", "power", "gas", "weekly", "new", "WEEKLY".lower(),
    )
)  # fmt: skip


def a_split(**fields: Any) -> SplitDraft:
    usual: dict[str, Any] = {
        "source": CHECKING, "destination": SHOP, "amount": money("12.50"), "foreign": None, "description": None,
        "reconciled": False, "category": None, "budget": None,
    }  # fmt: skip
    return SplitDraft(**{**usual, **fields})


def a_draft(*splits: SplitDraft, **fields: Any) -> TransactionDraft:
    usual: dict[str, Any] = {"type": Type.WITHDRAWAL, "on": day("2024-05-01"), "description": "Weekly groceries"}
    return TransactionDraft(**{**usual, "splits": splits or (a_split(),), **fields})


DEPOSIT = a_draft(a_split(source=WORK, destination=CHECKING), type=Type.DEPOSIT)
TRANSFER = a_draft(a_split(destination=SAVINGS), type=Type.TRANSFER)
DRESSED = a_draft(
    a_split(category=10, budget=20, description="Bread"), notes="For the party\nof Ann", tags=("Weekly", "party")
)


def kept(name: str, value: Any = None, stops: bool = False) -> StoredRulePart:
    return StoredRulePart(1, 1, name, None if value is None else str(value), stops, AT, AT)


def a_rule(triggers: Any, actions: Any = (("add_tag", "new"),), number: int = 1, **fields: Any) -> Rule:
    usual: dict[str, Any] = {
        "id": number, "rule_group_id": 1, "title": f"rule {number}", "description": None, "moment": RuleEvent.STORE,
        "order": number, "active": True, "strict": True, "stops": False, "created_at": AT, "updated_at": AT,
        "triggers": tuple(kept(*one) for one in triggers), "actions": tuple(kept(*one) for one in actions),
    }  # fmt: skip
    return Rule(**{**usual, **fields})


def ran(draft: TransactionDraft, *rules: Rule, around: Surroundings = ALONE) -> RuleOutcome:
    return run([prepare(rule) for rule in rules], draft, KNOWN, ALL_NAMES, around)


def fires(draft: TransactionDraft, *triggers: Any, around: Surroundings = ALONE, **fields: Any) -> bool:
    return bool(ran(draft, a_rule(triggers, **fields), around=around).fired)


TWO = a_draft(a_split(amount=money("5")), a_split(destination=BAKER, amount=money("7.50"), description="Buns"))
MIXED = a_draft(a_split(amount=money("5")), a_split(amount=Money(900, USD)))

HOLDS = [
    ("from_account_starts", "CHECK", a_draft(), "savings", a_draft()),
    ("from_account_ends", "king", a_draft(), "kin", a_draft()),
    ("from_account_is", "checking", a_draft(), "check", a_draft()),
    ("from_account_contains", "eck", a_draft(), "shop", a_draft()),
    ("to_account_starts", "corner", a_draft(), "shop", a_draft()),
    ("to_account_ends", "Shop", a_draft(), "Corner", a_draft()),
    ("to_account_is", "corner SHOP", a_draft(), "corner", a_draft()),
    ("to_account_is", "baker", TWO, "buns", TWO),
    ("to_account_contains", "r s", a_draft(), "checking", a_draft()),
    ("amount_less", "12.51", a_draft(), "12.50", a_draft()),
    ("amount_exactly", "12.5", a_draft(), "12.51", a_draft()),
    ("amount_exactly", "12.50", TWO, "7.50", TWO),
    ("amount_exactly", "9", MIXED, "14", MIXED),
    ("amount_more", "12.49", a_draft(), "12.5", a_draft()),
    ("amount_more", "0", a_draft(), "99999999999999999999", a_draft()),
    ("description_starts", "weekly g", a_draft(), "groceries", a_draft()),
    ("description_ends", "CERIES", a_draft(), "weekly", a_draft()),
    ("description_contains", "ly gro", a_draft(), "bread", a_draft()),
    ("description_contains", "bread", DRESSED, "groceriesbread", DRESSED),
    ("description_is", "weekly groceries", a_draft(), "groceries", a_draft()),
    ("description_is", "buns", TWO, "bun", TWO),
    ("transaction_type", "Withdrawal", a_draft(), "deposit", a_draft()),
    ("transaction_type", "transfer", TRANSFER, "withdrawal", DEPOSIT),
    ("category_is", "FOOD", DRESSED, "travel", DRESSED),
    ("category_is", "sweets", a_draft(a_split(category="Sweets")), "food", a_draft()),
    ("budget_is", "Daily", DRESSED, "daily", a_draft()),
    ("tag_is", "weekly", DRESSED, "week", DRESSED),
    ("currency_is", "eur", a_draft(), "USD", a_draft()),
    ("currency_is", "Euro", a_draft(), "US Dollar", a_draft()),
    ("currency_is", "USD", MIXED, "JPY", MIXED),
    ("has_no_category", None, a_draft(), None, DRESSED),
    ("has_any_category", None, DRESSED, None, a_draft()),
    ("has_no_budget", None, a_draft(), None, DRESSED),
    ("has_any_budget", None, DRESSED, None, a_draft()),
    ("has_no_tag", None, a_draft(), None, DRESSED),
    ("has_any_tag", None, DRESSED, None, a_draft()),
    ("notes_contain", "THE PARTY", DRESSED, "the party", a_draft()),
    ("notes_start", "for", DRESSED, "of", DRESSED),
    ("notes_end", "of ann", DRESSED, "party", DRESSED),
    ("notes_are", "for the party\nof ann", DRESSED, "for", DRESSED),
    ("no_notes", None, a_draft(), None, DRESSED),
    ("any_notes", None, DRESSED, None, a_draft()),
]


@pytest.mark.parametrize(("name", "value", "draft", "wrong_value", "wrong_draft"), HOLDS)
def test_a_trigger_holds_or_does_not(
    name: str, value: Any, draft: TransactionDraft, wrong_value: Any, wrong_draft: TransactionDraft
) -> None:
    assert fires(draft, (name, value))
    assert not fires(wrong_draft, (name, wrong_value))


@pytest.mark.parametrize(("value", "files", "holds"), [(None, 1, True), (None, 0, False), (2, 2, True), (2, 1, False)])
def test_attachments_are_counted(value: Any, files: int, holds: bool) -> None:
    assert fires(a_draft(), ("has_attachments", value), around=Surroundings(attachments=files)) is holds


def test_every_trigger_is_in_the_table() -> None:
    assert {name for name, *_ in HOLDS} | {"has_attachments", USER_ACTION} == TRIGGERS.keys()


def of_splits(draft: TransactionDraft, name: str) -> list[Any]:
    return [getattr(split, name) for split in draft.splits]


DOES = [
    ("set_category", "FOOD", a_draft(), ("category", [10])),
    ("set_category", "sweets", TWO, ("category", ["sweets", "sweets"])),
    ("clear_category", None, DRESSED, ("category", [None])),
    ("set_budget", "daily", TWO, ("budget", [20, 20])),
    ("clear_budget", None, DRESSED, ("budget", [None])),
    ("add_tag", "new", DRESSED, ("tags", ("Weekly", "party", "new"))),
    ("remove_tag", "WEEKLY", DRESSED, ("tags", ("party",))),
    ("remove_all_tags", None, DRESSED, ("tags", ())),
    ("set_description", "Food", TWO, ("description", "Food")),
    ("append_description", "(shop)", a_draft(), ("description", "Weekly groceries (shop)")),
    ("prepend_description", "Shop:", a_draft(), ("description", "Shop: Weekly groceries")),
    ("set_source_account", "savings", TWO, ("source", [SAVINGS, SAVINGS])),
    ("set_source_account", "new work", DEPOSIT, ("source", [NewAccount(Kind.REVENUE, "new work")])),
    ("set_destination_account", "baker", a_draft(), ("destination", [BAKER])),
    ("set_destination_account", "New shop", a_draft(), ("destination", [NewAccount(Kind.EXPENSE, "New shop")])),
    ("set_destination_account", "Savings", DEPOSIT, ("destination", [SAVINGS])),
    ("set_notes", "Both", DRESSED, ("notes", "Both")),
    ("append_notes", "Bob", DRESSED, ("notes", "For the party\nof Ann\nBob")),
    ("append_notes", "Bob", a_draft(), ("notes", "Bob")),
    ("prepend_notes", "Bob", DRESSED, ("notes", "Bob\nFor the party\nof Ann")),
    ("prepend_notes", "Bob", a_draft(), ("notes", "Bob")),
    ("clear_notes", None, DRESSED, ("notes", None)),
    ("link_to_bill", "RENT", a_draft(), ("bill_id", 30)),
]
ALWAYS = (("amount_more", "0"),)


@pytest.mark.parametrize(("name", "value", "draft", "made"), DOES)
def test_running_an_action_twice_changes_nothing_more(
    name: str, value: Any, draft: TransactionDraft, made: tuple[str, Any]
) -> None:
    outcome = ran(draft, a_rule(ALWAYS, [(name, value)]))
    again = ran(outcome.draft, a_rule(ALWAYS, [(name, value)]))

    field, wanted = made
    shown = getattr(outcome.draft, field) if hasattr(draft, field) else of_splits(outcome.draft, field)
    assert shown == wanted
    assert [len(one.did) for one in outcome.fired] == [1]
    assert again.draft == outcome.draft
    assert again.fired[0].did == again.fired[0].skipped == ()


_TEXTS = st.text("ab ", min_size=1, max_size=3).map(str.strip).filter(bool)
_ADDING = st.sampled_from(
    [name for name in ACTIONS if name.startswith(("append_", "prepend_", "set_notes", "set_desc"))]
)


@given(st.lists(st.lists(st.tuples(_ADDING, _TEXTS), min_size=1, max_size=4), min_size=1, max_size=3), _TEXTS)
def test_running_rules_twice_changes_nothing_more(actions: list[list[tuple[str, str]]], text: str) -> None:
    rules = [a_rule(ALWAYS, of_rule) for of_rule in actions]

    once = ran(a_draft(description=text, notes=text), *rules).draft

    assert ran(once, *rules).draft == once


def test_texts_that_two_rules_add_stay_what_they_are_when_each_is_run_alone() -> None:
    rules = [a_rule(ALWAYS, [("append_description", text), ("append_notes", text)]) for text in ("of May", "(shop)")]
    draft = a_draft()

    for rule in rules * 3:
        draft = ran(draft, rule).draft

    assert (draft.description, draft.notes) == ("Weekly groceries of May (shop)", "of May\n(shop)")


def test_every_action_is_in_the_table() -> None:
    assert {name for name, *_ in DOES} == ACTIONS.keys()


RECONCILED = a_draft(a_split(reconciled=True))
IN_PIGGY_BANK = structs.replace(TRANSFER, piggy_bank_id=40)
SKIPPED = [
    ("set_budget", "daily", DEPOSIT, "only a withdrawal or a refund has a budget"),
    ("set_budget", "yearly", a_draft(), "there is no such budget"),
    ("link_to_bill", "rent", TRANSFER, "only a withdrawal pays a bill"),
    ("link_to_bill", "gas", a_draft(), "there is no such bill"),
    ("link_to_bill", "rent", a_draft(bill_id=31), "the user has chosen its bill, or no bill, by hand"),
    ("set_source_account", "nobody", a_draft(), "there is no active asset account or liability of that name"),
    ("set_source_account", "closed", a_draft(), "there is no active asset account or liability of that name"),
    ("set_source_account", "corner shop", a_draft(), "there is no active asset account or liability of that name"),
    ("set_source_account", "savings", TRANSFER, "source and destination would be the same account"),
    (
        "set_source_account",
        "savings",
        a_draft(a_split(reconciled=True)),
        "it is reconciled, so it stays on its account",
    ),
    ("set_destination_account", "nobody", DEPOSIT, "there is no active asset account or liability of that name"),
    ("set_destination_account", "checking", TRANSFER, "source and destination would be the same account"),
    ("append_description", "x" * 1024, a_draft(), "the description would have more than 1024 characters"),
    ("prepend_notes", "x" * 65_000, DRESSED, "the notes would have more than 65000 characters"),
    ("add_tag", "new", a_draft(tags=tuple(map(str, range(1000)))), "it has 1000 tags already"),
]


@pytest.mark.parametrize(("name", "value", "draft", "reason"), SKIPPED)
def test_an_action_that_does_not_apply_is_skipped_and_explained(
    name: str, value: str, draft: TransactionDraft, reason: str
) -> None:
    outcome = ran(draft, a_rule(ALWAYS, [(name, value)]))

    assert outcome.draft == draft
    assert [one.did for one in outcome.fired] == [()]
    assert outcome.fired[0].skipped[0].endswith(f"'{value}': {reason}")


def test_a_transfer_stays_with_its_piggy_bank() -> None:
    baker = structs.replace(BAKER, kind=Kind.ASSET)
    known = structs.replace(KNOWN, accounts_named={**KNOWN.accounts_named, "baker": [baker]})
    rule = prepare(a_rule(ALWAYS, [("set_destination_account", "baker")]))

    outcome = run([rule], IN_PIGGY_BANK, known, ALL_NAMES)

    assert outcome.draft == IN_PIGGY_BANK
    assert outcome.fired[0].skipped[0].endswith("its piggy bank belongs to the account that would be replaced")


def test_a_bill_chosen_by_hand_does_not_conflict_if_it_is_the_same() -> None:
    rule = a_rule(ALWAYS, [("link_to_bill", "rent")])

    for outcome in (ran(a_draft(bill_id=30), rule), ran(a_draft(), rule, around=Surroundings(0, True, 30))):
        assert (outcome.fired[0].did, outcome.fired[0].skipped) == ((), ())


YES, NO = ("amount_more", "0"), ("description_is", "nonsense")


@pytest.mark.parametrize(
    ("triggers", "strict", "matches"),
    [
        ([YES, YES], True, True),
        ([YES, NO], True, False),
        ([NO, YES], True, False),
        ([NO, YES], False, True),
        ([NO, NO], False, False),
        ([(*YES, True), NO], True, True),
        ([NO, (*YES, True)], True, False),
        ([(*NO, True), YES], True, False),
        ([(*NO, True), YES], False, True),
        ([(USER_ACTION, "store-journal"), NO], False, False),
    ],
)
def test_strict_rules_need_all_triggers_and_others_any(triggers: Any, strict: bool, matches: bool) -> None:
    assert fires(a_draft(), *triggers, strict=strict) is matches


def test_rules_run_in_order_each_on_the_result_of_the_previous_one() -> None:
    first = a_rule([("description_contains", "groceries")], [("set_description", "Food")], 1)
    second = a_rule([("description_is", "food")], [("set_category", "Food")], 2)

    outcome = ran(a_draft(), first, second)

    assert outcome.draft.description == "Food"
    assert [one.rule_id for one in outcome.fired] == [1, 2]
    assert [one.rule_id for one in ran(a_draft(), second, first).fired] == [1]


def test_a_rule_that_stops_ends_its_group_and_no_other() -> None:
    stopping = a_rule([YES], number=1, stops=True)
    rules = [stopping, a_rule([YES], number=2), a_rule([YES], number=3, rule_group_id=2)]

    assert [one.rule_id for one in ran(a_draft(), *rules).fired] == [1, 3]


def test_a_rule_that_does_not_match_stops_nothing() -> None:
    rules = [a_rule([NO], number=1, stops=True), a_rule([YES], number=2)]

    assert [one.rule_id for one in ran(a_draft(), *rules).fired] == [2]


def test_an_action_that_stops_ends_its_rule_and_no_other() -> None:
    first = a_rule([YES], [("set_notes", "a", True), ("set_description", "b")], 1)

    outcome = ran(a_draft(), first, a_rule([YES], [("add_tag", "new")], 2))

    assert (outcome.draft.notes, outcome.draft.description) == ("a", "Weekly groceries")
    assert outcome.draft.tags == ("new",)


def test_matches_and_actions_are_described_in_words() -> None:
    triggers = [("description_contains", "Groceries"), ("amount_more", "10"), ("transaction_type", "Withdrawal")]
    [told] = ran(
        a_draft(), a_rule(triggers, [("set_category", "Food"), ("clear_notes",), ("set_budget", "yearly")])
    ).fired

    assert told.why == "the description contains 'Groceries'; the amount is more than 10; it is a withdrawal"
    assert told.did == ("set the category to 'Food'",)
    assert told.skipped == ("set the budget to 'yearly': there is no such budget",)


def test_of_any_triggers_only_those_that_hold_are_explained() -> None:
    [told] = ran(a_draft(), a_rule([NO, YES], strict=False)).fired

    assert told.why == "the amount is more than 0"


def test_names_that_were_not_looked_up_are_requested() -> None:
    rule = prepare(a_rule([YES], [("set_source_account", "Savings"), ("set_budget", "x"), ("link_to_bill", "y")]))

    assert run([rule], a_draft(), KNOWN).unknown == {("accounts", "savings"), ("budgets", "x"), ("bills", "y")}
    assert run([prepare(a_rule([NO]))], a_draft(), KNOWN).unknown == set()
