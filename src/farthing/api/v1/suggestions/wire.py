"""Reads the drafts and transactions that need suggestions, and shows the suggestions."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Struct
from pydantic import ConfigDict, Field

from farthing.books.rules.model import RuleEvent
from farthing.books.transactions.model import TYPES
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import Description, Flag, Id, Name, PositiveAmount, RequestBody, choice, decimal, parse
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import Number, ShownDay, number
from farthing.ledger.kinds import Type
from farthing.overviews.suggestions.model import EarlierSplit, LabelSuggestion, RuleOffer, Suggestion, SuggestionSubject

from ..resources.ids import separate
from ..serializers.currencies import InCurrency, currency_fields

DRAFTS_MAX = 100
STORED_MAX = 100
ACCEPTED_MAX = 1000
CONFIDENCE_USUAL = Decimal("0.9")
_EXAMPLE: dict[str, Any] = {"transactions": [{"description": "SHELL OIL 57442", "amount": "48.10"}]}


class DraftBody(RequestBody):
    """Holds a transaction that is being typed or imported. Only a description or a payee is required."""

    type: Annotated[str, choice(*TYPES)] | None = Field(None, description="Defaults to withdrawal.")
    description: Description | None = None
    amount: PositiveAmount | None = None
    source_name: Name | None = Field(None, description="The payer of a deposit. Ignored for other types.")
    destination_name: Name | None = Field(None, description="The payee of a withdrawal or transfer, if known.")


class SuggestBody(RequestBody):
    """Holds up to 100 drafts. Nothing is stored."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    transactions: list[DraftBody] | None = Field(None, json_schema_extra={"minItems": 1, "maxItems": DRAFTS_MAX})


class AcceptBody(RequestBody):
    """Accepts the suggestions with enough confidence for the transactions in `ids`."""

    ids: list[Id] | None = Field(
        None,
        description="The ids of up to 1000 transactions, as shown in lists. Send a list or comma-separated text.",
        json_schema_extra={"minItems": 1, "maxItems": ACCEPTED_MAX},
    )
    confidence: Annotated[Decimal, decimal(minimum=0, maximum=1)] | None = Field(
        None, description="Accepts only suggestions with at least this confidence. Defaults to 0.9."
    )
    dry_run: Flag | None = Field(None, description="Answers as usual, but changes nothing.")


class EarlierShown(InCurrency, gc=False, kw_only=True):
    """Shows an earlier transaction. The amount is positive."""

    transaction_id: str
    date: ShownDay
    description: str
    payee_name: str
    amount: Number


class LabelSuggested(Struct, gc=False):
    """`confidence` is between 0 and 1. `because` lists up to three earlier transactions that support the suggestion.

    A payee without an id does not exist yet. The name of such a payee is taken from the transaction's text.
    """

    id: str | None
    name: str
    confidence: float
    because: list[EarlierShown]


class RefundSuggested(Struct, gc=False):
    """`purchase` is what a deposit probably refunds. `confidence` is between 0 and 1."""

    purchase: EarlierShown
    confidence: float


class RulePartOffered(Struct, gc=False):
    name: str
    value: str


class RuleOffered(Struct, gc=False):
    """Offers a rule, in the form of the body of `POST /rules`.

    `rule_group_title` is null if there is no rule group yet. In that case, create one first.
    """

    title: str
    rule_group_title: str | None
    trigger: str
    strict: bool
    stop_processing: bool
    active: bool
    rule_triggers: list[RulePartOffered]
    rule_actions: list[RulePartOffered]


class SuggestionShown(Struct, gc=False):
    """Suggests what a transaction lacks. A field is null if there is no suggestion for it.

    A draft has no `transaction_id`, and no `refund`, which is only suggested for deposits. `rule` is offered after the
    same payee was corrected three times in the same way.
    """

    transaction_id: str | None
    category: LabelSuggested | None
    budget: LabelSuggested | None
    tags: list[LabelSuggested]
    payee: LabelSuggested | None
    refund: RefundSuggested | None
    rule: RuleOffered | None


class Suggestions(Struct, gc=False):
    """Has one object for each draft or id, in the order of the request."""

    data: list[SuggestionShown]


class AcceptedMeta(Struct, gc=False):
    accepted: int
    left_out: int
    confidence: float
    dry_run: bool


class AcceptedSuggestions(Struct, gc=False):
    """Shows what was accepted. `left_out` counts the transactions that have no suggestion with enough confidence."""

    data: list[SuggestionShown]
    meta: AcceptedMeta


def read_drafts(raw: Mapping[str, object]) -> list[SuggestionSubject]:
    """Reads the drafts. If there are too many, refuses them before parsing any."""
    many = raw.get("transactions")
    if isinstance(many, list | dict) and len(many) > DRAFTS_MAX:
        refuse_field("transactions", f"The transactions may not have more than {DRAFTS_MAX} items.")
    parsed = parse(SuggestBody, raw)
    drafts = parsed.each("transactions", parsed.values.transactions)
    if not drafts and not parsed.wrong("transactions"):
        parsed.report("transactions", "The transactions field is required: send at least one.")
    for draft in drafts:
        if draft.absent("destination_name", "source_name"):
            draft.require("description")
    parsed.finish()
    return [_read_draft(draft.values) for draft in drafts]


def _read_draft(draft: DraftBody) -> SuggestionSubject:
    type_ = TYPES[draft.type or "withdrawal"]
    return SuggestionSubject(
        type=type_,
        description=draft.description or "",
        payee=draft.source_name if type_ == Type.DEPOSIT else draft.destination_name,
        amount=draft.amount,
        takes_budget=type_ == Type.WITHDRAWAL,
    )


def read_accepted(raw: Mapping[str, object]) -> Parsed[AcceptBody]:
    return parse(AcceptBody, separate(raw, most=ACCEPTED_MAX))


def show(suggestion: Suggestion) -> SuggestionShown:
    split_id, refund = suggestion.subject.split_id, suggestion.refund
    return SuggestionShown(
        transaction_id=str(split_id) if split_id else None,
        category=_show_label(suggestion.category),
        budget=_show_label(suggestion.budget),
        tags=[label for tag in suggestion.tags if (label := _show_label(tag))],
        payee=_show_label(suggestion.payee),
        refund=RefundSuggested(_show_earlier(refund.purchase), refund.confidence) if refund else None,
        rule=_show_rule(suggestion.rule) if suggestion.rule else None,
    )


def _show_label(label: LabelSuggestion | None) -> LabelSuggested | None:
    if label is None:
        return None
    label_id = str(label.id) if label.id else None
    return LabelSuggested(label_id, label.name, label.confidence, [_show_earlier(split) for split in label.because])


def _show_earlier(split: EarlierSplit) -> EarlierShown:
    return EarlierShown(
        transaction_id=str(split.id),
        date=split.on,
        description=split.part or split.description,
        payee_name=split.payee,
        amount=number(split.units, split.currency.places),
        **currency_fields(split.currency),
    )


def _show_rule(rule: RuleOffer) -> RuleOffered:
    return RuleOffered(
        title=rule.title,
        rule_group_title=rule.group_title,
        trigger=RuleEvent.STORE,
        strict=True,
        stop_processing=False,
        active=True,
        rule_triggers=[RulePartOffered(*rule.trigger)],
        rule_actions=[RulePartOffered(*action) for action in rule.actions],
    )
