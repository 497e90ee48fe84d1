"""Reads which transactions get which labels."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from farthing.books.bookkeeping import lookup
from farthing.books.bookkeeping.compose import NOT_CHANGED_HERE, find_label, tag_problems
from farthing.books.bookkeeping.relabel import RelabelRequest
from farthing.books.transactions import lines
from farthing.books.transactions.lines import SplitPosition
from farthing.books.transactions.model import LookupRequest
from farthing.kernel.errors import Problem
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Indexed, Parsed
from farthing.kernel.text import fold
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..resources.ids import separate
from .wire import BULK_MAX, RelabelBody, RelabelLabels, clears

_TAGS = ("tags", "add_tags", "remove_tags")


def read(db: Unit, user_id: int, raw: Mapping[str, object]) -> RelabelRequest:
    """Reads the transactions and their labels, and reports all problems at once."""
    parsed = parse(RelabelBody, separate(raw, most=BULK_MAX))
    request = _read_labels(db, user_id, parsed, raw)
    spots = lines.find_positions(db, user_id, parsed.values.ids or [])
    parsed.report_all(_id_problems(parsed, spots, gives_budget=request.gives_budget))
    _finish(parsed, request, "ids")
    return replace(request, spots=list(spots.values()))


def read_labels(db: Unit, user_id: int, raw: Mapping[str, object]) -> RelabelRequest:
    """Reads the labels for all transactions that match a filter."""
    parsed = parse(RelabelLabels, raw)
    request = _read_labels(db, user_id, parsed, raw)
    _finish(parsed, request, "category_name")
    return request


def _read_labels(db: Unit, user_id: int, parsed: Parsed[Any], raw: Mapping[str, object]) -> RelabelRequest:
    """Reads the labels, without the transactions."""
    facts = lookup.look_up(db, user_id, _request_lookup(parsed.values))
    labels = {
        name: None if clears(raw, name) else find_label(parsed, name, ids, named)
        for name, ids, named in (
            ("category", facts.categories, facts.categories_named),
            ("budget", facts.budgets, facts.budgets_named),
        )
        if clears(raw, name) or not parsed.absent(f"{name}_id", f"{name}_name")
    }
    sent = {name: getattr(parsed.values, name) or [] for name in _TAGS if name in raw and not parsed.wrong(name)}
    return RelabelRequest(spots=[], labels=labels, tags=sent, lookup=facts)


def _finish(parsed: Parsed[Any], request: RelabelRequest, field: str) -> None:
    parsed.report_all(_tag_problems(request.tags))
    changes_tags = any(name == "tags" or request.tags[name] for name in request.tags)
    if not request.labels and not changes_tags and not parsed.problems:
        parsed.report(field, "There is nothing to change. Send a category, a budget or tags.")
    parsed.finish()


def _request_lookup(values: RelabelLabels) -> LookupRequest:
    named = [tag for name in _TAGS for tag in getattr(values, name) or ()]
    return LookupRequest(
        category_ids={values.category_id} if values.category_id else set(),
        category_folds={fold(values.category_name)} if values.category_name else set(),
        budget_ids={values.budget_id} if values.budget_id else set(),
        budget_folds={fold(values.budget_name)} if values.budget_name else set(),
        tag_folds={fold(tag) for tag in named},
    )


def _id_problems(
    parsed: Parsed[RelabelBody], spots: Mapping[int, SplitPosition], *, gives_budget: bool
) -> Iterator[Problem]:
    sent, split_ids = parsed.raw.get("ids"), parsed.values.ids or []
    if not split_ids and not any(key.split(".")[0] == "ids" for key in parsed.failed):
        yield Problem("ids", "The ids field is required: send at least one transaction.")
    for label, split_id in zip(sent.labels if isinstance(sent, Indexed) else (), split_ids, strict=True):
        key, spot = f"ids.{label}", spots.get(split_id)
        if spot is None:
            yield Problem(key, f"The selected {key} is invalid: there is no such transaction.")
        elif spot.type in NOT_CHANGED_HERE:
            yield Problem(key, NOT_CHANGED_HERE[Type(spot.type)])
        elif gives_budget and spot.type != Type.WITHDRAWAL and not spot.refund:
            yield Problem(key, f"The selected {key} is invalid: only withdrawals and refunds have a budget.")


def _tag_problems(sent: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    for name, words in sent.items():
        yield from tag_problems(name, words)
    if "tags" in sent and len(sent) > 1:
        sentence = "Send either tags, which replaces all tags, or add_tags and remove_tags."
        yield from (Problem(name, sentence) for name in sent)
