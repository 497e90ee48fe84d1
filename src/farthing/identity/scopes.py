"""Defines the scopes of tokens. A scope allows reading or writing one group of resources."""

from collections.abc import Iterable

READ, WRITE = "read", "write"


# Maps each group to its description for people and the first path segments of its resources.
GROUPS: dict[str, tuple[str, frozenset[str]]] = {
    "accounts": ("Accounts, their balances, and piggy banks", frozenset(("accounts", "piggy_banks"))),
    "transactions": (
        "Transactions, including search",
        frozenset(
            (
                "transactions",
                "transaction_journals",
                "transaction_links",
                "link_types",
                "search",
                "descriptions",
                "suggestions",
                "inbox",
                "batch",
                "bulk",
            )
        ),
    ),
    "attachments": ("Attached files", frozenset(("attachments",))),
    "bills": (
        "Bills, recurring transactions and upcoming payments",
        frozenset(("bills", "subscriptions", "recurrences", "upcoming", "calendar.ics")),
    ),
    "budgets": ("Budgets and their limits", frozenset(("budgets", "budget_limits", "available_budgets"))),
    "labels": ("Categories and tags", frozenset(("categories", "tags"))),
    "rules": ("Rules and their groups", frozenset(("rules", "rule_groups"))),
    "reports": (
        "Totals, charts and reports about everything in these books",
        frozenset(("summary", "chart", "insight", "reports", "dashboard", "everything")),
    ),
    "imports": ("Imports", frozenset(("import_jobs",))),
    "exports": ("Downloads of everything in these books", frozenset(("export",))),
    "settings": (
        "Preferences, currencies and exchange rates",
        frozenset(
            (
                "preferences",
                "preferences_list",
                "currencies",
                "exchange_rates",
                "published_rates",
                "configuration",
                "object_groups",
                "user_groups",
            )
        ),
    ),
    "webhooks": ("Webhooks, which send changes to other programs", frozenset(("webhooks",))),
    "notices": ("Notices, such as of bills that are due", frozenset(("notices",))),
    "changes": ("The history of changes, and undoing changes", frozenset(("changes", "events", "revision"))),
    "users": ("The users of this installation", frozenset(("users",))),
}
_GROUP_OF = {word: group for group, (_, words) in GROUPS.items() for word in words}
# Other path segments, and names of relations, that belong to the same groups.
_GROUP_OF |= {
    "account": "accounts",
    "piggy_banks_with_balance": "accounts",
    "transactions_with_id": "transactions",
    "transaction_types": "transactions",
    "recurring": "bills",
    "subscriptions": "bills",
    "currencies_with_code": "settings",
    "budget": "budgets",
    "limits": "budgets",
    "piggy_bank_events": "accounts",
    "rule_group": "rules",
}
# Actions that show or change transactions. Otherwise, somebody could read transactions by testing a rule.
_GROUP_OF |= dict.fromkeys(("test", "dry_run", "trigger", "matches", "reconcile"), "transactions")
SCOPES = tuple(f"{group}:{may}" for group in GROUPS for may in (READ, WRITE))


def find_group(word: str) -> str | None:
    """Returns the group of a path segment or relation, or None. Version 6 writes words with hyphens."""
    return _GROUP_OF.get(word.replace("-", "_"))


def tidy(scopes: Iterable[str]) -> str:
    """Sorts scopes and removes superfluous ones: duplicates, and read scopes of groups that may be written."""
    chosen = set(scopes)
    chosen -= {scope.replace(f":{WRITE}", f":{READ}") for scope in chosen if scope.endswith(WRITE)}
    return " ".join(scope for scope in SCOPES if scope in chosen)


def find_missing(scopes: str, groups: Iterable[str], may: str) -> list[str]:
    has = scopes.split()
    return [
        f"{group}:{may}"
        for group in groups
        if f"{group}:{WRITE}" not in has and (may == WRITE or f"{group}:{READ}" not in has)
    ]


def describe(scope: str) -> str:
    """Describes a scope for people: `See bills, …`."""
    group, _, may = scope.partition(":")
    return f"{'See' if may == READ else 'See and change'}: {GROUPS[group][0]}"


def everything() -> str:
    """Returns all scopes. Together they still do not cover tokens and sessions, which belong to no group."""
    return tidy(f"{group}:{WRITE}" for group in GROUPS)


def only_reading(scopes: str) -> str:
    return tidy(scope.replace(f":{WRITE}", f":{READ}") for scope in scopes.split())


def describe_all(scopes: str, *, is_owner: bool) -> list[str]:
    """Describes scopes for the consent page. The scopes for users are shown only to owners of the installation."""
    whole = {
        everything(): ["Full access: see and change everything in these books, as you can yourself"],
        only_reading(everything()): ["See everything in these books, without changing anything"],
    }
    for_owner = [describe(scope) for scope in scopes.split() if scope.startswith("users:")] if is_owner else []
    return whole[scopes] + for_owner if scopes in whole else [describe(scope) for scope in scopes.split()]


def find_exceeding(granted: str, requested: Iterable[str]) -> list[str]:
    """Lists the requested scopes that were not granted."""
    has = granted.split()
    return [scope for scope in requested if scope not in has and scope.replace(f":{READ}", f":{WRITE}") not in has]
