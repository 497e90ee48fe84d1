"""Computes the effect of entries on stored sums."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any, Literal, TypeVar

from msgspec import Struct, field

from .entry import BookedSplit, Summed, postings

Grain = Literal["all", "month", "day"]


@lru_cache(maxsize=1024)
def periods(on: str) -> tuple[tuple[Grain, str], tuple[Grain, str], tuple[Grain, str]]:
    """Lists the three periods whose sums include a day: all time, the month, and the day itself."""
    return ("all", ""), ("month", on[:7]), ("day", on)


K = TypeVar("K")
Sums = dict[K, int]


_nothing: Callable[[], Sums[Any]] = partial(defaultdict, int)


class LabelSums(Struct):
    """The sums of one kind of label: amounts and number of splits and entries, by label, type, currency and day.

    A refund is counted among the deposits, but its amount is subtracted from the withdrawals. An entry is counted with
    the first of its splits that have the label.
    """

    units: Sums[tuple[int, int, int, str]] = field(default_factory=_nothing)
    splits: Sums[tuple[int, int, int, str]] = field(default_factory=_nothing)
    entries: Sums[tuple[int, int, int, str]] = field(default_factory=_nothing)


class Effect(Struct):
    """The effect of entries on stored sums, by day. To remove an entry, add its effect with `times=-1`."""

    units: Sums[tuple[int, int, str]] = field(default_factory=_nothing)  # by account, currency, day
    reconciled: Sums[tuple[int, int, str]] = field(default_factory=_nothing)  # the same, reconciled only
    entries: Sums[tuple[int, str]] = field(default_factory=_nothing)  # by type, day
    splits: Sums[tuple[int, str]] = field(default_factory=_nothing)  # by type, day
    flows: Sums[tuple[int, int, str]] = field(default_factory=_nothing)  # spent and earned by type, currency, day
    own: set[int] = field(default_factory=set)  # accounts that may be part of the net worth
    labels: dict[Summed, LabelSums] = field(default_factory=partial(defaultdict, LabelSums))

    def add(self, splits: Iterable[BookedSplit], exchange_id: int | None, *, times: Literal[1, -1] = 1) -> None:
        """Adds the splits of one entry."""
        summed: set[tuple[Summed, int]] = set()
        for index, split in enumerate(splits):
            type_, on = split.type, split.on
            if index == 0:
                self.entries[type_, on] += times
            self.splits[type_, on] += times
            if split.source_may_count:
                self.own.add(split.source_id)
            if split.destination_may_count:
                self.own.add(split.destination_id)
            self._flow(split, times, summed)
            for posting in postings(split, exchange_id):
                self.units[posting.account_id, posting.currency_id, on] += times * posting.units
            if split.settled:
                self.reconcile(split, exchange_id, times=times)

    def _flow(self, split: BookedSplit, times: Literal[1, -1], summed: set[tuple[Summed, int]]) -> None:
        """Adds spending and income. A transfer is neither, but is counted as a split in the currency of its source.

        `summed` holds what earlier splits of the entry were summed for.
        """
        (type_, currency_id, units), on = split.flow, split.on
        if units:
            self.flows[type_, currency_id, on] += times * units
        for carried in split.summed:
            label, label_id = carried
            sums = self.labels[label]
            sums.units[label_id, type_, currency_id, on] += times * units
            key = label_id, split.type, currency_id, on
            sums.splits[key] += times
            if carried not in summed:
                summed.add(carried)
                sums.entries[key] += times

    def reconcile(self, split: BookedSplit, exchange_id: int | None, *, times: Literal[1, -1] = 1) -> None:
        """Adds the split to the reconciled sums only."""
        for posting in postings(split, exchange_id):
            self.reconciled[posting.account_id, posting.currency_id, split.on] += times * posting.units
