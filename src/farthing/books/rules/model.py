"""Defines rules, their triggers and actions, and the values that each of these accepts."""

import re
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from farthing.kernel.limits import DESCRIPTION_MAX, NAME_MAX
from farthing.kernel.limits import ORDER_MAX as ORDER_MAX

from ..transactions.model import TYPES

RULES_MAX = 1000
PARTS_MAX = 100


class RuleEvent(StrEnum):
    """The event that makes a rule run: a transaction is created, or changed."""

    STORE = "store-journal"
    UPDATE = "update-journal"


# A trigger that repeats the rule's event, because old clients expect it there. It is ignored when rules run.
USER_ACTION = "user_action"


class ValueKind(StrEnum):
    """The kind of value that a trigger or an action accepts."""

    NOTHING = "nothing"
    TEXT = "text"
    NAME = "name"
    DESCRIPTION = "description"
    AMOUNT = "amount"
    COUNT = "count"
    TYPE = "type"
    CURRENCY = "currency"
    TAG = "tag"
    BUDGET = "budget"
    BILL = "bill"
    MOMENT = "moment"


class Spec(Struct, frozen=True):
    """The kind of value that a trigger or an action accepts, and words that describe it, followed by the value."""

    takes: ValueKind
    words: str


_TEXTS = {"starts": "starts with", "ends": "ends with", "is": "is", "contains": "contains"}


def _text_triggers(name: str, fact: str) -> dict[str, Spec]:
    return {f"{name}_{how}": Spec(takes=ValueKind.TEXT, words=f"{fact} {words}") for how, words in _TEXTS.items()}


TRIGGERS: Mapping[str, Spec] = {
    USER_ACTION: Spec(takes=ValueKind.MOMENT, words="runs on"),
    **_text_triggers("from_account", "the source account"),
    **_text_triggers("to_account", "the destination account"),
    "amount_less": Spec(takes=ValueKind.AMOUNT, words="the amount is less than"),
    "amount_exactly": Spec(takes=ValueKind.AMOUNT, words="the amount is exactly"),
    "amount_more": Spec(takes=ValueKind.AMOUNT, words="the amount is more than"),
    **_text_triggers("description", "the description"),
    "transaction_type": Spec(takes=ValueKind.TYPE, words="it is a"),
    "category_is": Spec(takes=ValueKind.NAME, words="the category is"),
    "budget_is": Spec(takes=ValueKind.NAME, words="the budget is"),
    "tag_is": Spec(takes=ValueKind.NAME, words="a tag is"),
    "currency_is": Spec(takes=ValueKind.CURRENCY, words="the currency is"),
    "has_attachments": Spec(takes=ValueKind.COUNT, words="the number of its attachments is at least"),
    "has_no_category": Spec(takes=ValueKind.NOTHING, words="it has no category"),
    "has_any_category": Spec(takes=ValueKind.NOTHING, words="it has a category"),
    "has_no_budget": Spec(takes=ValueKind.NOTHING, words="it has no budget"),
    "has_any_budget": Spec(takes=ValueKind.NOTHING, words="it has a budget"),
    "has_no_tag": Spec(takes=ValueKind.NOTHING, words="it has no tag"),
    "has_any_tag": Spec(takes=ValueKind.NOTHING, words="it has a tag"),
    "notes_contain": Spec(takes=ValueKind.TEXT, words="the notes contain"),
    "notes_start": Spec(takes=ValueKind.TEXT, words="the notes start with"),
    "notes_end": Spec(takes=ValueKind.TEXT, words="the notes end with"),
    "notes_are": Spec(takes=ValueKind.TEXT, words="the notes are"),
    "no_notes": Spec(takes=ValueKind.NOTHING, words="it has no notes"),
    "any_notes": Spec(takes=ValueKind.NOTHING, words="it has notes"),
}
ACTIONS: Mapping[str, Spec] = {
    "set_category": Spec(takes=ValueKind.NAME, words="set the category to"),
    "clear_category": Spec(takes=ValueKind.NOTHING, words="remove the category"),
    "set_budget": Spec(takes=ValueKind.BUDGET, words="set the budget to"),
    "clear_budget": Spec(takes=ValueKind.NOTHING, words="remove the budget"),
    "add_tag": Spec(takes=ValueKind.TAG, words="add the tag"),
    "remove_tag": Spec(takes=ValueKind.TAG, words="remove the tag"),
    "remove_all_tags": Spec(takes=ValueKind.NOTHING, words="remove all tags"),
    "set_description": Spec(takes=ValueKind.DESCRIPTION, words="set the description to"),
    "append_description": Spec(takes=ValueKind.DESCRIPTION, words="end the description with"),
    "prepend_description": Spec(takes=ValueKind.DESCRIPTION, words="begin the description with"),
    "set_source_account": Spec(takes=ValueKind.NAME, words="set the source account to"),
    "set_destination_account": Spec(takes=ValueKind.NAME, words="set the destination account to"),
    "set_notes": Spec(takes=ValueKind.TEXT, words="set the notes to"),
    "append_notes": Spec(takes=ValueKind.TEXT, words="end the notes with"),
    "prepend_notes": Spec(takes=ValueKind.TEXT, words="begin the notes with"),
    "clear_notes": Spec(takes=ValueKind.NOTHING, words="remove the notes"),
    "link_to_bill": Spec(takes=ValueKind.BILL, words="link it to the bill"),
}

