"""What does a client do next? Drawn at random, from all that any client of the user has made so far."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import chain
from typing import Any

from .books import ASSET, EXPENSE, LOAN, OWN, PLACES, REVENUE, TODAY, number
from .requests import Answered, Request
from .writes import KINDS

FIRST_DAY = date(2024, 2, 20)
DAYS = 120  # into the future: not everything counts today
CODES = tuple(PLACES)
PAYEES = ("Baker", "baker", "Grocer", "Landlord", "Garage", "Employer")
OWN_NAMES = ("Purse", "purse", "Jar", "Vault", "Pocket")
WORDS = ("apple", "birch", "cedar", "daisy", "elder")
CATEGORIES = ("Food", "food", "Travel")
BUDGETS = ("Monthly", "Yearly")
TAGS = ("red", "green", "blue")
NUMBERS = ("NL-1", "NL-2", "NL-3", "NL-4")
SEARCHED = (*WORDS, *PAYEES, *CATEGORIES, *TAGS)
RECENT = 40

WEIGHTS = {
    "record": 26, "record many": 6, "change": 14, "remove": 8, "open account": 6, "change account": 8,
    "close account": 4, "reconcile": 5, "list": 6, "show": 3, "search": 6, "list accounts": 4, "show account": 5,
    "list of account": 5,
}  # fmt: skip


@dataclass
class Made:
    """What the clients of one user know of: some of it may be gone when it is named again."""

    accounts: dict[int, str] = field(default_factory=dict)  # kinds, by id
    kept: set[int] = field(default_factory=set)  # accounts that nobody closes: else there would soon be nothing left
    entries: dict[int, tuple[str, list[int]]] = field(default_factory=dict)  # type and splits, by id
    sides: dict[int, tuple[int, int]] = field(default_factory=dict)  # source and destination, by split

    def learn(self, answered: Answered) -> None:
        """After every write that was acknowledged."""
        request, answer = answered.request, answered.answer
        if request.what == "close account":
            self.accounts.pop(request.target, None)
        elif request.what == "remove":
            for entry_id in [one for one, (_, splits) in list(self.entries.items()) if request.target in splits]:
                self.entries.pop(entry_id, None)
        elif request.what == "open account":
            self.accounts[int(answer["data"]["id"])] = KINDS[request.body["type"]]
        for thing in _transactions_in(answer):
            self._learn_line(int(thing["id"]), thing["attributes"])

    def _learn_line(self, split_id: int, attributes: dict[str, Any]) -> None:
        for side in ("source", "destination"):
            self.accounts[attributes[f"{side}_id"]] = attributes[f"{side}_type"]
        self.sides[split_id] = attributes["source_id"], attributes["destination_id"]
        type_, splits = attributes["type"].lower(), self.entries.get(attributes["journal_id"], ("", []))[1]
        self.entries[attributes["journal_id"]] = type_, sorted({*splits, split_id})

    def of_kind(self, *kinds: str) -> list[int]:
        return [one for one, kind in list(self.accounts.items()) if kind in kinds]


def _transactions_in(answer: Any) -> Iterable[Any]:
    """Wherever an answer holds them: alone, among many results, included with an account, booked with a statement."""
    if not isinstance(answer, dict):
        return []
    data = answer["data"] if isinstance(answer["data"], list) else [answer["data"].get("booked")]
    results = chain.from_iterable(one.get("data", [one]) for one in data if one)
    found = chain(results, answer.get("included", []))
    return [thing for thing in found if thing.get("type") == "transactions"]


@dataclass
class Drawing:
    """One client's luck; `unique` is a word that no other request has."""

    chance: random.Random
    made: Made
    unique: str = ""

    def request(self, unique: str) -> Request:
        self.unique = unique
        [what] = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        return _DRAWN[what](self)

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def one_of(self, many: Iterable[Any], otherwise: Any = 0) -> Any:
        """Rather something new than something old."""
        known = list(many)[-RECENT:]
        return self.chance.choice(known) if known else otherwise

    def day(self) -> str:
        return (FIRST_DAY + timedelta(days=self.chance.randrange(DAYS))).isoformat()

    def amount(self, code: str, most: int = 10**6) -> str:
        return str(number(self.chance.randint(1, most), code))

    def code(self) -> str:
        return str(self.chance.choice(CODES))

    def split_id(self) -> int:
        _, splits = self.one_of(self.made.entries.values(), ("", [1]))
        return int(self.chance.choice(splits))

    # Transactions

    def record(self) -> Request:
        return Request("record", "POST", "/transactions", body=self.transaction())

    def record_many(self) -> Request:
        bodies = [self.transaction() for _ in range(self.chance.randint(1, 4))]
        if self.maybe(0.25):
            self.chance.choice(bodies)["transactions"][0]["amount"] = "0"
        query = {name: "1" for name, share in (("partial", 0.4), ("dry_run", 0.25)) if self.maybe(share)}
        return Request("record many", "POST", "/transactions/bulk", query, {"transactions": bodies})

    def change(self) -> Request:
        type_, splits = self.one_of(self.made.entries.values(), ("transfer", [1]))
        split_id = self.chance.choice(splits)
        body = self.transaction(type_ if type_ in ("withdrawal", "deposit") else "transfer")
        del body["type"]
        return Request("change", "PUT", f"/transactions/{split_id}", body=body, target=split_id)

    def remove(self) -> Request:
        split_id = self.split_id()
        return Request("remove", "DELETE", f"/transactions/{split_id}", target=split_id)

    def transaction(self, type_: str | None = None) -> dict[str, Any]:
        type_ = type_ or self.chance.choice(["withdrawal", "withdrawal", "deposit", "transfer"])
        many = self.chance.choice([1, 1, 1, 2, 3])
        shared = self.own_sides(type_)
        body: dict[str, Any] = {
            "type": type_,
            "date": self.day(),
            "description": f"{self.chance.choice(WORDS)} {self.chance.choice(WORDS)} {self.unique}",
            "transactions": [self.split(type_, dict(shared), place if many > 1 else None) for place in range(many)],
        }
        if self.maybe(0.3):
            body["tags"] = self.chance.sample(TAGS, self.chance.randint(1, 2))
        if self.maybe(0.2):
            body["notes"] = f"noted {self.chance.choice(WORDS)}"
        return body

    def own_sides(self, type_: str) -> dict[str, Any]:
        """All splits share the user's own accounts."""
        own = self.made.of_kind(*OWN)
        if type_ == "transfer":
            source_id, destination_id = self.chance.sample(own, 2)
            return {"source_id": source_id, "destination_id": destination_id}
        side = "source" if type_ == "withdrawal" else "destination"
        if self.maybe(0.15):
            return {f"{side}_name": self.chance.choice(OWN_NAMES)}
        return {f"{side}_id": self.chance.choice(own)}

    def split(self, type_: str, split: dict[str, Any], place: int | None) -> dict[str, Any]:
        code = self.code()
        split |= {"amount": self.amount(code), "currency_code": code}
        if type_ != "transfer":
            split |= self.other_side(type_)
        if self.maybe(0.4):
            foreign = self.code()
            split |= {"foreign_amount": self.amount(foreign), "foreign_currency_code": foreign}
        if place is not None or self.maybe(0.2):
            split["description"] = f"part{place or 0} {self.chance.choice(WORDS)}"
        if self.maybe(0.3):
            split["category_name"] = self.chance.choice(CATEGORIES)
        if self.maybe(0.2):
            split["budget_name"] = self.chance.choice(BUDGETS)
        if self.maybe(0.1):
            split["reconciled"] = True
        return split

    def other_side(self, type_: str) -> dict[str, Any]:
        """By name or id, or nobody: then it is cash."""
        side, kind = ("destination", EXPENSE) if type_ == "withdrawal" else ("source", REVENUE)
        known = self.made.of_kind(kind)
        if self.maybe(0.6):
            return {f"{side}_name": self.chance.choice(PAYEES)}
        return {f"{side}_id": self.chance.choice(known)} if known and self.maybe(0.6) else {}

    # Accounts

    def open_account(self) -> Request:
        word = self.chance.choice(["asset", "asset", "liability", "expense", "revenue"])
        return self.written_account("open account", "POST", "/accounts", word)

    def change_account(self) -> Request:
        account_id = self.one_of(self.made.of_kind(ASSET, LOAN, EXPENSE, REVENUE), 1)
        word = {kind: word for word, kind in KINDS.items()}[self.made.accounts.get(account_id, ASSET)]
        return self.written_account("change account", "PUT", f"/accounts/{account_id}", word, account_id)

    def written_account(self, what: str, method: str, path: str, word: str, target: int = 0) -> Request:
        body = self.account(word)
        on = body.get("opening_balance_date") or body.get("liability_start_date")
        # The account's transactions of that day come along: they tell under which id its opening was booked.
        query = {"include": "transactions", "start": on, "end": on, "limit": "1000"} if on else {}
        return Request(what, method, path, query, body, target)

    def account(self, word: str) -> dict[str, Any]:
        code = self.code()
        names = PAYEES if word in ("expense", "revenue") else OWN_NAMES
        body: dict[str, Any] = {
            "type": word, "name": self.chance.choice(names), "currency_code": code, "active": self.maybe(0.85),
            "include_net_worth": True,
        }  # fmt: skip
        if word == "asset":
            body["account_role"] = "defaultAsset"
            if self.maybe(0.6):
                body |= {"opening_balance": self.amount(code), "opening_balance_date": self.day()}
        if word == "liability":
            body |= {"liability_type": "loan", "liability_amount": self.amount(code), "interest": "3.5"}
            body |= {"liability_start_date": min(self.day(), TODAY), "interest_period": "yearly"}
        if self.maybe(0.2):
            body["virtual_balance"] = self.amount(code)
        if self.maybe(0.3):
            body["account_number"] = self.chance.choice(NUMBERS)
        return body

    def close_account(self) -> Request:
        closable = [one for one in self.made.of_kind(ASSET, LOAN, EXPENSE, REVENUE) if one not in self.made.kept]
        account_id = self.one_of(closable, 1)
        return Request("close account", "DELETE", f"/accounts/{account_id}", target=account_id)

    def reconcile(self) -> Request:
        split_id = self.split_id()
        sides = self.made.sides.get(split_id, (1,))
        account_id = next((one for one in sides if self.made.accounts.get(one) in OWN), sides[0])
        body = {
            "date": max(self.day(), self.day()),
            "statement_balance": str(self.chance.randint(-(10**9), 10**9)),
            "transactions": [split_id] if self.maybe(0.7) else [],
            "book_difference": True,
        }
        return Request("reconcile", "POST", f"/accounts/{account_id}/reconcile", body=body, target=account_id)

    # Questions

    def listing(self, what: str = "list", path: str = "/transactions", target: int = 0) -> Request:
        query = {"type": self.chance.choice(["default", "all", "withdrawal", "deposit", "transfer", "special"])}
        query |= self.page()
        if self.maybe(0.5):
            query["start"], query["end"] = sorted([self.day(), self.day()])
        return Request(what, "GET", path, query, target=target)

    def listing_of_account(self) -> Request:
        account_id = self.one_of(self.made.accounts, 1)
        return self.listing("list of account", f"/accounts/{account_id}/transactions", account_id)

    def page(self) -> dict[str, str]:
        return {"limit": str(self.chance.randint(1, 30)), "page": str(self.chance.choice([1, 1, 2, 3]))}

    def show(self) -> Request:
        split_id = self.split_id()
        return Request("show", "GET", f"/transactions/{split_id}", target=split_id)

    def search(self) -> Request:
        sought = self.chance.sample(SEARCHED, self.chance.choice([1, 1, 2]))
        return Request("search", "GET", "/search/transactions", {"query": " ".join(sought), **self.page()})

    def listing_of_accounts(self) -> Request:
        word = self.chance.choice(["all", "asset", "liability", "expense", "revenue", "hidden", "cash"])
        return Request("list accounts", "GET", "/accounts", {"type": word, "date": self.day(), **self.page()})

    def show_account(self) -> Request:
        account_id = self.one_of(self.made.accounts, 1)
        query = {"date": self.day()} if self.maybe(0.7) else {}
        return Request("show account", "GET", f"/accounts/{account_id}", query, target=account_id)


_DRAWN: dict[str, Callable[[Drawing], Request]] = {
    "record": Drawing.record,
    "record many": Drawing.record_many,
    "change": Drawing.change,
    "remove": Drawing.remove,
    "open account": Drawing.open_account,
    "change account": Drawing.change_account,
    "close account": Drawing.close_account,
    "reconcile": Drawing.reconcile,
    "list": Drawing.listing,
    "show": Drawing.show,
    "search": Drawing.search,
    "list accounts": Drawing.listing_of_accounts,
    "show account": Drawing.show_account,
    "list of account": Drawing.listing_of_account,
}
