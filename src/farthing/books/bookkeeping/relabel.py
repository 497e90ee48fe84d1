"""Changes the category, budget or tags of many transactions at once. If one of them fails, none is changed."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from farthing.kernel.text import fold
from farthing.ledger.entry import Label
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..categories import store as categories
from ..tags import store as tags
from ..transactions.lines import SplitPosition
from ..transactions.model import Lookup, Relabelling
from . import record
from .compose import NOT_CHANGED_HERE


class RelabelRequest(Struct, frozen=True):
    """Says which labels to set on which splits.

    A label is an id, or the name of a label to create. None removes a label. Only labels that have a key are changed.
    """

    spots: Sequence[SplitPosition]
    labels: Mapping[str, int | str | None]
    tags: Mapping[str, Sequence[str]]
    lookup: Lookup

    @property
    def gives_budget(self) -> bool:
        return self.labels.get("budget") is not None

    @property
    def entry_ids(self) -> list[int]:
        return sorted({spot.entry_id for spot in self.spots})


class NewLabels(Struct, frozen=True):
    """Holds the labels to set, by column; None removes a label.

    The tags in `given` are added; with `replace`, they replace all tags. The tags in `taken` are removed.
    """

    labels: dict[str, int | None]
    given: list[int]
    taken: list[int]
    replace: bool = False

    @property
    def gives_budget(self) -> bool:
        return self.labels.get("budget_id") is not None

    @property
    def required_ids(self) -> dict[Label, list[int]]:
        """Returns the ids of the labels that must exist, by table."""
        ids: dict[Label, int | None] = {
            "categories": self.labels.get("category_id"),
            "budgets": self.labels.get("budget_id"),
        }
        return {**{table: [label_id] for table, label_id in ids.items() if label_id is not None}, "tags": self.given}

    @property
    def changes_tags(self) -> bool:
        return bool(self.given or self.taken or self.replace)


def select_fitting(spots: Iterable[SplitPosition], *, gives_budget: bool) -> list[SplitPosition]:
    """Selects the splits that may be changed. Only withdrawals and refunds may get a budget."""
    fitting = [spot for spot in spots if spot.type not in NOT_CHANGED_HERE]
    return [spot for spot in fitting if not gives_budget or spot.type == Type.WITHDRAWAL or spot.refund]


def carry_out(db: Unit, user_id: int, request: RelabelRequest, now: str) -> None:
    apply(db, user_id, make_labels(db, user_id, request, now), request.spots, now)


def make_labels(db: Unit, user_id: int, request: RelabelRequest, now: str) -> NewLabels:
    """Finds the ids of the labels in a request, and creates labels that do not exist yet."""
    maker = record.EntryMaker(db, user_id, request.lookup, now)
    tables: dict[str, Label] = {"category": "categories", "budget": "budgets"}
    named = request.lookup.tags_named
    return NewLabels(
        labels={f"{name}_id": maker.label(tables[name], label) for name, label in request.labels.items()},
        given=[maker.make_label("tags", name) for key in ("tags", "add_tags") for name in request.tags.get(key, ())],
        taken=[named[fold(name)] for name in request.tags.get("remove_tags", ()) if fold(name) in named],
        replace="tags" in request.tags,
    )


def apply(db: Unit, user_id: int, new: NewLabels, spots: Sequence[SplitPosition], now: str) -> None:
    relabelling = Relabelling(
        entry_ids=sorted({spot.entry_id for spot in spots}),
        split_ids=[spot.id for spot in spots],
        labels=new.labels,
        default_budget_id=_default_budget(db, user_id, new.labels),
        tags=_tags_after(db, user_id, new, spots) if new.changes_tags else {},
    )
    record.relabel(db, user_id, relabelling, now)


def _default_budget(db: Unit, user_id: int, labels: Mapping[str, int | None]) -> int | None:
    """Returns the default budget of the new category, unless the request sets or removes the budget itself."""
    category_id = labels.get("category_id")
    if category_id is None or "budget_id" in labels:
        return None
    return categories.find_budgets(db, user_id, [category_id]).get(category_id)


def _tags_after(
    db: Unit, user_id: int, new: NewLabels, spots: Sequence[SplitPosition]
) -> dict[tuple[int, str], tuple[int, ...]]:
    """Returns the new tags of those entries whose tags change, keyed by the entry's id and day."""
    stored = tags.of_entries(db, user_id, sorted({spot.entry_id for spot in spots}))
    after = {}
    for spot in spots:
        before = tuple(tag.id for tag in stored.get(spot.entry_id, ()))
        staying = () if new.replace else (tag_id for tag_id in before if tag_id not in new.taken)
        tag_ids = tuple(dict.fromkeys((*staying, *new.given)))
        if tag_ids != before:
            after[spot.entry_id, spot.on] = tag_ids
    return after
