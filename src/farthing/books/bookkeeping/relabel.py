"""Changes the category, budget or tags of many transactions at once, all or none."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from farthing.kernel.text import fold
from farthing.ledger.entry import Label
from farthing.storage.unit import Unit

from ..categories import store as categories
from ..tags import store as tags
from ..transactions.lines import SplitPosition
from ..transactions.model import Lookup, Relabelling
from . import record


class RelabelRequest(Struct, frozen=True):
    """Labels are ids, or names to create; None removes a label, and labels that are left out stay."""

    spots: Sequence[SplitPosition]
    labels: Mapping[str, int | str | None]
    tags: Mapping[str, Sequence[str]]
    known: Lookup

    @property
    def gives_budget(self) -> bool:
        return self.labels.get("budget") is not None

    @property
    def entry_ids(self) -> list[int]:
        return sorted({spot.entry_id for spot in self.spots})


def carry_out(db: Unit, user_id: int, wanted: RelabelRequest, now: str) -> None:
    maker = record.Maker(db, user_id, wanted.known, now)
    tables: dict[str, Label] = {"category": "categories", "budget": "budgets"}
    labels = {f"{name}_id": maker.label(tables[name], label) for name, label in wanted.labels.items()}
    record.relabel(
        db,
        user_id,
        Relabelling(
            entry_ids=wanted.entry_ids,
            split_ids=[spot.id for spot in wanted.spots],
            labels=labels,
            default_budget_id=_default_budget(db, user_id, labels),
            tags=_tags_after(db, user_id, wanted, maker) if wanted.tags else {},
        ),
        now,
    )


def _default_budget(db: Unit, user_id: int, labels: Mapping[str, int | None]) -> int | None:
    """That of the new category, unless a budget is given, too."""
    category_id = labels.get("category_id")
    if category_id is None or "budget_id" in labels:
        return None
    return categories.find_budgets(db, user_id, [category_id]).get(category_id)


def _tags_after(
    db: Unit, user_id: int, wanted: RelabelRequest, maker: record.Maker
) -> dict[tuple[int, str], tuple[int, ...]]:
    """The new tags of the entries whose tags change, by entry and day."""
    kept = tags.of_entries(db, user_id, wanted.entry_ids)
    given = [maker.make_label("tags", name) for key in ("tags", "add_tags") for name in wanted.tags.get(key, ())]
    named = wanted.known.tags_named
    taken = {named[fold(name)] for name in wanted.tags.get("remove_tags", ()) if fold(name) in named}
    after = {}
    for spot in wanted.spots:
        before = tuple(tag.id for tag in kept.get(spot.entry_id, ()))
        staying = () if "tags" in wanted.tags else (one for one in before if one not in taken)
        found = tuple(dict.fromkeys((*staying, *given)))
        if found != before:
            after[spot.entry_id, spot.on] = found
    return after
