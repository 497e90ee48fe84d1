"""What would plain books hold? One user's accounts and transactions in dictionaries; every sum is made when asked."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

PLACES = {"EUR": 2, "USD": 2, "JPY": 0}
TODAY = "2024-05-15"
EVER = "9998-12-31"

ASSET, LOAN, EXPENSE, REVENUE, CASH = "Asset account", "Loan", "Expense account", "Revenue account", "Cash account"
INITIAL, RECONCILIATION = "Initial balance account", "Reconciliation account"
OWN = frozenset({ASSET, LOAN})
HELPERS = {INITIAL: "initial balance", RECONCILIATION: "reconciliation"}

Money = tuple[int, str]
Shown = dict[str, Any]


def units(text: str, code: str) -> int:
    exact = Decimal(text).scaleb(PLACES[code])
    assert exact == int(exact), f"{text} {code} is nothing that a client should have sent"
    return int(exact)


def number(amount: int, code: str) -> Decimal:
    return Decimal(amount).scaleb(-PLACES[code])


def words(*texts: str | None) -> set[str]:
    return {word for text in texts if text for word in re.findall(r"[a-z0-9]+", text.lower())}


@dataclass(frozen=True)
class Account:
    id: int
    kind: str
    name: str
    currency: str
    active: bool = True
    virtual: int = 0
    number: str | None = None
    helps: int | None = None


@dataclass(frozen=True)
class Split:
    id: int
    source_id: int
    destination_id: int
    amount: Money
    foreign: Money | None = None
    description: str | None = None
    reconciled: bool = False
    category: str | None = None
    budget: str | None = None


@dataclass(frozen=True)
class Entry:
    """`opens` is the account whose opening balance it is."""

    id: int
    type: str
    on: str
    description: str
    splits: tuple[Split, ...]
    notes: str | None = None
    tags: tuple[str, ...] = ()
    opens: int | None = None

    @property
    def settles(self) -> bool:
        return self.opens is not None

    def touches(self, account_ids: Iterable[int]) -> bool:
        return any(one in (split.source_id, split.destination_id) for split in self.splits for one in account_ids)


Line = tuple[Entry, int, Split]


@dataclass
class Books:
    accounts: dict[int, Account] = field(default_factory=dict)
    entries: dict[int, Entry] = field(default_factory=dict)
    entry_of: dict[int, int] = field(default_factory=dict)  # by the id of a split
    labels: dict[tuple[str, str], str] = field(default_factory=dict)  # by kind and folded name: as it was first spelled
    used: set[tuple[str, int]] = field(default_factory=set)  # no id ever comes back

    def copied(self) -> "Books":
        return Books(dict(self.accounts), dict(self.entries), dict(self.entry_of), dict(self.labels), set(self.used))

    def put_account(self, account: Account) -> None:
        if account.id not in self.accounts:
            self._use("account", account.id)
        self.accounts[account.id] = account

    def put_entry(self, entry: Entry) -> None:
        kept = self.entries.get(entry.id)
        before = [split.id for split in kept.splits] if kept else []
        for place, split in enumerate(entry.splits):
            if place < len(before):
                assert split.id == before[place], f"split {before[place]} stays where it is, but became {split.id}"
            else:
                self._use("split", split.id)
            self.entry_of[split.id] = entry.id
        for gone in before[len(entry.splits) :]:
            del self.entry_of[gone]
        if not kept:
            self._use("entry", entry.id)
        self.entries[entry.id] = entry

    def drop_entry(self, entry_id: int) -> None:
        for split in self.entries.pop(entry_id).splits:
            del self.entry_of[split.id]

    def drop_account(self, account_id: int) -> None:
        gone = [account_id, *(one.id for one in self.accounts.values() if one.helps == account_id)]
        for entry_id in [entry.id for entry in self.entries.values() if entry.touches(gone)]:
            self.drop_entry(entry_id)
        for one in gone:
            del self.accounts[one]

    def _use(self, kind: str, one: int) -> None:
        assert (kind, one) not in self.used, f"the {kind} {one} is there twice, or came back"
        self.used.add((kind, one))

    def label(self, kind: str, name: str | None) -> str | None:
        return self.labels.setdefault((kind, name.lower()), name) if name else None

    def named(self, name: str, kinds: Iterable[str]) -> int | None:
        """The oldest active one of a fitting kind; one spelled exactly so comes first."""
        fitting = [
            one
            for one in sorted(self.accounts.values(), key=lambda one: one.id)
            if one.active and one.kind in kinds and one.name.lower() == name.lower()
        ]
        chosen = next((one for one in fitting if one.name == name), fitting[0] if fitting else None)
        return chosen.id if chosen else None

    @property
    def cash_id(self) -> int:
        return next(one.id for one in self.accounts.values() if one.kind == CASH)

    def helper_of(self, account_id: int, kind: str) -> Account | None:
        return next((one for one in self.accounts.values() if one.helps == account_id and one.kind == kind), None)

    def opening_of(self, account_id: int) -> Entry | None:
        return next((entry for entry in self.entries.values() if entry.opens == account_id), None)

    def booked(self, split: Split, account_id: int) -> Money:
        """Each side in its account's own currency, if one of the amounts is; else with the amount."""
        own = self.accounts[account_id].currency
        if split.amount[1] != own and split.foreign and split.foreign[1] == own:
            return split.foreign
        return split.amount

    def held(self, upto: str, *, settled: bool = False) -> Counter[tuple[int, str]]:
        """What every account holds at the end of the day, by currency; or the part that was found on statements."""
        sums: Counter[tuple[int, str]] = Counter()
        for entry in self.entries.values():
            if entry.on > upto:
                continue
            for split in entry.splits:
                if settled and not (split.reconciled or entry.settles):
                    continue
                for account_id, sign in ((split.source_id, -1), (split.destination_id, 1)):
                    amount, code = self.booked(split, account_id)
                    sums[account_id, code] += sign * amount
        return sums

    def lines(self, *, start: str = "", end: str = EVER) -> Iterator[Line]:
        """One per split, the newest first."""
        chosen = [entry for entry in self.entries.values() if start <= entry.on <= end]
        for entry in sorted(chosen, key=lambda one: (one.on, one.id), reverse=True):
            for place, split in enumerate(entry.splits):
                yield entry, place, split

    def words_of(self, entry: Entry) -> set[str]:
        found = words(entry.description, entry.notes, *entry.tags)
        for split in entry.splits:
            names = (self.accounts[one].name for one in (split.source_id, split.destination_id))
            found |= words(split.description, split.category, *names)
        return found

    def shown_line(self, line: Line, viewed_id: int = 0) -> Shown:
        entry, place, split = line
        outwards = entry.type == "Withdrawal" or (entry.type != "Deposit" and split.source_id == viewed_id)
        sign, foreign = -1 if outwards else 1, split.foreign
        text = f"{split.description} ({entry.description})" if split.description else entry.description
        return {
            "id": str(split.id),
            "journal_id": entry.id,
            "identifier": place,
            "type": entry.type,
            "date": entry.on,
            "description": text,
            "notes": entry.notes,
            "tags": list(entry.tags),
            "reconciled": split.reconciled,
            "amount": number(sign * split.amount[0], split.amount[1]),
            "currency_code": split.amount[1],
            "foreign_amount": number(sign * foreign[0], foreign[1]) if foreign else None,
            "foreign_currency_code": foreign[1] if foreign else None,
            "category_name": split.category,
            "budget_name": split.budget,
            "source_id": split.source_id,
            "source_name": self.accounts[split.source_id].name,
            "destination_id": split.destination_id,
            "destination_name": self.accounts[split.destination_id].name,
        }

    def shown_account(self, account: Account, held: Counter[tuple[int, str]], on: str) -> Shown:
        balance = held[account.id, account.currency] + account.virtual
        return {
            "id": str(account.id),
            "name": account.name,
            "type": account.kind,
            "active": account.active,
            "account_number": account.number,
            "currency_code": account.currency,
            "current_balance": number(balance, account.currency),
            "current_balance_date": on,
            "virtual_balance": number(account.virtual, account.currency),
            **self._beginning(account),
        }

    def _beginning(self, account: Account) -> Shown:
        entry = self.opening_of(account.id)
        amount = day = None
        if entry:
            [split] = entry.splits
            sign = 1 if split.destination_id == account.id else -1
            amount, day = number(sign * split.amount[0], split.amount[1]), entry.on
        owns = account.kind == ASSET
        return {
            "opening_balance": amount if owns else None,
            "opening_balance_date": day if owns else None,
            "liability_amount": None if owns or amount is None else -amount,
            "liability_start_date": None if owns else day,
        }
