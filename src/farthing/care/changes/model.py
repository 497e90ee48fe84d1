"""A change: everything that one request or one job wrote in one unit of work."""

from typing import Any

from msgspec import Struct

from farthing.kernel.text import pluralize

# Singular name and API resource of each kind of object, by table; other tables hold parts of these.
OBJECTS = {
    "accounts": ("account", "accounts"),
    "entries": ("transaction", "transactions"),
    "bills": ("bill", "bills"),
    "budgets": ("budget", "budgets"),
    "budget_limits": ("budget limit", "budget_limits"),
    "available_budgets": ("available budget", "available_budgets"),
    "exchange_rates": ("exchange rate", "exchange_rates"),
    "categories": ("category", "categories"),
    "tags": ("tag", "tags"),
    "piggy_banks": ("piggy bank", "piggy_banks"),
    "recurrences": ("recurrence", "recurrences"),
    "rules": ("rule", "rules"),
    "rule_groups": ("rule group", "rule_groups"),
    "attachments": ("attachment", "attachments"),
    "preferences": ("preference", "preferences"),
    "import_jobs": ("import job", "import_jobs"),
}
# Parts that can be changed on their own; named only if no object above was touched.
_PARTS = {"recurrence_exceptions": ("date of a recurrence", "dates of recurrences")}
KINDS = {resource: table for table, (_, resource) in OBJECTS.items()}
_ACTIONS = {"created": "made", "changed": "changed", "removed": "deleted"}
# Requests that touch nothing of the books themselves, so that no objects of theirs were counted.
_UNLOGGED = {
    "members.invite": "invited somebody to these books",
    "members.take_back": "took back an invitation",
    "members.change": "changed what a member may do",
    "members.remove": "removed a member",
    "currencies.create": "made a currency",
    "currencies.change": "changed a currency",
    "currencies.remove": "deleted a currency",
}
# Columns that may hold the name of a row.
_NAMES = ("name", "title", "description", "filename")


class Image(Struct, frozen=True):
    """A row as it was before a change; `before` is None for a new row. `id` is the position in the log."""

    id: int
    kind: str
    object_id: int
    action: str
    before: dict[str, Any] | None

    @property
    def name(self) -> str | None:
        before = self.before or {}
        return next((str(before[column]) for column in _NAMES if before.get(column)), None)


class Change(Struct, frozen=True):
    """`asked` is the original request; for an undo, that of the change it undoes.

    `counts` is the number of rows of each table that were created, changed or deleted. `by_id` is the person who did
    it, None for what the program did by itself; `by` is their email address, if they still exist.
    """

    id: int
    revision: int
    at: str
    token_id: int | None
    doing: str
    undoes: int | None
    undone_by: int | None
    asked: str
    by_id: int | None
    by: str | None
    counts: dict[tuple[str, str], int] = {}

    @property
    def summary(self) -> str:
        """`Deleted 1 account and 214 transactions`."""
        summary = self._summarize(OBJECTS) or self._summarize(_PARTS) or _UNLOGGED.get(self.asked)
        return _capitalize(summary or "nothing that can be seen")

    def about(self, most: int) -> str | None:
        """The table the request was about, else the first one touched; None if it touched more than `most` rows."""
        touched = {table: sum(count for (kind, _), count in self.counts.items() if kind == table) for table in OBJECTS}
        asked = KINDS.get(self.asked.partition(".")[0], "")
        found = asked if touched.get(asked) else next((table for table, count in touched.items() if count), None)
        return found if found and touched[found] <= most else None

    def _summarize(self, words: dict[str, tuple[str, str]]) -> str:
        parts = []
        for action in ("removed", "created", "changed"):
            counted = [
                pluralize(count, one, many.replace("_", " "))
                for table, (one, many) in words.items()
                if (count := self.counts.get((table, action), 0))
            ]
            if counted:
                is_merged = action == "removed" and self.asked.endswith(".merge")
                parts.append(f"{'merged' if is_merged else _ACTIONS[action]} {_join(counted)}")
        return "; ".join(parts)


def _join(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]
