"""Defines the user's options for an import, the kinds of objects that an import creates, and the counts of its rows."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

# The kinds of objects that an import creates besides transactions. Because objects refer to each other, the undo
# removes them in this order.
MADE_KINDS = (
    "webhooks", "preferences", "entry_links", "link_types", "attachments", "rules", "rule_groups", "recurrences",
    "piggy_banks", "bills", "budget_limits", "available_budgets", "budgets", "categories", "tags", "exchange_rates",
    "accounts",
)  # fmt: skip
# Recorded like objects, although it is a preference that has them.
ENABLED_CURRENCIES = "enabled_currencies"


class DeletedRows(StrEnum):
    """Says what to do with rows that were imported before, if their transactions were deleted in the meantime."""

    SKIP = "skip"
    AGAIN = "again"


class LinkRows(StrEnum):
    """Says whether rows that match a transaction are only offered for linking, or linked if the match is certain."""

    OFFER = "offer"
    SURE = "sure"


class RowValues(Struct, frozen=True, kw_only=True):
    """Holds what the user chose for a row in place of what the file says. None keeps the value of the file; an empty
    text means no category, or no budget.
    """

    category_name: str | None = None
    payee_name: str | None = None
    budget_name: str | None = None
    tags: tuple[str, ...] | None = None


class ImportOptions(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """Holds the user's options for an import. `rows` maps row numbers to decisions: `new`, `skip`, `link`, or `link:12`
    for the transaction with the id 12. `values` maps row numbers to the values that the user chose. `kinds` maps the
    names of accounts to their kinds, for programs that do not distinguish kinds. `move_opening_balances` dates opening
    balances before the imported rows.
    """

    partial: bool = False
    deleted: DeletedRows = DeletedRows.SKIP
    link: LinkRows = LinkRows.OFFER
    move_opening_balances: bool = False
    rows: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, RowValues] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)


class ImportCounts(Struct, frozen=True, kw_only=True):
    read: int = 0
    new: int = 0
    duplicate: int = 0
    linked: int = 0
    rejected: int = 0

    def plus(self, more: "ImportCounts") -> "ImportCounts":
        return ImportCounts(**{name: getattr(self, name) + getattr(more, name) for name in self.__struct_fields__})
