"""What is a change? One unit of work: everything that one request, or one job, did together."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

# What people know by a name, by the table that it lies in; the rest are parts of these.
OBJECTS = {
    "accounts": ("account", "accounts"),
    "entries": ("transaction", "transactions"),
    "bills": ("bill", "bills"),
    "budgets": ("budget", "budgets"),
    "budget_limits": ("budget limit", "budget_limits"),
    "available_budgets": ("available budget", "available_budgets"),
    "categories": ("category", "categories"),
    "tags": ("tag", "tags"),
    "piggy_banks": ("piggy bank", "piggy_banks"),
    "recurrences": ("recurrence", "recurrences"),
    "rules": ("rule", "rules"),
    "rule_groups": ("rule group", "rule_groups"),
    "attachments": ("attachment", "attachments"),
    "preferences": ("preference", "preferences"),
}
# Parts that people change by themselves; told only when nothing above was touched.
_PARTS = {"recurrence_exceptions": ("date of a recurrence", "dates of recurrences")}
KINDS = {resource: table for table, (_, resource) in OBJECTS.items()}
_ACTIONS = {"created": "made", "changed": "changed", "removed": "deleted"}
# Which column tells people what a row is.
_NAMES = ("name", "title", "description", "filename")


@dataclass(frozen=True)
class Image:
    """A row as it was before; `before` is None for one that was made. `id` is the place in the log."""

    id: int
    kind: str
    object_id: int
    action: str
    before: dict[str, Any] | None

    @property
    def name(self) -> str | None:
        before = self.before or {}
        return next((str(before[column]) for column in _NAMES if before.get(column)), None)


@dataclass(frozen=True)
class Change:
    """`asked` is what was asked for at first: of an undo, that which it undoes.

    `counts` is how many rows of each table were made, changed or deleted.
    """

    id: int
    revision: int
    at: str
    token_id: int | None
    doing: str
    undoes: int | None
    undone_by: int | None
    asked: str
    counts: dict[tuple[str, str], int]

    @property
    def summary(self) -> str:
        """`Deleted 1 account and 214 transactions`, made from what people know by a name."""
        return _sentence(self._told(OBJECTS) or self._told(_PARTS) or "nothing that can be seen")

    def about(self, most: int) -> str | None:
        """The table of what was asked for, else the first that people know things of; None where that is too much."""
        touched = {table: sum(count for (kind, _), count in self.counts.items() if kind == table) for table in OBJECTS}
        asked = KINDS.get(self.asked.partition(".")[0], "")
        found = asked if touched.get(asked) else next((table for table, count in touched.items() if count), None)
        return found if found and touched[found] <= most else None

    def _told(self, words: dict[str, tuple[str, str]]) -> str:
        told = Counter({key: count for key, count in self.counts.items() if key[0] in words})
        parts = []
        for action in ("removed", "created", "changed"):
            counted = [_counted(words[table], told[table, action]) for table in words if told[table, action]]
            if counted:
                parts.append(f"{_ACTIONS[action]} {_joined(counted)}")
        return "; ".join(parts)


def _counted(words: tuple[str, str], count: int) -> str:
    one, many = words
    return f"1 {one}" if count == 1 else f"{count} {many.replace('_', ' ')}"


def _joined(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
