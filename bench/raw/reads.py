"""The fewest statements that give the same answer for each read."""

from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from .database import Raw, Row
from .shapes import Account, Links, One, Preference, Thing, Transaction, Uri, encode, number, page
from .shapes import Raw as Verbatim

_TYPES = (None, "Withdrawal", "Deposit", "Transfer", "Opening balance", "Reconciliation")
_TOKEN = """
SELECT u.id, t.id, z.data, s.data FROM tokens t JOIN users u ON u.id = t.user_id
JOIN preferences z ON z.user_id = u.id AND z.name = 'timezone'
JOIN preferences s ON s.user_id = u.id AND s.name = 'listPageSize'
WHERE t.hash = :hash AND u.blocked = 0 AND (t.expires_at IS NULL OR t.expires_at > :now)
"""
_ACCOUNTS = """
SELECT a.id, a.updated_at, a.created_at, a.name, a.active, a.kind, c.id, c.code, c.symbol, c.places,
    COALESCE((SELECT b.units FROM balances b WHERE b.user_id = a.user_id AND b.account_id = a.id
        AND b.currency_id = a.currency_id AND b.grain = 'all' AND b.period = ''), 0) + a.virtual_units
    - COALESCE((SELECT SUM(m.units) FROM balances m WHERE m.user_id = a.user_id AND m.account_id = a.id
        AND m.currency_id = a.currency_id AND m.grain = 'month' AND m.period > :month), 0)
    - COALESCE((SELECT SUM(m.units) FROM balances m WHERE m.user_id = a.user_id AND m.account_id = a.id
        AND m.currency_id = a.currency_id AND m.grain = 'day' AND m.period > :day AND m.period < :month_end), 0),
    a.notes, a.card_payment_on, a.card_type, a.account_number, a.iban, a.bic, a.virtual_units,
    CASE WHEN s.destination_id = a.id THEN s.units ELSE -s.units END, e.on_day,
    a.role, a.include_net_worth, a.interest, a.interest_period, a.direction,
    a.latitude, a.longitude, a.zoom_level
FROM accounts a
JOIN currencies c ON c.id = a.currency_id
LEFT JOIN entries e ON e.user_id = a.user_id AND e.opening_account_id = a.id
LEFT JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id AND s.position = 0
WHERE a.user_id = :user_id AND
"""
_TAGS = """
(SELECT {joined} FROM entry_tags x JOIN tags t ON t.user_id = x.user_id AND t.id = x.tag_id
    WHERE x.user_id = s.user_id AND x.entry_id = s.entry_id)
"""
_LINE = """
SELECT s.id, e.updated_at, e.created_at, s.description, e.description, s.on_day, s.type, s.position, s.entry_id,
    s.reconciled, s.units, c.id, c.code, c.symbol, c.places, s.foreign_units, f.id, f.code, f.symbol, f.places,
    b.id, b.name, g.id, g.name, g.colour, g.icon, h.id, h.name, {tags}, e.notes, e.internal_reference, e.recurrence_id,
    e.interest_on, e.book_on, e.process_on, e.due_on, e.payment_on, e.invoice_on, o.id, o.name, o.iban, o.kind, d.id, d.name, d.iban, d.kind,
    i.external_id, i.external_url, s.refund
FROM {source}
JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
JOIN currencies c ON c.id = s.currency_id
LEFT JOIN entry_details i ON i.user_id = s.user_id AND i.entry_id = s.entry_id
LEFT JOIN currencies f ON f.id = s.foreign_currency_id
LEFT JOIN bills b ON b.user_id = s.user_id AND b.id = e.bill_id
LEFT JOIN categories g ON g.user_id = s.user_id AND g.id = s.category_id
LEFT JOIN budgets h ON h.user_id = s.user_id AND h.id = s.budget_id
JOIN accounts o ON o.user_id = s.user_id AND o.id = s.source_id
JOIN accounts d ON d.user_id = s.user_id AND d.id = s.destination_id
"""
_NEWEST = "on_day DESC, entry_id DESC, position"
_NEWEST_LINES = "ORDER BY s.on_day DESC, s.entry_id DESC, s.position"


def _page_source(streams: list[str]) -> str:
    merged = " UNION ALL ".join(
        f"""SELECT id, on_day, entry_id, position FROM (SELECT id, on_day, entry_id, position FROM splits
        WHERE user_id = :user_id AND {stream} AND on_day <= :end ORDER BY {_NEWEST} LIMIT :reach) AS s{at}"""
        for at, stream in enumerate(streams)
    )
    chosen = f"(SELECT id FROM ({merged}) AS merged ORDER BY {_NEWEST} LIMIT 50 OFFSET :skip) AS page"
    return f"{chosen} JOIN splits s ON s.id = page.id"


