"""Records which objects a job created besides transactions, so that undoing the job can remove them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from farthing.books.accounts import store as accounts
from farthing.books.bills import store as bills
from farthing.books.currencies import store as currencies
from farthing.books.lifecycle import bills as bill_lifecycle
from farthing.books.lifecycle import rule_groups as rule_group_lifecycle
from farthing.books.lifecycle import rules as rule_lifecycle
from farthing.books.lifecycle.saving import piggy_banks as piggy_bank_lifecycle
from farthing.books.lifecycle.settings import account_order
from farthing.books.lifecycle.settings import currencies as currency_settings
from farthing.books.recurrences import store as recurrences
from farthing.books.rules import store as rules
from farthing.books.webhooks import store as webhooks
from farthing.storage.change_log import changes, restoring
from farthing.storage.unit import Unit

from .options import ENABLED_CURRENCIES, MADE_KINDS

_ADD = """
INSERT INTO import_objects (user_id, job_id, kind, source_key, target_id, is_made)
VALUES (:user_id, :job_id, :kind, :source_key, :target_id, :is_made)
"""


def add_made(db: Unit, user_id: int, job_id: int, made: Iterable[tuple[str, int]]) -> None:
    """Records accounts and labels created because rows named them. Invents keys, because the file has none."""
    db.many(_ADD, [(user_id, job_id, kind, f"#{target_id}", target_id, 1) for kind, target_id in made])


def add_keyed(db: Unit, user_id: int, job_id: int, kind: str, keyed: Iterable[tuple[str, int, bool]]) -> None:
    """Records the object for each key of the source, and whether the job created the object or it already existed."""
    db.many(_ADD, [(user_id, job_id, kind, key, target_id, int(is_made)) for key, target_id, is_made in keyed])


def load_keyed(db: Unit, user_id: int, job_id: int, kind: str, *, is_made: bool = False) -> dict[str, int]:
    """Loads the ids of objects by their key in the source. With `is_made`, loads only objects that the job created."""
    sql = """
    SELECT source_key, target_id FROM import_objects
    WHERE user_id = :user_id AND job_id = :job_id AND kind = :kind AND is_made >= :least
    """
    return dict(db.all(sql, least=int(is_made), user_id=user_id, job_id=job_id, kind=kind))


def load_by_kind(db: Unit, user_id: int, job_id: int) -> dict[str, dict[str, int]]:
    sql = "SELECT kind, source_key, target_id FROM import_objects WHERE user_id = :user_id AND job_id = :job_id"
    rows = db.all(sql, user_id=user_id, job_id=job_id)
    by_kind: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, key, target_id in rows:
        by_kind[kind][key] = target_id
    return by_kind


def count_made(db: Unit, user_id: int, job_ids: list[int]) -> dict[int, dict[str, int]]:
    """Counts the objects that each job created, by job and kind, with one query."""
    sql = """
    SELECT job_id, kind, COUNT(*) FROM import_objects
    WHERE user_id = :user_id AND job_id IN :job_ids AND is_made = 1 GROUP BY job_id, kind
    """
    rows = db.all(sql, user_id=user_id, job_ids=job_ids)
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for job_id, kind, count in rows:
        counts[job_id][kind] = count
    return counts


# Parts that are removed together with an object.
_PARTS = {"piggy_banks": ("piggy_bank_events",), "bills": ("attachments",)}


def remove_unused(db: Unit, user_id: int, job_id: int, now: str) -> None:
    """Removes the objects that the job created, except those that something else uses now."""
    for kind in MADE_KINDS:
        made = load_keyed(db, user_id, job_id, kind, is_made=True).values()
        ids = find_existing(db, user_id, kind, sorted(set(made))) if made else []
        used = restoring.find_used(db, user_id, kind, ids, besides=_PARTS.get(kind, ())) if ids else set()
        if unused := [object_id for object_id in ids if object_id not in used]:
            _remove(db, user_id, kind, unused, now)
    _disable_currencies(db, user_id, job_id, now)
    currencies.take_back(db, sorted(set(load_keyed(db, user_id, job_id, "currencies", is_made=True).values())))
    changes.delete(db, "import_objects", user_id, "job_id = :job_id", job_id=job_id)


def _disable_currencies(db: Unit, user_id: int, job_id: int, now: str) -> None:
    ids = load_keyed(db, user_id, job_id, ENABLED_CURRENCIES, is_made=True).values()
    codes = {currency.code for currency in currencies.by_ids(db, sorted(ids)).values()} if ids else set()
    if codes:
        currency_settings.forget(db, user_id, codes, now)


def find_existing(db: Unit, user_id: int, table: str, ids: Sequence[int]) -> list[int]:
    sql = f"SELECT id FROM {table} WHERE user_id = :user_id AND id IN :ids ORDER BY id"
    return [object_id for (object_id,) in db.all(sql, user_id=user_id, ids=list(ids))]


def _remove(db: Unit, user_id: int, kind: str, ids: list[int], now: str) -> None:
    match kind:
        case "rules" | "rule_groups" | "bills" | "webhooks":
            for object_id in ids:
                _remove_one(db, user_id, kind, object_id, now)
        case "recurrences":
            recurrences.remove(db, user_id, ids, now)
        case "piggy_banks":
            piggy_bank_lifecycle.remove(db, user_id, ids)
        case "accounts":  # together with the helpers for their opening balances and reconciliations
            helpers = accounts.helpers_of(db, user_id, ids)
            accounts.remove(db, user_id, [*helpers, *ids])
            account_order.forget(db, user_id, ids, now)
        case _:
            restoring.remove(db, user_id, kind, ids)


def _remove_one(db: Unit, user_id: int, kind: str, object_id: int, now: str) -> None:
    if kind == "rule_groups":
        rule_group_lifecycle.remove(db, user_id, object_id, now)
    elif kind == "webhooks":
        webhooks.remove(db, user_id, object_id)
    elif kind == "rules" and (rule := rules.get(db, user_id, object_id)):
        rule_lifecycle.remove(db, user_id, rule, now)
    elif kind == "bills" and (bill := bills.get(db, user_id, object_id)):
        bill_lifecycle.remove(db, user_id, bill)
