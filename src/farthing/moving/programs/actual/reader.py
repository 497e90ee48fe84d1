"""Reads an archive of Actual: a zip that contains db.sqlite and metadata.json."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import BinaryIO

from msgspec.structs import replace

from farthing.kernel.limits import NAME_MAX
from farthing.ledger.kinds import Kind

from ...findings import Unreadable, shorten
from ...formats.values import make_date
from ...source_books import SourceBooks, SourceBudget, SourceBudgetLimit
from ..common.building import build
from ..common.raw import Nature, RawAccount, RawBooks, RawEntry, RawPosting
from ..common.register import Payees, budget_below_zero, cents, limit_of_month
from ..unpacking import is_zip, open_files
from ..untrusted_sqlite.rows import is_sqlite
from .tables import ActualRow, ActualTables, read_actual_tables

PROGRAM = "Actual"
_DATABASE = "db.sqlite"
_LIABILITIES = {"credit": Kind.CREDIT_CARD, "mortgage": Kind.MORTGAGE, "debt": Kind.DEBT, "loan": Kind.LOAN}


def looks_like(head: bytes, _filename: str) -> bool:
    name = _DATABASE.encode()
    return name in head if is_zip(head) else is_sqlite(head) and b"zero_budgets" in head


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    """Reads the books. Actual works without currencies, so `currency` is used if the file names none."""
    contents = open_files(files)
    path = next((path for path in contents if path.split("/")[-1] == _DATABASE), None)
    path = path or next((name for name, content in contents.items() if is_sqlite(content)), None)
    if path is None:
        raise Unreadable(f"The archive has no {_DATABASE}, so it is not an export of Actual.")
    return build(_Reader(read_actual_tables(contents[path], path), currency).books())


class _Reader:
    def __init__(self, tables: ActualTables, currency: str | None) -> None:
        self.tables, self.findings = tables, tables.findings
        self.notes = tables.names("notes", value="note")
        self.preferences = tables.names("preferences", value="value")
        named = self.preferences.get("defaultCurrencyCode")
        self.currency = named or currency or "EUR"
        if not named:
            sentence = f"The file does not name its currency; {self.currency} is used for all amounts."
            self.findings.add(sentence, field="currency")
        self.payees = Payees()
        self.payee_names = tables.names("payees")
        self.transfer_accounts = tables.names("payees", value="transfer_acct")
        self.payee_targets = tables.names("payee_mapping", value="targetId")
        self.category_targets = tables.names("category_mapping", value="transferId")
        groups = tables.names("category_groups")
        self.categories: dict[str, str] = {}
        for category in tables.others["categories"]:
            group, name = groups.get(str(category.get("cat_group"))), str(category.get("name"))
            self.categories[str(category["id"])] = (f"{group}: {name}" if group else name)[:NAME_MAX]
        self.accounts = {str(row["id"]): row for row in tables.others["accounts"]}
        self.children: dict[str, list[ActualRow]] = defaultdict(list)
        self.budgets: dict[str, SourceBudget] = {}

    def books(self) -> RawBooks:
        for row in self.tables.rows.values():
            if row.parent:
                self.children[row.parent].append(row)
        limits = tuple(self._limits())
        entries = tuple(self._entries())
        counts = self.tables.counts
        for schedule in self.tables.others["schedules"]:
            name = shorten(str(schedule.get("name") or schedule["id"]))
            self.findings.add(f"The schedule “{name}” is not imported.")
        goals = sum(bool(row.get("goal_def")) for row in self.tables.others["categories"])
        cleared = sum(row.cleared and not row.reconciled for row in self.tables.rows.values())
        separate = "budgets carry what is left over to the next month; in Farthing, every month is separate."
        rest = (
            (len(self.tables.others["rules"]), "rules are not imported; set them up in Farthing."),
            (goals, "categories have a goal template, which is not imported."),
            (counts["carryovers"], separate),
            (cleared, "transactions are marked as cleared, but not reconciled; that mark is not kept."),
            (counts["orphans"], "parts of splits belong to deleted transactions and are skipped."),
        )
        self.findings.add_counts(rest)
        return RawBooks(
            program=PROGRAM,
            accounts=(*(self._account(key) for key in self.accounts), *self.payees.accounts()),
            entries=entries,
            categories=tuple(self.categories.values()),
            budgets=tuple(self.budgets.values()),
            limits=limits,
            default_commodity=self.currency,
            findings=tuple(self.findings),
            moves=tuple(
                (row.account, self.currency, row.on, cents(row.amount))
                for row in self.tables.rows.values()
                if not row.parent and row.account in self.accounts
            ),
        )

    def _account(self, key: str) -> RawAccount:
        row = self.accounts[key]
        kind = _LIABILITIES.get(str(row.get("type") or ""))
        texts = [self.notes.get(f"account-{key}"), row.get("official_name"), row.get("mask") and f"…{row['mask']}"]
        texts += ["Off budget"] if row.get("offbudget") else []
        return RawAccount(
            key=key,
            name=str(row.get("name") or "").strip()[:NAME_MAX] or "Account",
            nature=Nature.LIABILITY if kind else Nature.ASSET,
            liability=kind or Kind.DEBT,
            commodity=self.currency,
            active=not row.get("closed"),
            notes="\n".join(str(text) for text in texts if text) or None,
        )

    def _entries(self) -> Iterator[RawEntry]:
        for row in self.tables.rows.values():
            if not row.parent and row.account in self.accounts:
                if entry := self._entry(row):
                    yield entry
            elif not row.parent:
                message = f"A transaction of {row.on} belongs to an account that was deleted; it is skipped."
                self.findings.add(message, row=row.number, rejects=True)
            elif row.parent not in self.tables.rows:
                self.tables.counts["orphans"] += 1

    def _entry(self, row: ActualRow) -> RawEntry | None:
        parts = [part for part in self._parts(row) if not self._is_second_half(part)]
        if not parts:
            return None
        own = [self._posting(row.account, cents(part.amount), part) for part in parts]
        others = [self._counterpart(part) for part in parts]
        note = "\n".join(dict.fromkeys(item.notes for item in (row, *parts) if item.notes))
        payee = self._payee(row)
        imported = f"Imported as: {row.imported}" if row.imported and row.imported != payee else ""
        return RawEntry(
            key=row.id,
            on=row.on,
            description=payee or row.notes or row.imported,
            postings=tuple(posting for pair in zip(own, others, strict=True) for posting in pair),
            row=row.number,
            notes="\n".join(item for item in (note, imported) if item) or None,
            reference=row.financial_id[:NAME_MAX] or None,
            tags=_tags(note),
            in_pairs=True,
        )

    def _parts(self, row: ActualRow) -> list[ActualRow]:
        """Returns the row itself or, if it is split, its parts, and one for the difference if they do not add up."""
        children = self.children.get(row.id, [])
        if not children:
            return [row]
        rest = row.amount - sum(child.amount for child in children)
        if rest:
            message = f"The parts of the split of {row.on} leave {cents(rest)}, which is imported without a category."
            self.findings.add(message, row=row.number, field="amount")
            return [*children, replace(row, amount=rest, transferred="", category="")]
        return children

    def _partner(self, row: ActualRow) -> ActualRow | None:
        """Finds the other half of a transfer, if both halves name each other and agree on the day and the amount."""
        other = self.tables.rows.get(row.transferred)
        if other is None or other.transferred != row.id or other.account not in self.accounts or row.id == other.id:
            return None
        if self._top(row) is None or self._top(other) is None or other.account == row.account:
            return None
        return other if (other.amount, other.on) == (-row.amount, row.on) else None

    def _top(self, row: ActualRow) -> ActualRow | None:
        return self.tables.rows.get(row.parent) if row.parent else row

    def _is_second_half(self, row: ActualRow) -> bool:
        other = self._partner(row)
        if other is None:
            return False
        if bool(row.parent) != bool(other.parent):
            return bool(other.parent)
        return (row.amount, row.id) > (other.amount, other.id)

    def _counterpart(self, part: ActualRow) -> RawPosting:
        amount = -cents(part.amount)
        if other := self._partner(part):
            return self._posting(other.account, amount, part, both=part.reconciled and other.reconciled)
        if part.is_opening:
            return self._posting(self.payees.opening(), amount, part)
        if part.transferred:
            what = f"A transfer of {cents(part.amount)} on {part.on} has no matching other half"
            self.findings.add(f"{what}; it is booked with its payee.", part.number, "transferred_id")
        return self._posting(self.payees.key(self._payee(part)), amount, part)

    def _posting(self, account: str, amount: Decimal, row: ActualRow, *, both: bool | None = None) -> RawPosting:
        category = self.category_targets.get(row.category, row.category)
        budget = self.budgets.get(category)
        return RawPosting(
            account=account,
            quantity=amount,
            commodity=self.currency,
            category=self.categories.get(category),
            budget=budget.name if budget else None,
            description=row.notes or None,
            reconciled=row.reconciled if both is None else both,
        )

    def _payee(self, row: ActualRow) -> str:
        payee = self.payee_targets.get(row.payee, row.payee)
        if account := self.transfer_accounts.get(payee):
            return f"Transfer: {self.accounts.get(account, {}).get('name') or 'deleted account'}"
        return self.payee_names.get(payee, "")

    def _limits(self) -> Iterator[SourceBudgetLimit]:
        tables = ("reflect_budgets", "zero_budgets")
        if self.preferences.get("budgetType") not in ("report", "tracking"):
            tables = tables[::-1]
        used = next((table for table in tables if self.tables.others[table]), tables[0])
        for table in tables:
            if table != used and self.tables.others[table]:
                unused = f"those in {table} are not in use and were skipped."
                self.findings.add(f"The file has budgets of two kinds; {unused}")
        for row in self.tables.others[used]:
            yield from self._limit(row.get("month"), str(row.get("category")), row.get("amount"), row.get("carryover"))

    def _limit(self, month: object, category: str, amount: object, carryover: object) -> Iterator[SourceBudgetLimit]:
        start = make_date(month // 100, month % 100, 1) if type(month) is int else None
        name = self.categories.get(category)
        self.tables.counts["carryovers"] += bool(carryover)
        if start is None or type(amount) is not int or (name is None and amount):
            message = f"A budget of “{shorten(amount)}” in the month “{shorten(month)}” cannot be read."
            self.findings.add(message, rejects=True)
        elif amount < 0:
            self.findings.add(budget_below_zero(cents(amount), name, start))
        elif amount and name:
            self.budgets.setdefault(category, SourceBudget(key=category, name=name))
            yield limit_of_month(category, cents(amount), self.currency, start)


def _tags(notes: str) -> tuple[str, ...]:
    """Finds the tags in notes, which are words that begin with a single #."""
    words = [word for word in notes.split() if word.startswith("#") and not word.startswith("##")]
    tags = [tag for word in words for tag in word.split("#") if tag]
    return tuple(dict.fromkeys(tag.rstrip(".,;:!?")[:NAME_MAX] for tag in tags if tag.rstrip(".,;:!?")))
