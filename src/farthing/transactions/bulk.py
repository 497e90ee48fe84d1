"""How are many transactions recorded at once? In one unit of work: all of them, or each that can be."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ..errors import Invalid, Problem, refuse_field
from ..fields import Parsed, parse
from ..rules import apply as rules
from ..storage.unit import Unit
from . import record
from .compose import amount_field, composed
from .model import Draft, Known
from .wire import BULK_MAX, BulkBody


@dataclass(frozen=True)
class Sent:
    """One transaction of many, under the index it was sent with; without a draft something is wrong with it."""

    index: str
    draft: Draft | None
    problems: tuple[Problem, ...]
    amount_field: str


@dataclass(frozen=True)
class Result:
    """What became of it: the entry that was recorded, or why there is none."""

    index: str
    entry_id: int | None = None
    problems: tuple[Problem, ...] = ()


def read(raw: Mapping[str, object]) -> Parsed[BulkBody]:
    """Too many are refused before any of them is looked at."""
    many = raw.get("transactions")
    if isinstance(many, list | dict) and len(many) > BULK_MAX:
        refuse_field("transactions", f"The transactions may not have more than {BULK_MAX} items.")
    return parse(BulkBody, raw)


def composed_all(parsed: Parsed[BulkBody], known: Known) -> tuple[list[Sent], list[Problem]]:
    """Each transaction with its own problems, and the problems of the whole."""
    of_index, of_whole = _parted(parsed.problems)
    sent = []
    for group in parsed.each("transactions", parsed.values.transactions):
        index = group.prefix.split(".")[1]
        draft, problems = composed(group, known)
        problems = of_index[index] + problems
        sent.append(Sent(index, None if problems else draft, tuple(problems), amount_field(group)))
    if not sent and not parsed.wrong("transactions"):
        of_whole.append(Problem("transactions", "The transactions field is required: send at least one."))
    return sent, of_whole


def _parted(problems: Sequence[Problem]) -> tuple[dict[str, list[Problem]], list[Problem]]:
    of_index: dict[str, list[Problem]] = defaultdict(list)
    of_whole = []
    for problem in problems:
        name, _, rest = problem.field.partition(".")
        if name == "transactions" and rest:
            of_index[rest.partition(".")[0]].append(problem)
        else:
            of_whole.append(problem)
    return of_index, of_whole


def record_each(db: Unit, user_id: int, known: Known, sent: Sequence[Sent], now: str) -> list[Result]:
    """A result for each, in the order they were sent; one that would overflow a balance fails alone."""
    ruled, known = _ruled(db, user_id, known, sent)
    attempts = _Attempts(db, user_id, known, now)
    done = {result.index: result for result in attempts.make(ruled)}
    return [done.get(one.index) or Result(one.index, None, one.problems) for one in sent]


def _ruled(db: Unit, user_id: int, known: Known, sent: Sequence[Sent]) -> tuple[list[Sent], Known]:
    """Those that are right, as the user's rules make them."""
    whole = [(one, one.draft) for one in sent if one.draft]
    drafts, known = rules.on_create(db, user_id, [draft for _, draft in whole], known)
    return [replace(one, draft=draft) for (one, _), draft in zip(whole, drafts, strict=True)], known


class _Attempts:
    def __init__(self, db: Unit, user_id: int, known: Known, now: str) -> None:
        self._db = db
        self._user_id = user_id
        self._now = now
        self._maker = record.Maker(db, user_id, known, now)

    def make(self, some: Sequence[Sent]) -> Iterator[Result]:
        """Together when that works; else the halves on their own, down to the one that is at fault."""
        if not some:
            return
        try:
            entry_ids = self._together(some)
        except Invalid as refusal:
            if len(some) == 1:
                yield Result(some[0].index, None, refusal.problems)
                return
            middle = len(some) // 2
            yield from self.make(some[:middle])
            yield from self.make(some[middle:])
            return
        for one, entry_id in zip(some, entry_ids, strict=True):
            yield Result(one.index, entry_id)

    def _together(self, some: Sequence[Sent]) -> list[int]:
        maker = self._maker.copied()
        with self._db.savepoint():
            entries = [maker.entry(one.draft) for one in some if one.draft]
            entry_ids = record.record_all(
                self._db, self._user_id, entries, self._now, amount_field=some[0].amount_field
            )
        self._maker = maker
        return entry_ids


class _TakenBack(Exception):
    pass


@contextmanager
def taken_back(db: Unit, *, wanted: bool) -> Iterator[None]:
    """Everything inside is done, and when that is wanted, undone again."""
    if not wanted:
        yield
        return
    try:
        with db.savepoint():
            yield
            raise _TakenBack
    except _TakenBack:
        pass
