"""Finds the amounts of a report: in stored sums where they answer it, else in the splits that match."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from farthing.books.transactions import booked
from farthing.ledger.entry import BookedSplit
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from . import kept, matched
from .model import Amounts, Dimension, Flows, LabelledAmounts, Question, add, add_all, drop_zeros
from .ranges import ReportRange

_FLOWING = (Type.WITHDRAWAL, Type.DEPOSIT)


def of_flows(db: Unit, user_id: int, question: Question, ranges: Sequence[ReportRange]) -> list[Flows]:
    """What was spent and earned in each part of each range."""
    every = [_read_flows(db, user_id, question, within) for within in ranges]
    if not question.into:
        return every
    converted = question.into.convert_ranges(
        (found.values(), within.lasts) for found, within in zip(every, ranges, strict=True)
    )
    return [dict(zip(found, amounts, strict=True)) for found, amounts in zip(every, converted, strict=True)]


def _read_flows(db: Unit, user_id: int, question: Question, within: ReportRange) -> Flows:
    if question.is_of_sums:
        if not question.labels:
            return kept.sum_flows(db, user_id, within)
        [(table, label_ids)] = question.labels
        return kept.sum_some(db, user_id, table, label_ids, within)
    found: Flows = {type_: {} for type_ in _FLOWING}
    for _, split in matched.read_splits(db, user_id, question.within(within)):
        type_, currency_id, units = split.flow
        if units:
            found[Type(type_)].setdefault(currency_id, within.zeros())[within.places[split.on]] += units
    return found


def of_labels(
    db: Unit, user_id: int, question: Question, dimension: Dimension, type_: Type, ranges: Sequence[ReportRange]
) -> list[LabelledAmounts]:
    """What was spent, or earned, under each label, and without one, in each range.

    What overlaps has no amounts without a label.
    """
    every = [_read_labels(db, user_id, question, dimension, type_, within) for within in ranges]
    if not question.into:
        return every
    converted = question.into.convert_ranges(
        ([found.total, *found.labels.values()], within.lasts) for found, within in zip(every, ranges, strict=True)
    )
    return [_label(found, amounts, dimension) for found, amounts in zip(every, converted, strict=True)]


def _label(found: LabelledAmounts, converted: Sequence[Amounts], dimension: Dimension) -> LabelledAmounts:
    """Labels that do not overlap add up to the total, to the cent."""
    total, *labels = converted
    if not dimension.overlaps:
        total = drop_zeros(add_all(labels))
    return LabelledAmounts(labels=dict(zip(found.labels, labels, strict=True)), total=total)


def _read_labels(
    db: Unit, user_id: int, question: Question, dimension: Dimension, type_: Type, within: ReportRange
) -> LabelledAmounts:
    if question.is_of_sums and not question.labels:
        return _of_all_sums(db, user_id, dimension, type_, within)
    if question.is_of_sums and _has_one_label(dimension, question.labels[0][0]):
        [(_, label_ids)] = question.labels
        own = kept.sum_each(db, user_id, dimension, type_, within, label_ids)
        return LabelledAmounts(labels=dict[int | None, Amounts](own.items()), total=drop_zeros(add_all(own.values())))
    return _of_matches(db, user_id, question, dimension, type_, within)


def _has_one_label(dimension: Dimension, table: str) -> bool:
    """Whether splits that have a label of this table can have no other. An account has payees, a tag other tags."""
    return table in ("categories", "budgets") and table == kept.table_of(dimension)


def _of_all_sums(db: Unit, user_id: int, dimension: Dimension, type_: Type, within: ReportRange) -> LabelledAmounts:
    total = kept.sum_flows(db, user_id, within)[type_]
    labels = dict[int | None, Amounts](kept.sum_each(db, user_id, dimension, type_, within).items())
    if not dimension.overlaps:
        without = add(add({}, total), add_all(labels.values()), times=-1)
        labels[None] = without
    return LabelledAmounts(labels=labels, total=drop_zeros(total))


def _of_matches(
    db: Unit, user_id: int, question: Question, dimension: Dimension, type_: Type, within: ReportRange
) -> LabelledAmounts:
    labels: dict[int | None, Amounts] = defaultdict(dict)
    total: Amounts = {}
    places = within.places
    splits = _flowing(matched.read_splits(db, user_id, question.within(within)), type_)
    for label_ids, split in _labelled(db, user_id, dimension, splits):
        _, currency_id, units = split.flow
        place = places[split.on]
        total.setdefault(currency_id, within.zeros())[place] += units
        for label_id in label_ids:
            labels[label_id].setdefault(currency_id, within.zeros())[place] += units
    return LabelledAmounts(labels=labels, total=total)


def _flowing(splits: Iterable[tuple[int, BookedSplit]], type_: Type) -> list[tuple[int, BookedSplit]]:
    return [(entry_id, split) for entry_id, split in splits if split.flow[0] == type_]


def _labelled(
    db: Unit, user_id: int, dimension: Dimension, splits: list[tuple[int, BookedSplit]]
) -> Iterator[tuple[Iterable[int | None], BookedSplit]]:
    if dimension is not Dimension.TAG:
        label_of = _LABEL_OF[dimension]
        yield from (((label_of(split),), split) for _, split in splits)
        return
    tags = booked.tags_of(db, user_id, list({entry_id for entry_id, _ in splits}))
    yield from ((tags.get(entry_id, ()), split) for entry_id, split in splits)


def _own(split: BookedSplit) -> int:
    return split.source_id if split.type == Type.WITHDRAWAL else split.destination_id


def _other(split: BookedSplit) -> int:
    return split.destination_id if split.type == Type.WITHDRAWAL else split.source_id


_LABEL_OF: dict[Dimension, Callable[[BookedSplit], int | None]] = {
    Dimension.CATEGORY: lambda split: split.category_id,
    Dimension.BUDGET: lambda split: split.budget_id,
    Dimension.ACCOUNT: _own,
    Dimension.PAYEE: _other,
}
