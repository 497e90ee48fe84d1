"""Combines conditions on splits with and, or and not.

A condition is SQL on a row of `splits`, so that scans check it. Conditions on texts are checked in Python, because SQL
does not compare texts without accents.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any

from msgspec import Struct, field

from farthing.books.transactions.counts import Days, LabelFilter
from farthing.ledger.kinds import Type
from farthing.storage.unit import Row, Unit

from .streams import Candidate, StreamSource

# The texts that conditions may compare.
TEXTS = {
    "description": "e.description",
    "split_description": "splits.description",
    "notes": "e.notes",
    "internal_reference": "e.internal_reference",
    "external_id": "d.external_id",
    "external_url": "d.external_url",
}
_ENTRIES = "JOIN entries e ON e.user_id = splits.user_id AND e.id = splits.entry_id"
_DETAILS = "LEFT JOIN entry_details d ON d.user_id = splits.user_id AND d.entry_id = splits.entry_id"


class Way(Struct, frozen=True):
    """A way to find all entries that meet a condition: streams or, if `entry_ids` is not None, ids.

    `number` estimates how many entries it finds. If `is_whole`, the search reads all of them, however many there are.
    """

    number: int
    sources: Sequence[StreamSource] = ()
    entry_ids: Collection[int] | None = None
    is_whole: bool = False


class Condition(Struct, frozen=True):
    """A condition on one split. If `fits` is set, the values of `texts` must also fit.

    Only splits on these days, of these types and of this account or label meet the condition and, if `is_span`, all
    of them do.
    """

    sql: str
    parameters: Mapping[str, Any] = {}
    texts: tuple[str, ...] = ()
    fits: Callable[[Sequence[str | None]], bool] | None = None
    find_way: Callable[[Unit, int], Way | None] | None = None
    days: Days = field(default_factory=Days)
    types: frozenset[Type] = frozenset(Type)
    labelled: LabelFilter | None = None
    is_span: bool = False


class All(Struct, frozen=True):
    """Holds if all parts hold."""

    parts: "tuple[Node, ...]"


class Not(Struct, frozen=True):
    part: "Node"


Node = Condition | All | Not
NEVER = Condition("1 = 0", find_way=lambda _db, _user_id: Way(0, entry_ids=()))
ALWAYS = Condition("1 = 1")


class Conditions(Struct, frozen=True, dict=True):
    """A tree of conditions that must hold for the same split."""

    root: All

    @cached_property
    def _leaves(self) -> list[Condition]:
        return [_number_parameters(leaf, number) for number, leaf in enumerate(_leaves_of(self.root))]

    @cached_property
    def parameters(self) -> dict[str, Any]:
        return {name: value for leaf in self._leaves for name, value in leaf.parameters.items()}

    @property
    def required(self) -> Iterator[Condition]:
        """Yields the conditions that every match meets."""
        return _required(self.root)

    @property
    def are_span(self) -> bool:
        """Returns whether a plain list answers the search: one of days, types and at most one account or label."""
        parts = self.root.parts
        labels = {part.labelled for part in parts if isinstance(part, Condition)} - {None}
        return len(labels) <= 1 and all(isinstance(part, Condition) and part.is_span for part in parts)

    @cached_property
    def reads_texts(self) -> bool:
        return any(leaf.fits for leaf in self._leaves)

    @cached_property
    def sql(self) -> str:
        """Returns a condition that holds for all matching splits. It ignores conditions on texts."""
        return _write(self.root, iter(self._leaves), negated=False)

    def find_ways(self, db: Unit, user_id: int) -> Iterator[Way]:
        """Finds the ways of those conditions that every matching entry meets."""
        for leaf in self.required:
            if leaf.find_way and (way := leaf.find_way(db, user_id)):
                yield way

    def select(self, db: Unit, user_id: int, entry_ids: list[int]) -> set[tuple[int, int]]:
        """Selects the splits of these entries that meet the conditions, each with the id of its entry."""
        if not entry_ids:
            return set()
        texts = sorted({text for leaf in self._leaves if leaf.fits for text in leaf.texts})
        bits = [f"CASE WHEN {leaf.sql} THEN 1 ELSE 0 END" for leaf in self._leaves] if texts else []
        columns = ", ".join(["splits.entry_id", "splits.id", *bits, *(TEXTS[text] for text in texts)])
        details = _DETAILS if any(TEXTS[text].startswith("d.") for text in texts) else ""
        rows = db.all(
            f"""
            SELECT {columns} FROM splits {_ENTRIES if texts else ""} {details}
            WHERE splits.user_id = :user_id AND splits.entry_id IN :entry_ids AND {self.sql}
            """,
            user_id=user_id,
            entry_ids=entry_ids,
            **self.parameters,
        )
        if not texts:
            return {(entry_id, split_id) for entry_id, split_id in rows}
        at = {text: len(bits) + place for place, text in enumerate(texts)}
        # Many transactions have the same texts: each is compared once.
        fits = cache(partial(self._fits, at))
        return {row[:2] for row in rows if fits(row[2:])}

    def _fits(self, at: Mapping[str, int], row: Row) -> bool:
        bits = iter(
            [
                bool(row[number]) and (leaf.fits is None or leaf.fits([row[at[text]] for text in leaf.texts]))
                for number, leaf in enumerate(self._leaves)
            ]
        )
        return _evaluate(self.root, bits)


def read_entries(db: Unit, user_id: int, entry_ids: Collection[int], days: Days) -> list[Candidate]:
    """Returns those of the entries that are in a range of days, newest first."""
    rows = db.all(
        """
        SELECT on_day, id FROM entries
        WHERE user_id = :user_id AND id IN :entry_ids AND on_day >= :start AND on_day <= :end
        """,
        user_id=user_id,
        entry_ids=sorted(set(entry_ids)),
        start=days.start,
        end=days.end,
    )
    return sorted(((on, entry_id, 1) for on, entry_id in rows), reverse=True)


def _leaves_of(node: Node) -> Iterator[Condition]:
    if isinstance(node, Condition):
        yield node
    else:
        for part in node.parts if isinstance(node, All) else (node.part,):
            yield from _leaves_of(part)


def _required(node: Node) -> Iterator[Condition]:
    if isinstance(node, Condition):
        yield node
    elif isinstance(node, All):
        for part in node.parts:
            yield from _required(part)


def _number_parameters(leaf: Condition, number: int) -> Condition:
    """Renames parameters, so that the same condition may occur several times."""
    if not leaf.parameters:
        return leaf
    names = "|".join(sorted(leaf.parameters, key=len, reverse=True))
    return Condition(
        re.sub(rf":({names})\b", rf":\1_{number}", leaf.sql),
        {f"{name}_{number}": value for name, value in leaf.parameters.items()},
        leaf.texts,
        leaf.fits,
    )


def _write(node: Node, leaves: Iterator[Condition], *, negated: bool) -> str:
    if isinstance(node, Not):
        return _write(node.part, leaves, negated=not negated)
    if isinstance(node, All):
        parts = [_write(part, leaves, negated=negated) for part in node.parts]
        return f"({(' OR ' if negated else ' AND ').join(parts)})" if parts else "1 = 1"
    leaf = next(leaves)
    if not negated:
        return f"({leaf.sql})"
    # A missing value does not meet a condition, so it meets the opposite.
    return "1 = 1" if leaf.fits else f"CASE WHEN {leaf.sql} THEN 1 ELSE 0 END = 0"


def _evaluate(node: Node, bits: Iterator[bool]) -> bool:
    if isinstance(node, Condition):
        return next(bits)
    if isinstance(node, Not):
        return not _evaluate(node.part, bits)
    fitting = [_evaluate(part, bits) for part in node.parts]  # a list, so that every part consumes its bits
    return all(fitting)
