"""Reads the amounts of a report from stored sums where possible, else from the matching splits."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from farthing.books.transactions import booked
from farthing.ledger.entry import BookedSplit
from farthing.ledger.kinds import FLOWING, Type
from farthing.storage.unit import Unit

from . import matching_splits, stored_sums
from .model import Amounts, Dimension, Flows, LabelledAmounts, ReportQuestion, add, add_all, drop_zeros
from .ranges import ReportRange


def of_flows(db: Unit, user_id: int, question: ReportQuestion, ranges: Sequence[ReportRange]) -> list[Flows]:
    every = [_read_flows(db, user_id, question, within) for within in ranges]
    if not question.into:
        return every
    converted = question.into.convert_ranges(
        (flows.values(), within.lasts) for flows, within in zip(every, ranges, strict=True)
    )
    return [dict(zip(flows, amounts, strict=True)) for flows, amounts in zip(every, converted, strict=True)]


def _read_flows(db: Unit, user_id: int, question: ReportQuestion, within: ReportRange) -> Flows:
    if question.is_of_sums:
        if not question.labels:
            return stored_sums.sum_flows(db, user_id, within)
        [(table, label_ids)] = question.labels
        return stored_sums.sum_some(db, user_id, table, label_ids, within)
    flows: Flows = {type_: {} for type_ in FLOWING}
    for _, split in matching_splits.read_splits(db, user_id, question.within(within)):
        type_, currency_id, units = split.flow
        if units:
            flows[Type(type_)].setdefault(currency_id, within.zeros())[within.places[split.on]] += units
    return flows


def of_labels(
    db: Unit, user_id: int, question: ReportQuestion, dimension: Dimension, type_: Type, ranges: Sequence[ReportRange]
) -> list[LabelledAmounts]:
    """Reads the amounts spent or earned under each label, and without a label, in each range.

    For tags, which overlap, the amounts without a label are not computed.
    """
    every = [_read_labels(db, user_id, question, dimension, type_, within) for within in ranges]
    if not question.into:
        return every
    converted = question.into.convert_ranges(
        ([labelled.total, *labelled.labels.values()], within.lasts)
        for labelled, within in zip(every, ranges, strict=True)
    )
    return [_label(labelled, amounts, dimension) for labelled, amounts in zip(every, converted, strict=True)]


def _label(labelled: LabelledAmounts, converted: Sequence[Amounts], dimension: Dimension) -> LabelledAmounts:
    """Combines converted amounts. The total is the sum of the labels, to the cent, unless labels overlap."""
    total, *labels = converted
    if not dimension.overlaps:
        total = drop_zeros(add_all(labels))
    return LabelledAmounts(labels=dict(zip(labelled.labels, labels, strict=True)), total=total)


def _read_labels(
    db: Unit, user_id: int, question: ReportQuestion, dimension: Dimension, type_: Type, within: ReportRange
) -> LabelledAmounts:
    if question.is_of_sums and not question.labels:
        return _of_all_sums(db, user_id, dimension, type_, within)
    table = stored_sums.table_of(dimension)
    # Stored sums suffice here, because a split has at most one category and one budget, but several accounts and tags.
    if question.is_of_sums and question.labels[0][0] == table and table in ("categories", "budgets"):
        [(_, label_ids)] = question.labels
        own = stored_sums.sum_each(db, user_id, dimension, type_, within, label_ids)
        return LabelledAmounts(labels=dict[int | None, Amounts](own.items()), total=drop_zeros(add_all(own.values())))
    return _of_matches(db, user_id, question, dimension, type_, within)


def _of_all_sums(db: Unit, user_id: int, dimension: Dimension, type_: Type, within: ReportRange) -> LabelledAmounts:
    total = stored_sums.sum_flows(db, user_id, within)[type_]
    labels = dict[int | None, Amounts](stored_sums.sum_each(db, user_id, dimension, type_, within).items())
    if not dimension.overlaps:
        labels[None] = add(add({}, total), add_all(labels.values()), times=-1)
    return LabelledAmounts(labels=labels, total=drop_zeros(total))


def _of_matches(
    db: Unit, user_id: int, question: ReportQuestion, dimension: Dimension, type_: Type, within: ReportRange
) -> LabelledAmounts:
    labels: dict[int | None, Amounts] = defaultdict(dict)
    total: Amounts = {}
    places = within.places
    splits = matching_splits.read_splits(db, user_id, question.within(within))
    flowing = [(entry_id, split) for entry_id, split in splits if split.flow[0] == type_]
    for label_ids, split in _labelled(db, user_id, dimension, flowing):
        _, currency_id, units = split.flow
        index = places[split.on]
        total.setdefault(currency_id, within.zeros())[index] += units
        for label_id in label_ids:
            labels[label_id].setdefault(currency_id, within.zeros())[index] += units
    return LabelledAmounts(labels=labels, total=total)


def _labelled(
    db: Unit, user_id: int, dimension: Dimension, splits: list[tuple[int, BookedSplit]]
) -> Iterator[tuple[Iterable[int | None], BookedSplit]]:
    if dimension is not Dimension.TAG:
        label_of = _LABEL_OF[dimension]
        yield from (((label_of(split),), split) for _, split in splits)
        return
    tags = booked.tags_of(db, user_id, list({entry_id for entry_id, _ in splits}))
    yield from ((tags.get(entry_id, ()), split) for entry_id, split in splits)


_LABEL_OF: dict[Dimension, Callable[[BookedSplit], int | None]] = {
    Dimension.CATEGORY: lambda split: split.category_id,
    Dimension.BUDGET: lambda split: split.budget_id,
    Dimension.ACCOUNT: lambda split: split.source_id if split.type == Type.WITHDRAWAL else split.destination_id,
    Dimension.PAYEE: lambda split: split.destination_id if split.type == Type.WITHDRAWAL else split.source_id,
}
