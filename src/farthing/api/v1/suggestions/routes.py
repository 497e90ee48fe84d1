"""Serves suggestions, and accepts those with enough confidence."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from farthing.books.bookkeeping import lookup
from farthing.books.bookkeeping.relabel import RelabelRequest
from farthing.books.entry_links.model import LinkEnd
from farthing.books.lifecycle import refunds as lifecycle_of_refunds
from farthing.books.lifecycle import transactions as lifecycle
from farthing.books.lifecycle.refunds import AcceptedRefund
from farthing.books.transactions import lines
from farthing.books.transactions.model import LookupRequest
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, LARGE_OVERVIEW, Mode, Parameter, Route, Runs
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.text import fold
from farthing.overviews.suggestions import suggest
from farthing.overviews.suggestions.model import LabelSuggestion, Suggestion

from . import wire


def suggest_drafts(call: Call) -> Answer:
    subjects = wire.read_drafts(call.fields)
    return Answer(wire.Suggestions([wire.show(one) for one in suggest.find(call.db, call.user_id, subjects)]))


def index(call: Call) -> Answer:
    call.days()
    split_ids = call.ids(most=wire.STORED_MAX)
    if not split_ids:
        refuse_field("ids", "The ids field is required: send at least one transaction.")
    return Answer(wire.Suggestions([wire.show(suggestion) for suggestion in _find(call, split_ids)]))


def accept(call: Call) -> Answer:
    """Sets the labels that the transactions lack, and links refunds to their purchases: all or none, as one change that
    can be undone as a whole.

    Existing labels are never replaced.
    """
    parsed = wire.read_accepted(call.fields)
    parsed.require("ids")
    parsed.finish()
    least = wire.CONFIDENCE_USUAL if parsed.values.confidence is None else parsed.values.confidence
    suggestions = _find(call, list(dict.fromkeys(parsed.values.ids or [])))
    sure = [kept for one in suggestions if (kept := _keep_sure(one, float(least)))]
    dry_run = bool(parsed.values.dry_run)
    with lifecycle.roll_back_if(call.db, discard=dry_run):
        _relabel(call, [suggestion for suggestion in sure if not suggestion.refund])
        refunds = [acceptance for suggestion in sure if (acceptance := _read_refund(suggestion))]
        lifecycle_of_refunds.accept(call.db, call.user_id, refunds, call.now)
    meta = wire.AcceptedMeta(len(sure), len(suggestions) - len(sure), float(least), dry_run)
    return Answer(wire.AcceptedSuggestions([wire.show(suggestion) for suggestion in sure], meta))


def _find(call: Call, split_ids: list[int]) -> list[Suggestion]:
    suggestions = suggest.find_for_stored(call.db, call.user_id, split_ids)
    if len(suggestions) < len(split_ids):
        existing = {suggestion.subject.split_id for suggestion in suggestions}
        gone = ", ".join(str(split_id) for split_id in split_ids if split_id not in existing)
        refuse_field("ids", f"The selected ids are invalid: there is no transaction {gone}.")
    return suggestions


def _keep_sure(suggestion: Suggestion, least: float) -> Suggestion | None:
    """Keeps the labels and the refund with enough confidence. Drops the payee, which cannot be accepted here."""
    category, budget = _sure(suggestion.category, least), _sure(suggestion.budget, least)
    tags = [tag for tag in suggestion.tags if _sure(tag, least)]
    refund = suggestion.refund if suggestion.refund and suggestion.refund.confidence >= least else None
    if not category and not (budget and (refund or suggestion.subject.takes_budget)) and not tags and not refund:
        return None
    return replace(suggestion, category=category, budget=budget, tags=tags, payee=None, refund=refund, rule=None)


def _read_refund(suggestion: Suggestion) -> AcceptedRefund | None:
    subject, refund, category, budget = suggestion.subject, suggestion.refund, suggestion.category, suggestion.budget
    if not refund or not subject.entry_id or not subject.split_id:
        return None
    return AcceptedRefund(
        refund=LinkEnd(subject.entry_id, subject.split_id),
        purchase=LinkEnd(refund.purchase.entry_id, refund.purchase.id),
        category_id=category.id if category else None,
        budget_id=budget.id if budget else None,
        tags=[tag.name for tag in suggestion.tags],
    )


def _sure(label: LabelSuggestion | None, least: float) -> LabelSuggestion | None:
    return label if label and label.confidence >= least else None


def _relabel(call: Call, suggestions: Sequence[Suggestion]) -> None:
    """Changes the transactions that get the same labels together. There are about as many different sets of labels as
    categories.
    """
    names = {fold(tag.name) for suggestion in suggestions for tag in suggestion.tags}
    facts = lookup.look_up(call.db, call.user_id, LookupRequest(tag_folds=names))
    split_ids = [split_id for suggestion in suggestions if (split_id := suggestion.subject.split_id)]
    spots = lines.find_positions(call.db, call.user_id, split_ids)
    alike: dict[tuple[int | None, int | None, tuple[str, ...]], list[int]] = defaultdict(list)
    for suggestion, split_id in zip(suggestions, split_ids, strict=True):
        category, budget = suggestion.category, suggestion.budget
        labels = category.id if category else None, budget.id if budget else None
        alike[*labels, tuple(sorted(tag.name for tag in suggestion.tags))].append(split_id)
    for (category_id, budget_id, tags), of in alike.items():
        ids = {"category": category_id, "budget": budget_id}
        request = RelabelRequest(
            spots=[spots[split_id] for split_id in of],
            labels={name: label_id for name, label_id in ids.items() if label_id},
            tags={"add_tags": tags} if tags else {},
            lookup=facts,
        )
        lifecycle.relabel_many(call.db, call.user_id, request, call.now)


_IDS = Parameter(
    "ids", {"type": "string"}, "The ids of up to 100 splits, as shown in lists, comma-separated.", required=True
)
ROUTES = (
    Route(
        "POST", "/suggestions", suggest_drafts, "Suggest category, budget, tags and payee for drafts",
        gives=wire.Suggestions, takes=wire.SuggestBody, requires=("transactions",),
        runs=Runs(mode=Mode.READ, large=True),
    ),
    Route(
        "GET", "/transactions/suggestions", index,
        "Suggest the category, budget, tags and payee that transactions lack",
        gives=wire.Suggestions, parameters=(_IDS,), runs=LARGE_OVERVIEW, fails=(Invalid,),
    ),
    Route(
        "PUT", "/transactions/suggestions", accept,
        "Accept suggestions with enough confidence for up to 1000 transactions",
        gives=wire.AcceptedSuggestions, takes=wire.AcceptBody, requires=("ids",), runs=LARGE,
    ),
)  # fmt: skip
