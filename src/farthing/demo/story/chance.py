"""Draws random numbers from a seed, a day and a topic: the same on every machine, in any order."""

from collections.abc import Sequence
from datetime import date
from hashlib import blake2b
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Chance(Struct, frozen=True):
    """Draws are independent: adding or removing a habit does not change the others."""

    seed: int

    def draw(self, day: date, topic: str, below: int) -> int:
        digest = blake2b(f"{self.seed}|{day.isoformat()}|{topic}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) % below

    def between(self, day: date, topic: str, low: int, high: int) -> int:
        """Behaves like the sum of two dice: the middle is more likely than the ends."""
        reach = high - low
        return low + (self.draw(day, f"{topic}/a", reach + 1) + self.draw(day, f"{topic}/b", reach + 1)) // 2

    def happens(self, day: date, topic: str, per_mille: int) -> bool:
        return self.draw(day, f"{topic}?", 1000) < per_mille

    def one_of(self, day: date, topic: str, options: Sequence[T]) -> T:
        return options[self.draw(day, f"{topic}#", len(options))]
