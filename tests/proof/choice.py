"""How does a writer choose? By chance, among what it sees, and with words that nobody has used."""

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from . import effects
from .deed import Deed, as_json
from .effects import Effect, of_kind
from .seen import Seen

# Beyond this many of a kind some go before more come: the books stay small enough to be read after every kill.
ENOUGH = 25


class Choice:
    """One writer's. Every word it uses is its own, and no word is used twice."""

    def __init__(self, name: str, chance: random.Random, *, is_owner: bool) -> None:
        self.name, self.chance, self.is_owner = name, chance, is_owner
        self._numbers = 0

    def word(self) -> str:
        self._numbers += 1
        return f"{self.name}n{self._numbers}"

    def chosen(self, seen: Seen, kind: str) -> tuple[str, Mapping[str, Any]] | None:
        """What rules name stays as it is: they would follow."""
        there = [item for item in of_kind(seen, kind).items() if not str(item[1].get("name", item[0])).endswith("rule")]
        return self.chance.choice(there) if there else None

    def wants_more(self, seen: Seen, kind: str) -> bool:
        return len(of_kind(seen, kind)) < ENOUGH

    def post(self, what: str, path: str, body: Any, effect: Effect = effects.put) -> Deed:
        return Deed(what, "POST", path, effect, partial(as_json, body), key=self.word())

    def change(self, what: str, path: str, body: Any, effect: Effect = effects.put) -> Deed:
        return Deed(what, "PUT", path, effect, partial(as_json, body))

    def amount(self) -> str:
        return f"{self.chance.randint(1, 99_999) / 100:.2f}"

    def day(self) -> str:
        return f"2024-0{self.chance.randint(1, 5)}-{self.chance.randint(10, 15)}"

    def assets(self, seen: Seen) -> list[str]:
        return [one for one, value in of_kind(seen, "accounts").items() if value.get("type") == "Asset account"]

    def asset(self, seen: Seen) -> str | None:
        there = self.assets(seen)
        return self.chance.choice(there) if there else None

    def one_of(self, seen: Seen, kind: str, body: dict[str, Any]) -> Deed:
        """Made, or changed, or removed: what takes nothing along."""
        found = self.chosen(seen, kind)
        if not found or (self.wants_more(seen, kind) and self.chance.random() < 0.5):
            return self.post(f"make {kind}", f"/{kind}", body)
        if self.chance.random() < 0.5:
            return self.change(f"change {kind}", f"/{kind}/{found[0]}", body)
        return Deed(f"remove {kind}", "DELETE", f"/{kind}/{found[0]}", effects.remove(kind, found[0]))
