"""Defines a change: all rows that one request or job wrote in one unit of work."""

from typing import Any

from msgspec import Struct

from farthing.kernel.text import pluralize

# The singular name and the API resource of each kind of object, by table. Other tables hold parts of these objects.
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
    "object_groups": ("group", "object_groups"),
    "rules": ("rule", "rules"),
    "rule_groups": ("rule group", "rule_groups"),
    "webhooks": ("webhook", "webhooks"),
    "attachments": ("attachment", "attachments"),
    "entry_links": ("link between transactions", "transaction_links"),
    "link_types": ("link type", "link_types"),
    "preferences": ("preference", "preferences"),
    "import_jobs": ("import job", "import_jobs"),
}
# Parts that can change on their own. Summaries mention them only if none of the objects above was touched.
_PARTS = {"recurrence_exceptions": ("date of a recurrence", "dates of recurrences")}
KINDS = {resource: table for table, (_, resource) in OBJECTS.items()}
_ACTIONS = {"created": "made", "changed": "changed", "removed": "deleted"}
# Summaries of requests that do not change rows of the books.
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
    """Holds a row as it was before a change. `before` is None for a new row. `id` is the position in the log."""

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
    """Describes a change. `operation` names the request that made it or, for an undo, that made the undone change.

    `counts` maps each pair of table and action (`created`, `changed` or `removed`) to the number of rows. `by_id` is
    the user who made the change, or None if the program itself did. `by` is that user's email address, or None if the
    user was deleted.
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
    # The import job that the change started, if any.
    import_job_id: int | None = None
    counts: dict[tuple[str, str], int] = {}

    @property
    def summary(self) -> str:
        """Summarizes the change, such as `Deleted 1 account and 214 transactions`."""
        summary = self._summarize(OBJECTS) or self._summarize(_PARTS) or _UNLOGGED.get(self.operation)
        summary = summary or "nothing visible was changed"
        return summary[0].upper() + summary[1:]

    def about(self, most: int) -> str | None:
        """Chooses the table that the change is about: the table of the request, or else the first table touched.

        Returns None if the change touched more than `most` rows of that table.
        """
        touched = {table: sum(count for (kind, _), count in self.counts.items() if kind == table) for table in OBJECTS}
        noun = self.operation.partition(".")[0]
        requested = KINDS.get("bills" if noun == "subscriptions" else noun, "")
        chosen = (
            requested if touched.get(requested) else next((table for table, count in touched.items() if count), None)
        )
        return chosen if chosen and touched[chosen] <= most else None

    def _summarize(self, words: dict[str, tuple[str, str]]) -> str:
        parts = []
        ignored = ("import_jobs", "changed") if len(self.counts) > 1 and self.import_job_id else None
        for action in ("removed", "created", "changed"):
            counted = [
                pluralize(count, singular, many.replace("_", " "))
                for table, (singular, many) in words.items()
                if (count := self.counts.get((table, action), 0)) and (table, action) != ignored
            ]
            if counted:
                is_merged = action == "removed" and self.operation.endswith(".merge")
                parts.append(f"{'merged' if is_merged else _ACTIONS[action]} {_join(counted)}")
        return "; ".join(parts)


def _join(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
