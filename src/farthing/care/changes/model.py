"""Defines a change: all rows that one request or job wrote in one unit of work."""

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
# Parts that can change on their own; summaries name them only if no object above was touched.
_PARTS = {"recurrence_exceptions": ("date of a recurrence", "dates of recurrences")}
KINDS = {resource: table for table, (_, resource) in OBJECTS.items()}
_ACTIONS = {"created": "made", "changed": "changed", "removed": "deleted"}
# Summaries of requests that log no rows of the books.
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
    """`operation` is the original request; for an undo, that of the change it undoes.

    `counts` holds the number of rows created, changed or deleted in each table. `by_id` is the user who made the
    change, None if the program did; `by` is their email address, if they still exist.
    """

    id: int
    revision: int
    at: str
    token_id: int | None
    doing: str
    undoes: int | None
    undone_by: int | None
    operation: str
    by_id: int | None
    by: str | None
    counts: dict[tuple[str, str], int] = {}

    @property
    def summary(self) -> str:
        """Summarizes the change, such as `Deleted 1 account and 214 transactions`."""
        summary = self._summarize(OBJECTS) or self._summarize(_PARTS) or _UNLOGGED.get(self.operation)
        summary = summary or "nothing that can be seen"
        return summary[0].upper() + summary[1:]

    def about(self, most: int) -> str | None:
        """The table of the request, else the first touched one; None if more than `most` rows were touched."""
        touched = {table: sum(count for (kind, _), count in self.counts.items() if kind == table) for table in OBJECTS}
        requested = KINDS.get(self.operation.partition(".")[0], "")
        chosen = (
            requested if touched.get(requested) else next((table for table, count in touched.items() if count), None)
        )
        return chosen if chosen and touched[chosen] <= most else None

    def _summarize(self, words: dict[str, tuple[str, str]]) -> str:
        parts = []
        for action in ("removed", "created", "changed"):
            counted = [
                pluralize(count, singular, many.replace("_", " "))
                for table, (singular, many) in words.items()
                if (count := self.counts.get((table, action), 0))
            ]
            if counted:
                is_merged = action == "removed" and self.operation.endswith(".merge")
                parts.append(f"{'merged' if is_merged else _ACTIONS[action]} {_join(counted)}")
        return "; ".join(parts)


def _join(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
