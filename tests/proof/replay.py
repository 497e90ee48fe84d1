"""Could all this have happened one after the other? In the order of the revisions it must, answer by answer.

Every write has a revision of its own, so the writes have one order, and it may not contradict what the clients saw: who
began after another had been answered comes later. A question or a refusal must be right at one moment, at least,
between its being sent and its being answered.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from . import reads, writes
from .books import Books
from .requests import Answered

RULES = writes.RULES | reads.RULES


def settle(books: Books, answered: Answered) -> None:
    """The books do what was asked, and agree with the answer; an AssertionError if they do not."""
    refusing, performing = RULES[answered.request.what]
    status = refusing(books, answered.request)
    expected = status or (204 if answered.request.method == "DELETE" else 200)
    assert answered.status == expected, f"{expected} was to be expected"
    if status is None:
        performing(books, answered.request, answered.answer)


def agrees(books: Books, answered: Answered) -> str:
    """Why this answer is wrong for these books; nothing if it is right."""
    trial = books if answered.request.method == "GET" else books.copied()
    try:
        settle(trial, answered)
    except AssertionError as error:
        return str(error)
    return ""


@dataclass
class Waiting:
    """An answer that changed nothing: it was right after one of the writes from `first` to `last`."""

    answered: Answered
    first: int
    last: int
    reasons: tuple[str, ...] = ()


def replay(books: Books, ordered: Sequence[Answered], others: Iterable[Answered]) -> None:
    """Writes in their order, and everything else wherever it fits."""
    assert_no_effect_before_its_cause(ordered)
    waiting = sorted(_windows(ordered, others), key=lambda one: one.first)
    watched: list[Waiting] = []
    place = 0
    for number in range(len(ordered) + 1):
        while place < len(waiting) and waiting[place].first == number:
            watched.append(waiting[place])
            place += 1
        watched = [one for one in watched if not _fits(books, one, number)]
        if number < len(ordered):
            _advance(books, ordered[number])
    assert place == len(waiting)
    assert not watched


def _advance(books: Books, answered: Answered) -> None:
    try:
        settle(books, answered)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{answered}") from error


def _fits(books: Books, one: Waiting, number: int) -> bool:
    reason = agrees(books, one.answered)
    one.reasons += (reason,)
    if reason and number >= one.last:
        tried = "\n".join(dict.fromkeys(one.reasons))
        raise AssertionError(f"wrong at every moment from {one.first} to {one.last}:\n{tried}\n{one.answered}")
    return not reason


def assert_no_effect_before_its_cause(ordered: Sequence[Answered]) -> None:
    earliest_end = float("inf")
    for answered in reversed(ordered):
        assert answered.began <= earliest_end, f"came too early in the order: {answered}"
        earliest_end = min(earliest_end, answered.ended)


def _windows(ordered: Sequence[Answered], others: Iterable[Answered]) -> Iterable[Waiting]:
    """Not before the writes that were answered before it began, not after those that began when it was answered."""
    ends: list[tuple[float, int]] = []
    begins: list[tuple[float, int]] = []
    highest, lowest = 0, len(ordered)
    for ended, number in sorted((one.ended, number + 1) for number, one in enumerate(ordered)):
        highest = max(highest, number)
        insort(ends, (ended, highest))
    for began, number in sorted(((one.began, number) for number, one in enumerate(ordered)), reverse=True):
        lowest = min(lowest, number)
        begins.append((began, lowest))
    begins.reverse()
    for one in others:
        before, after = bisect_left(ends, (one.began, 0)), bisect_left(begins, (one.ended, 0))
        first = ends[before - 1][1] if before else 0
        yield Waiting(one, first, begins[after][1] if after < len(begins) else len(ordered))


def in_order(log: Iterable[Answered], revisions: Iterable[tuple[int, int]]) -> list[Answered]:
    """`revisions` are (revision, client): each client's writes took its revisions one after the other."""
    by_client: dict[int, list[Answered]] = {}
    for answered in sorted((one for one in log if one.committed), key=lambda one: one.ended):
        by_client.setdefault(answered.client, []).append(answered)
    ordered = []
    taken = dict.fromkeys(by_client, 0)
    for _, client in sorted(revisions):
        assert taken.get(client, 0) < len(by_client.get(client, [])), f"client {client} has writes nobody acknowledged"
        ordered.append(by_client[client][taken[client]])
        taken[client] += 1
    left = list(chain.from_iterable(of[taken[client] :] for client, of in by_client.items()))
    assert not left, f"acknowledged, but lost: {left}"
    return ordered