# The triggers and actions that refer to other things by name: when one is renamed, they are updated.
Referred = Literal["accounts", "bills", "categories", "budgets", "tags"]
REFERRING: Mapping[Referred, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "accounts": (("from_account_is", "to_account_is"), ("set_source_account", "set_destination_account")),
    "bills": ((), ("link_to_bill",)),
    "categories": (("category_is",), ("set_category",)),
    "budgets": (("budget_is",), ("set_budget",)),
    "tags": (("tag_is",), ("add_tag", "remove_tag")),
}


class RulePart(Struct, frozen=True):
    """A trigger or an action. If `stops` is True, the later triggers or actions of the rule are skipped.

    A trigger that is `prohibited` holds if what it describes does not. A part that is not `active` is ignored. If a
    client of version 6 of the API sent another name of the trigger, `spelling` keeps it for the answers.
    """

    name: str
    value: str | None = None
    stops: bool = False
    prohibited: bool = False
    active: bool = True
    spelling: str | None = None


class RuleDraft(Struct, frozen=True):
    """A rule that is `manual` does not run on its event, but only when somebody applies it."""

    rule_group_id: int
    title: str
    description: str | None
    moment: RuleEvent
    strict: bool
    stops: bool
    active: bool
    order: int | None
    triggers: tuple[RulePart, ...]
    actions: tuple[RulePart, ...]
    manual: bool = False


class StoredRulePart(Struct, frozen=True):
    id: int
    order: int
    name: str
    value: str | None
    stops: bool
    created_at: str
    updated_at: str
    prohibited: bool = False
    active: bool = True
    spelling: str | None = None

    @property
    def draft(self) -> RulePart:
        return RulePart(self.name, self.value, self.stops, self.prohibited, self.active, self.spelling)


class Rule(Struct, frozen=True):
    id: int
    rule_group_id: int
    title: str
    description: str | None
    moment: RuleEvent
    order: int
    active: bool
    strict: bool
    stops: bool
    created_at: str
    updated_at: str
    manual: bool = False
    triggers: tuple[StoredRulePart, ...] = ()
    actions: tuple[StoredRulePart, ...] = ()


def in_words(spec: Spec, value: str | None) -> str:
    """Describes a trigger or an action, for example `the description contains 'rent'`.

    Numbers and types are not quoted.
    """
    if spec.takes == ValueKind.NOTHING:
        return spec.words
    if spec.takes in (ValueKind.AMOUNT, ValueKind.COUNT, ValueKind.TYPE):
        return f"{spec.words} {(value or '1').lower()}"
    return f"{spec.words} '{value}'"


_LONGEST = {
    ValueKind.NAME: NAME_MAX,
    ValueKind.TAG: NAME_MAX,
    ValueKind.BUDGET: NAME_MAX,
    ValueKind.BILL: NAME_MAX,
    ValueKind.DESCRIPTION: DESCRIPTION_MAX,
}
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?")
_WHOLE = re.compile(r"[0-9]{1,9}")


def misfit(part: RulePart, takes: ValueKind) -> str | None:
    """Returns why the value is invalid, as the end of a sentence. Does not check if a named object exists."""
    value = part.value or ""
    if takes in _LONGEST and len(value) > _LONGEST[takes]:
        return f"may not be greater than {_LONGEST[takes]} characters"
    if takes == ValueKind.TAG and "," in value:
        return "may not contain a comma, because it is a single tag"
    if takes == ValueKind.TYPE and value.lower() not in TYPES:
        return f"must be one of {', '.join(TYPES)}"
    if takes == ValueKind.MOMENT and value not in set(RuleEvent):
        return f"must be one of {', '.join(RuleEvent)}"
    if takes == ValueKind.COUNT and value and not (_WHOLE.fullmatch(value) and int(value)):
        return "must be a whole number of at least 1"
    return _amount_misfit(part.name, value) if takes == ValueKind.AMOUNT else None


def _amount_misfit(name: str, value: str) -> str | None:
    if not _NUMBER.fullmatch(value):
        return "must be a number, written like 1234.56"
    if Decimal(value) < 0 or (Decimal(value) == 0 and name != "amount_more"):
        return "must be more than zero, because amounts are always positive"
    return None
