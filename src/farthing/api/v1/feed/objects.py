"""Shows the objects of the feed as their own addresses do, each kind with a few queries."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.books.attachments import store as attachments
from farthing.books.available_budgets import store as available_budgets
from farthing.books.bills import store as bills
from farthing.books.budget_limits import store as budget_limits
from farthing.books.budgets import store as budgets
from farthing.books.categories import store as categories
from farthing.books.entry_links import store as entry_links
from farthing.books.exchange_rates import store as exchange_rates
from farthing.books.piggy_banks import store as piggy_banks
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import NAMES, Preference
from farthing.books.recurrences import store as recurrences
from farthing.books.rule_groups import store as rule_groups
from farthing.books.rules import store as rules
from farthing.books.tags import store as tags
from farthing.books.transactions import lines
from farthing.http.answer.document import All, Thing
from farthing.http.answer.includes import include
from farthing.http.request.call import Call
from farthing.identity.scopes import READ, find_group, find_missing
from farthing.kernel.errors import Forbidden
from farthing.moving.import_jobs import store as import_jobs
from farthing.storage.unit import Unit

from ..accounts.routes import ACCOUNTS
from ..attachments.routes import ATTACHMENTS
from ..available_budgets.routes import AVAILABLE_BUDGETS
from ..bills.routes import BILLS
from ..budget_limits.routes import LIMITS
from ..budgets.routes import BUDGETS
from ..categories.routes import CATEGORIES
from ..exchange_rates.routes import OWN_RATES
from ..import_jobs.routes import JOBS
from ..link_types.routes import TYPES
from ..piggy_banks.routes import PIGGY_BANKS
from ..preferences.routes import PREFERENCES
from ..recurrences.routes import RECURRENCES
from ..resources.resource import Resource
from ..rule_groups.routes import GROUPS
from ..rules.routes import RULES
from ..serializers import transactions as listing
from ..tags.routes import TAGS
from ..transaction_links.routes import LINKS


def _get_preferences(db: Unit, user_id: int, ids: Collection[int]) -> Sequence[Preference]:
    """Gets the preferences that version 1 shows. Programs may store others under names of their own."""
    return [preference for preference in preferences.get_some(db, user_id, ids) if preference.name in NAMES]


_Load = Callable[[Unit, int, Collection[int]], Sequence[Any]]
_SHOWN: Mapping[str, tuple[Resource[Any, Any], _Load]] = {
    "accounts": (ACCOUNTS, accounts.get_some),
    "attachments": (ATTACHMENTS, attachments.get_some),
    "available_budgets": (AVAILABLE_BUDGETS, available_budgets.get_some),
    "bills": (BILLS, bills.get_some),
    "budget_limits": (LIMITS, budget_limits.get_some),
    "budgets": (BUDGETS, budgets.all_of),
    "categories": (CATEGORIES, categories.get_some),
    "exchange_rates": (OWN_RATES, exchange_rates.get_some),
    "import_jobs": (JOBS, import_jobs.get_some),
    "link_types": (TYPES, entry_links.get_own_types),
    "piggy_banks": (PIGGY_BANKS, piggy_banks.get_some),
    "preferences": (PREFERENCES, _get_preferences),
    "recurrences": (RECURRENCES, recurrences.get_some),
    "rule_groups": (GROUPS, lambda db, user_id, ids: [*rule_groups.get_some(db, user_id, ids).values()]),
    "rules": (RULES, rules.get_some),
    "tags": (TAGS, tags.get_some),
    "transaction_links": (LINKS, entry_links.get_some),
}


def refuse_out_of_scope(call: Call, kinds: Collection[str]) -> None:
    """Refuses a token that may not read objects of all these kinds."""
    if call.caller.scopes is None:
        return
    groups = dict.fromkeys(group for kind in kinds if (group := find_group(kind)))
    if missing := find_missing(call.caller.scopes, groups, READ):
        raise Forbidden(f"This token lacks a scope: {', '.join(missing)}. Name only kinds that it may read.")


def show_all(call: Call, kind: str, ids: Collection[int]) -> All[Thing[Any]]:
    """Shows objects of a kind, or none if not everybody in these books may see them."""
    if kind == "transactions":
        return _show_splits(call, ids)
    if kind not in _SHOWN:
        return All([])
    resource, load = _SHOWN[kind]
    return resource.show_all(call, load(call.db, call.user_id, ids))


def _show_splits(call: Call, ids: Collection[int]) -> All[Thing[Any]]:
    spots = lines.find_positions(call.db, call.user_id, sorted(ids))
    of_entries = lines.of_entries(call.db, call.user_id, sorted({spot.entry_id for spot in spots.values()}))
    splits = [line for line in of_entries if line.id in spots]
    document: All[Thing[Any]] = All(list(listing.things(call, splits)))
    include(call, document, splits, listing.INCLUDES)
    return document
