"""Reads orders from stdin, answers on stdout: `{"line": …, "first": n, "seconds": s}` in, figures out."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ..books import Facts
from ..lines import LINES, asset, deep_page
from .database import connect
from .reads import Reads
from .writes import Writes

_ASK = {line.key: line.ask for line in LINES}


class Answers:
    """The n-th answer of every line."""

    def __init__(self, url: str, facts: Facts, base: str) -> None:
        self._facts = facts
        database = connect(url)
        self.connection: Any = database.connection
        self._reads = Reads(database, base, facts.token)
        self._writes = Writes(self._reads)

    def of(self, key: str) -> Callable[[int], bytes]:
        found: Callable[[int], bytes] = getattr(self, f"_{key}")
        return found

    def _accounts(self, _number: int) -> bytes:
        return self._reads.answer(self._reads.accounts)

    def _account(self, number: int) -> bytes:
        return self._reads.answer(self._reads.account, asset(self._facts, number))

    def _transactions(self, _number: int) -> bytes:
        return self._reads.answer(self._reads.transactions, 1)

    def _transactions_deep(self, _number: int) -> bytes:
        return self._reads.answer(self._reads.transactions, deep_page(self._facts))

    def _account_transactions(self, number: int) -> bytes:
        return self._reads.answer(self._reads.account_transactions, asset(self._facts, number))

    def _preferences(self, _number: int) -> bytes:
        return self._reads.answer(self._reads.preferences)

    def _create(self, number: int) -> bytes:
        return self._writes.create(_ASK["create"](self._facts, number).body)

    def _update(self, number: int) -> bytes:
        asked = _ASK["update"](self._facts, number)
        return self._writes.update(int(asked.path.rpartition("/")[2]), asked.body)


def run_timed(answer: Callable[[int], bytes], first: int, seconds: float) -> dict[str, int]:
    number, until = first, time.perf_counter_ns() + int(seconds * 1e9)
    began = time.process_time_ns()
    # At least one, on a machine so busy that the time is over before the first.
    while number == first or time.perf_counter_ns() < until:
        answer(number)
        number += 1
    return {"calls": number - first, "cpu_ns": time.process_time_ns() - began}


def main(url: str, facts: Path, base: str) -> None:
    answers = Answers(url, msgspec.json.decode(facts.read_bytes(), type=Facts), base)
    for order in sys.stdin:
        asked: dict[str, Any] = msgspec.json.decode(order)
        answer = answers.of(asked["line"])
        if asked["seconds"]:
            told = msgspec.json.encode(run_timed(answer, asked["first"], asked["seconds"]))
        else:
            told = answer(asked["first"])
        sys.stdout.buffer.write(told + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
