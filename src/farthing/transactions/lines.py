"""Which transactions does an account's page show? Two ordered index scans, merged; never a scan of all history."""

from collections import defaultdict

from ..money import Currency
from ..storage.unit import Row, Unit
from .model import Line, Seen

FIRST_DAY, LAST_DAY = "0000", "9999"

_LINE = """
s.id, s.entry_id, s.position, s.type, s.on_day, e.description, s.description, e.notes, s.reconciled,
    e.created_at, e.updated_at, s.units, c.id, c.code, c.name, c.symbol, c.places,
    s.foreign_units, f.id, f.code, f.name, f.symbol, f.places,
    o.id, o.name, o.iban, o.kind, d.id, d.name, d.iban, d.kind
"""
_OF_LINE = """
JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
JOIN currencies c ON c.id = s.currency_id
LEFT JOIN currencies f ON f.id = s.foreign_currency_id
JOIN accounts o ON o.user_id = s.user_id AND o.id = s.source_id
JOIN accounts d ON d.user_id = s.user_id AND d.id = s.destination_id
"""
_NEWEST_FIRST = "on_day DESC, entry_id DESC, position"


def _side(column: str) -> str:
    return f"""
        SELECT id, on_day, entry_id, position FROM (
            SELECT id, on_day, entry_id, position FROM splits
            WHERE user_id = v.user_id AND {column} = v.id AND on_day >= :start AND on_day <= :end
            ORDER BY {_NEWEST_FIRST} LIMIT :reach
        ) AS {column}_side
    """


_OF_ACCOUNTS = f"""
SELECT v.id, {_LINE}
FROM accounts v
JOIN splits s ON s.user_id = v.user_id AND s.id IN (
    SELECT id FROM ({_side("source_id")} UNION ALL {_side("destination_id")}) AS merged
    ORDER BY {_NEWEST_FIRST} LIMIT :limit OFFSET :offset
)
{_OF_LINE}
WHERE v.user_id = :user_id AND v.id IN :account_ids
ORDER BY v.id, s.on_day DESC, s.entry_id DESC, s.position
"""


def of_accounts(
    db: Unit,
    user_id: int,
    account_ids: list[int],
    *,
    limit: int,
    offset: int = 0,
    start: str = FIRST_DAY,
    end: str = LAST_DAY,
) -> dict[int, list[Line]]:
    """A page of each account's transactions, newest first, in one query however many accounts there are."""
    rows = db.all(
        _OF_ACCOUNTS,
        user_id=user_id,
        account_ids=account_ids,
        start=start,
        end=end,
        limit=limit,
        offset=offset,
        reach=limit + offset,
    )
    lines: dict[int, list[Line]] = defaultdict(list)
    for viewed_id, *row in rows:
        lines[viewed_id].append(_line(tuple(row)))
    return lines


def _line(row: Row) -> Line:
    """The columns in the order of the dataclass; groups of them become a currency or an account."""
    columns = (
        *row[:8],
        bool(row[8]),
        *row[9:12],
        Currency(*row[12:17]),
        row[17],
        Currency(*row[18:23]) if row[18] else None,
        Seen(*row[23:27]),
        Seen(*row[27:31]),
    )
    return Line(*columns)