class Reads:
    """`base` is the address that links start with."""

    def __init__(self, db: Raw, base: str, token: str) -> None:
        self.db = db
        self.base = base
        self._token = token
        joined = "group_concat(t.name, ',' ORDER BY x.id)" if db.sqlite else "string_agg(t.name, ',' ORDER BY x.id)"
        self._line = _LINE.replace("{tags}", _TAGS.format(joined=joined))
        self._page = self._line.format(source=_page_source(["type = 1", "type = 2", "type = 3"])) + _NEWEST_LINES
        sides = ["source_id = :account_id", "destination_id = :account_id"]
        self._account_page = self._line.format(source=_page_source(sides)) + _NEWEST_LINES
        self._entry = self._line.format(source="splits s") + "WHERE s.user_id = :user_id AND s.entry_id = :entry_id"

    def answer(self, ask: Callable[..., bytes], *facts: Any) -> bytes:
        """One snapshot for the token and everything after it."""
        self.db.begin()
        answer = ask(self.caller()[0], *facts)
        self.db.commit()
        return answer

    def caller(self) -> Row:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        digest = sha256(self._token.encode()).hexdigest()
        return self.db.rows(_TOKEN, {"hash": digest, "now": now})[0]

    def accounts(self, user_id: int) -> bytes:
        condition = "a.kind IN ('Asset account', 'Default account')"
        total = self.db.rows(
            f"SELECT COUNT(*) FROM accounts a WHERE a.user_id = :user_id AND {condition}", {"user_id": user_id}
        )[0][0]
        rows = self._accounts(user_id, f"{condition} ORDER BY a.name_fold, a.id LIMIT 50")
        return page(rows, total, 1, f"{self.base}/api/v1/accounts?type=asset&page=")

    def account(self, user_id: int, account_id: int) -> bytes:
        return encode(One(self._accounts(user_id, "a.id = :account_id", account_id=account_id)[0]))

    def _accounts(self, user_id: int, condition: str, **parameters: Any) -> list[Thing]:
        day = datetime.now(UTC).date().isoformat()
        month = day[:7]
        facts = {"user_id": user_id, "day": day, "month": month, "month_end": f"{month}-99", **parameters}
        return [self._account(row, day) for row in self.db.rows(_ACCOUNTS + condition, facts)]

    def _account(self, row: Row, day: str) -> Thing:
        places = row[9]
        attributes = Account(
            row[1], row[2], row[3], row[4] == 1, *row[5:10], number(int(row[10]), places), day, *row[11:17],
            number(row[17], places), number(row[18], places), row[19], row[20], row[20], row[21] == 1,
            Verbatim(row[22].encode()) if row[22] else None, row[23], None, None, None, *row[24:],
        )  # fmt: skip
        return self._thing("accounts", row[0], attributes)

    def _thing(self, kind: str, object_id: int, attributes: Any) -> Thing:
        uri = Uri("self", f"/{kind}/{object_id}")
        return Thing(kind, str(object_id), attributes, Links(f"{self.base}/api/v1/{kind}/{object_id}", uri))

    def preferences(self, user_id: int) -> bytes:
        rows = self.db.rows(
            "SELECT id, updated_at, created_at, name, data FROM preferences WHERE user_id = :user_id ORDER BY id",
            {"user_id": user_id},
        )
        at = f"{self.base}/api/v1/preferences/"
        things = [
            Thing("preferences", str(i), Preference(u, c, n, Verbatim(data.encode())), Links(f"{at}{i}"))
            for i, u, c, n, data in rows
        ]
        return encode(One(things))

    def transactions(self, user_id: int, at: int) -> bytes:
        """Finds the days of the month in which the page begins from the stored counts."""
        end, skip = self._place(user_id, (at - 1) * 50) if at > 4 else ("9999-99-99", (at - 1) * 50)
        rows = self.db.rows(self._page, {"user_id": user_id, "end": end, "skip": skip, "reach": skip + 50})
        total = self.db.rows(
            "SELECT SUM(splits) FROM counts WHERE user_id = :user_id AND type IN (1, 2, 3) AND grain = 'all'",
            {"user_id": user_id},
        )[0][0]
        things = [self._transaction(row, None) for row in rows]
        return page(things, int(total), at, f"{self.base}/api/v1/transactions?type=default&page=")

    def _place(self, user_id: int, left: int) -> tuple[str, int]:
        month, left = self._walk(user_id, "month", "", left)
        return self._walk(user_id, "day", month, left)

    def _walk(self, user_id: int, grain: str, month: str, left: int) -> tuple[str, int]:
        rows = self.db.rows(
            """
            SELECT period, SUM(splits) FROM counts WHERE user_id = :user_id AND type IN (1, 2, 3) AND grain = :grain
                AND period > :month AND period < :beyond GROUP BY period ORDER BY period DESC
            """,
            {"user_id": user_id, "grain": grain, "month": month, "beyond": f"{month}~"},
        )
        for period, splits in rows:
            if left < splits:
                return period, left
            left -= int(splits)
        raise LookupError("the page lies beyond the books")

    def account_transactions(self, user_id: int, account_id: int) -> bytes:
        owned = {"user_id": user_id, "account_id": account_id}
        self.db.rows("SELECT id FROM accounts WHERE user_id = :user_id AND id = :account_id", owned)
        rows = self.db.rows(self._account_page, {**owned, "end": "9999-99-99", "skip": 0, "reach": 50})
        total = self.db.rows(
            """
            SELECT SUM(splits) FROM sums_of_accounts WHERE user_id = :user_id AND label_id = :account_id
                AND grain = 'all'
            """,
            owned,
        )[0][0]
        prefix = f"{self.base}/api/v1/accounts/{account_id}/transactions?type=all&page="
        return page([self._transaction(row, account_id) for row in rows], int(total), 1, prefix)

    def entry(self, user_id: int, entry_id: int) -> bytes:
        """What create and update answer."""
        rows = self.db.rows(self._entry, {"user_id": user_id, "entry_id": entry_id})
        return encode(One([self._transaction(row, None) for row in rows]))

    def _transaction(self, row: Row, viewed_id: int | None) -> Thing:
        own, whole = row[3], row[4]
        negative = row[6] == 1 or (row[6] != 2 and row[38] == viewed_id)
        units, foreign = row[10], row[15]
        if negative:
            units, foreign = -units, -foreign if foreign else None
        attributes = Transaction(
            row[1], row[2], f"{own} ({whole})" if own and own != whole else whole, own, whole, row[5], _TYPES[row[6]],
            row[7], row[8], row[9] == 1, row[48] == 1, number(units, row[14]), *row[11:15],
            number(foreign, row[19]) if foreign else None, *row[16:48],
        )  # fmt: skip
        return self._thing("transactions", row[0], attributes)
