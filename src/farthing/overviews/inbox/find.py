"""Finds what waits in the inbox; reads the newest few thousand rows at most, however long the history."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from farthing.kernel.text import fold
from farthing.ledger.kinds import Kind, Type
from farthing.storage.unit import Unit

from ..suggestions import payees
from .model import Inbox, InboxGroup, InboxReason, InboxSplit

# So many splits are listed for each reason.
LISTED_MAX = 1000
# Among so many withdrawals the inbox looks for those without a budget, and among so many imported rows for new ones.
_AMONG_MAX = 10_000

# The plus keeps SQLite from scanning all splits of the user to find those that wait.
_SPLIT = """
SELECT s.id, s.entry_id, s.type, s.on_day AS "on", e.description, p.id AS payee_id, p.name AS payee,
    p.kind AS payee_kind
FROM ({ids}) AS waiting JOIN splits s ON s.id = waiting.id JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
JOIN accounts p ON p.user_id = s.user_id AND p.id = CASE s.type WHEN 2 THEN s.source_id ELSE s.destination_id END
WHERE +s.user_id = :user_id ORDER BY s.on_day DESC, s.entry_id DESC, s.position
"""
# Written as in the index `splits_without_category`, which is chosen only then.
_WITHOUT_CATEGORY = """
SELECT id FROM splits WHERE user_id = :user_id AND category_id IS NULL AND type < 3
ORDER BY on_day DESC, entry_id DESC, position LIMIT :most
"""
_WITHOUT_BUDGET = f"""
SELECT id FROM (
    SELECT id, budget_id FROM splits WHERE user_id = :user_id AND type = {int(Type.WITHDRAWAL)}
    ORDER BY on_day DESC, entry_id DESC, position LIMIT :among
) AS newest WHERE budget_id IS NULL LIMIT :most
"""
# A row of a bank's file that is as it came. Whoever changes it, accepts a suggestion for it or says so has seen it.
_UNSEEN = """
FROM (
    SELECT id, job_id, entry_id, outcome FROM import_rows WHERE user_id = :user_id ORDER BY id DESC LIMIT :among
) AS brought
JOIN import_jobs j ON j.user_id = :user_id AND j.id = brought.job_id AND j.created_at >= :since
JOIN entries x ON x.user_id = :user_id AND x.id = brought.entry_id AND x.updated_at = x.created_at
WHERE brought.outcome = 'new'
"""
_IMPORTED = f"""
SELECT id FROM splits WHERE user_id = :user_id AND position = 0 AND entry_id IN (
    SELECT x.id {_UNSEEN} ORDER BY brought.id DESC LIMIT :most
)
"""
_STATEMENTS = {
    InboxReason.CATEGORY: _SPLIT.format(ids=_WITHOUT_CATEGORY),
    InboxReason.BUDGET: _SPLIT.format(ids=_WITHOUT_BUDGET),
    InboxReason.IMPORTED: _SPLIT.format(ids=_IMPORTED),
}
# All splits less those with a label, from the stored counts.
_TOTAL = """
SELECT COALESCE((SELECT SUM(splits) FROM counts WHERE user_id = :user_id AND grain = 'all' AND type IN ({types})), 0)
    - COALESCE((
        SELECT SUM(k.splits) FROM {table} l JOIN sums_of_{table} k ON k.user_id = l.user_id AND k.label_id = l.id
            AND k.grain = 'all' AND k.type IN ({types})
        WHERE l.user_id = :user_id
    ), 0)
"""
_TOTALS = {
    InboxReason.CATEGORY: _TOTAL.format(table="categories", types="1, 2"),
    InboxReason.BUDGET: _TOTAL.format(table="budgets", types="1"),
    InboxReason.IMPORTED: f"SELECT COUNT(DISTINCT x.id) {_UNSEEN}",
}


def find(db: Unit, user_id: int, reasons: Collection[InboxReason], since: str) -> Inbox:
    """Finds what waits for these reasons; of the imported rows, those of imports since that instant."""
    values = {"user_id": user_id, "since": since, "among": _AMONG_MAX}
    asked = {reason: db.ask_structs(InboxSplit, _STATEMENTS[reason], most=LISTED_MAX, **values) for reason in reasons}
    counted = {reason: db.ask(_TOTALS[reason], **values) for reason in reasons}
    splits: dict[int, InboxSplit] = {}
    why: dict[int, list[InboxReason]] = defaultdict(list)
    more = False
    totals = {reason: int(answer.rows()[0][0]) for reason, answer in counted.items()}
    for reason, answer in asked.items():
        rows = answer.rows()
        more = more or len(rows) < totals[reason]
        for split in rows:
            splits[split.id] = split
            why[split.id].append(reason)
    return Inbox(groups=_group(splits.values(), why), totals=totals, more=more)


def _group(splits: Iterable[InboxSplit], why: Mapping[int, list[InboxReason]]) -> list[InboxGroup]:
    """Groups by payee: the largest group comes first, then the one with the newest transaction."""
    groups: dict[tuple[int, str], list[InboxSplit]] = defaultdict(list)
    for split in sorted(splits, key=_newest, reverse=True):
        groups[split.type, fold(_name(split))].append(split)
    found = [
        InboxGroup(
            payee_id=None if of[0].payee_kind == Kind.CASH else of[0].payee_id,
            payee=_name(of[0]),
            type=of[0].type,
            splits=of,
            reasons={split.id: why[split.id] for split in of},
        )
        for of in groups.values()
    ]
    return sorted(found, key=lambda group: len(group.splits), reverse=True)


def _newest(split: InboxSplit) -> tuple[str, int, int]:
    return split.on, split.entry_id, -split.id


def _name(split: InboxSplit) -> str:
    return payees.clean(split.description) if split.payee_kind == Kind.CASH else split.payee
