"""Finds imports with transactions from before an opening balance, and moves the opening balance to before them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec
from msgspec import Struct

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account, Opening
from farthing.books.lifecycle import accounts as lifecycle
from farthing.kernel.errors import Conflict
from farthing.kernel.text import pluralize
from farthing.storage.change_log import changes
from farthing.storage.unit import Unit

from ..findings import Finding
from ..rows.settle import SettledRow
from ..rows.verdicts import New, PlannedRow
from .model import ImportJob

_REPORTED = "moved_openings"
_DAY = timedelta(days=1)
_BOOKED = """
SELECT r.account_id, COUNT(*) AS transactions, MIN(r.on_day) AS first_on,
    CAST(SUM(CASE s.destination_id WHEN r.account_id THEN s.units ELSE -s.units END) AS BIGINT) AS units
FROM import_rows r
JOIN accounts a ON a.user_id = r.user_id AND a.id = r.account_id
JOIN entries o ON o.user_id = r.user_id AND o.opening_account_id = r.account_id
JOIN splits s ON s.user_id = r.user_id AND s.entry_id = r.entry_id AND s.currency_id = a.currency_id
WHERE r.user_id = :user_id AND r.job_id = :job_id AND r.outcome = 'new' AND r.on_day <= o.on_day
GROUP BY r.account_id ORDER BY r.account_id
"""


class EarlierRows(Struct, frozen=True, kw_only=True):
    """Sums the imported transactions of an account up to the day of its opening balance."""

    account_id: int
    transactions: int
    first_on: date
    units: int


class OpeningClash(Struct, frozen=True, kw_only=True):
    """Says that an import has transactions from before an opening balance, which probably includes them already.

    `moved` is the opening balance to use instead. It is dated before these transactions, and results in the same
    balance on the old day.
    """

    account: Account
    opening: Opening
    moved: Opening
    transactions: int

    @property
    def finding(self) -> Finding:
        name, rows = self.account.name[:80], pluralize(self.transactions, "transaction")
        sentence = (
            f"The opening balance of “{name}” is dated {self.opening.on}, but this import has {rows} up to that day."
            f" If it was the balance after them, move it to {self.moved.on}."
        )
        return Finding(field="opening_balance", message=sentence)


def find_planned(db: Unit, user_id: int, rows: Sequence[PlannedRow]) -> list[OpeningClash]:
    """Finds the clashes that an import of these rows would cause."""
    settled = defaultdict[int, list[SettledRow]](list)
    for row in rows:
        if isinstance(row.verdict, New):
            settled[row.settled.account.id].append(row.settled)
    stored = accounts.get_some(db, user_id, settled.keys())
    earlier = []
    for account in stored:
        opening = _opening_of(account)
        mine = [one for one in settled[account.id] if one.money.currency == account.currency]
        before = [one for one in mine if opening and one.row.on <= opening.on]
        if before:
            units = sum(-one.money.units if one.outgoing else one.money.units for one in before)
            first_on = min(one.row.on for one in before)
            earlier.append(EarlierRows(account_id=account.id, transactions=len(before), first_on=first_on, units=units))
    return _list_clashes(stored, earlier)


def find_booked(db: Unit, user_id: int, job_id: int) -> list[OpeningClash]:
    """Finds the clashes that an import has caused."""
    earlier = db.structs(EarlierRows, _BOOKED, user_id=user_id, job_id=job_id)
    return _list_clashes(accounts.get_some(db, user_id, {one.account_id for one in earlier}), earlier)


def move(db: Unit, user_id: int, job: ImportJob, now: str) -> None:
    """Moves the opening balances to before the transactions that a job imported. Undoing the job moves them back."""
    clashes = find_booked(db, user_id, job.id)
    if not clashes:
        raise Conflict("No imported transaction is dated before an opening balance.")
    for clash in clashes:
        lifecycle.move_opening(db, user_id, clash.account, clash.moved, now)
    moved = [{"account_id": clash.account.id, "before": clash.opening, "moved": clash.moved} for clash in clashes]
    kept = [*(job.report or {}).get(_REPORTED, ()), *msgspec.to_builtins(moved)]
    findings = [finding for finding in job.findings if finding.field != "opening_balance"]
    columns = {"report": _encode({**(job.report or {}), _REPORTED: kept}), "findings": _encode(findings)}
    changes.update(db, "import_jobs", user_id, "id = :id", columns, now=now, id=job.id)


def move_back(db: Unit, user_id: int, job: ImportJob, now: str) -> None:
    """Moves opening balances back if the import is undone, unless they were changed since."""
    for one in reversed((job.report or {}).get(_REPORTED, ())):
        account = accounts.get(db, user_id, one["account_id"])
        if account and _opening_of(account) == msgspec.convert(one["moved"], Opening):
            lifecycle.move_opening(db, user_id, account, msgspec.convert(one["before"], Opening), now)


def _list_clashes(stored: Iterable[Account], earlier: Iterable[EarlierRows]) -> list[OpeningClash]:
    """Lists accounts with rows before the day of their opening balance. Rows on that day alone do not clash."""
    by_id = {account.id: account for account in stored}
    clashes = []
    for rows in earlier:
        account = by_id[rows.account_id]
        opening = _opening_of(account)
        if opening and rows.first_on < opening.on:
            moved = Opening(on=rows.first_on - _DAY, units=opening.units - rows.units)
            clashes.append(OpeningClash(account=account, opening=opening, moved=moved, transactions=rows.transactions))
    return clashes


def _opening_of(account: Account) -> Opening | None:
    if account.opening_on is None or account.opening_units is None:
        return None
    return Opening(on=date.fromisoformat(account.opening_on), units=account.opening_units)


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()
