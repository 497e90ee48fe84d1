"""What may be remembered from one request to the next? What was read, until somebody writes.

Every write of a user makes a new revision of their books, and every change of what all users share one of the house:
what was read as of the same two is still the same. Whoever writes sees more than any revision says, and has no memory.
"""

from .unit import Remembered

AsOf = tuple[int, int]
_USERS_MAX, _THINGS_MAX = 100, 5_000


class Memory:
    """Of one database, in one process; bounded by forgetting everything at once."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[AsOf, Remembered]] = {}

    def at(self, user_id: int, as_of: AsOf) -> Remembered:
        """What others have read of these books as of these revisions; whoever reads more adds it."""
        kept = self._of.get(user_id)
        if kept and kept[0] == as_of and sum(map(len, tuple(kept[1].values()))) < _THINGS_MAX:
            return kept[1]
        return self.keep(user_id, as_of, {})

    def keep(self, user_id: int, as_of: AsOf, remembered: Remembered) -> Remembered:
        """Of a writer: what it knows to be so as of the revision that it has made."""
        if len(self._of) >= _USERS_MAX:
            self._of.clear()
        self._of[user_id] = as_of, remembered
        return remembered
