"""How do many transactions get another category, budget or tags at once? All of them, or none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..cleaned import Indexed
from ..errors import Problem, refuse, refuse_field
from ..fields import Parsed, parse
from ..ledger.entry import Label
from ..ledger.kinds import Type
from ..storage.unit import Unit
from ..tags import store as tags
from ..text import fold
from . import known as lookup
from . import lines, record
from .compose import NOT_CHANGED_HERE, label_meant, tag_problems
from .lines import Spot
from .model import Known, Named, Relabelling
from .wire import BULK_MAX, RelabelBody, clears

_TAGS = ("tags", "add_tags", "remove_tags")


@dataclass(frozen=True)
class Wanted:
    """Labels are ids, or names that are to be made; None takes one away. Those that are left out stay as they are."""

    spots: Sequence[Spot]
    labels: Mapping[str, int | str | None]
    tags: Mapping[str, Sequence[str]]
    known: Known

    @property
    def entry_ids(self) -> list[int]:
        return sorted({spot.entry_id for spot in self.spots})


def read(db: Unit, user_id: int, raw: Mapping[str, object]) -> Wanted:
    """Ids may come as a list, as form fields or with commas between; everything wrong is said at once."""
    parsed = _parsed(raw)
    values, problems = parsed.values, list(parsed.problems)
    known = lookup.look_up(db, user_id, _named(values))
    labels = {
        name: None if clears(raw, name) else label_meant(parsed, name, ids, named, problems)
        for name, ids, named in (
            ("category", known.categories, known.categories_named),
            ("budget", known.budgets, known.budgets_named),
        )
        if clears(raw, name) or not parsed.absent(f"{name}_id", f"{name}_name")
    }
    sent = {name: getattr(values, name) or [] for name in _TAGS if name in raw and not parsed.wrong(name)}
    spots = lines.spots(db, user_id, values.ids or [])
    problems += _id_problems(parsed, spots, gives_budget=labels.get("budget") is not None)
    problems += _tag_problems(sent)
    if not labels and not any(name == "tags" or sent[name] for name in sent) and not problems:
        problems.append(Problem("ids", "Nothing is to be changed: send a category, a budget or tags."))
    refuse(problems)
    return Wanted(list(spots.values()), labels, sent, known)


def _parsed(raw: Mapping[str, object]) -> Parsed[RelabelBody]:
    ids = raw.get("ids")
    ids = str(ids).split(",") if isinstance(ids, str | int) else ids
    if isinstance(ids, list | dict) and len(ids) > BULK_MAX:
        refuse_field("ids", f"The ids may not have more than {BULK_MAX} items.")
    return parse(RelabelBody, {**raw, "ids": ids})


def _named(values: RelabelBody) -> Named:
    named = [tag for name in _TAGS for tag in getattr(values, name) or ()]
    return Named(
        category_ids={values.category_id} if values.category_id else set(),
        category_folds={fold(values.category_name)} if values.category_name else set(),
        budget_ids={values.budget_id} if values.budget_id else set(),
        budget_folds={fold(values.budget_name)} if values.budget_name else set(),
        tag_folds={fold(tag) for tag in named},
    )


def _id_problems(parsed: Parsed[RelabelBody], spots: Mapping[int, Spot], *, gives_budget: bool) -> Iterator[Problem]:
    sent, wanted = parsed.raw.get("ids"), parsed.values.ids or []
    if not wanted and not any(key.split(".")[0] == "ids" for key in parsed.failed):
        yield Problem("ids", "The ids field is required: name at least one transaction.")
    for label, split_id in zip(sent.labels if isinstance(sent, Indexed) else (), wanted, strict=True):
        key, spot = f"ids.{label}", spots.get(split_id)
        if spot is None:
            yield Problem(key, f"The selected {key} is invalid: there is no such transaction.")
        elif spot.type in NOT_CHANGED_HERE:
            yield Problem(key, NOT_CHANGED_HERE[Type(spot.type)])
        elif gives_budget and spot.type != Type.WITHDRAWAL:
            yield Problem(key, f"The selected {key} is invalid: only withdrawals have a budget.")


def _tag_problems(sent: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    for name, given in sent.items():
        yield from tag_problems(name, given)
    if "tags" in sent and len(sent) > 1:
        sentence = "Either tags says what all of them are, or add_tags and remove_tags what is different."
        yield from (Problem(name, sentence) for name in sent)


def carry_out(db: Unit, user_id: int, wanted: Wanted, now: str) -> None:
    maker = record.Maker(db, user_id, wanted.known, now)
    tables: dict[str, Label] = {"category": "categories", "budget": "budgets"}
    record.relabel(
        db,
        user_id,
        Relabelling(
            entry_ids=wanted.entry_ids,
            split_ids=[spot.id for spot in wanted.spots],
            labels={f"{name}_id": maker.label(tables[name], label) for name, label in wanted.labels.items()},
            tags=_tags_after(db, user_id, wanted, maker) if wanted.tags else {},
        ),
        now,
    )


def _tags_after(db: Unit, user_id: int, wanted: Wanted, maker: record.Maker) -> dict[tuple[int, str], tuple[int, ...]]:
    """All tags of the entries that get others than they have, by entry and its day."""
    kept = tags.of_entries(db, user_id, wanted.entry_ids)
    given = [maker.made("tags", name) for key in ("tags", "add_tags") for name in wanted.tags.get(key, ())]
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
