"""Random books with everything that reports must tell apart, and a model of them that knows nothing of the program."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from ..accounts.making import asset, exact, liability, made
from ..conftest import Client

FIRST = date(2022, 11, 20)
DAYS = 540
CATEGORIES = ("Food", "Fun", "Home", None)
PARENTS = {"Fun": "Food"}
BUDGETS = ("Daily", "Monthly", None)
TAGS = ("holiday", "work", "kids")
SHOPS = ("Grocer", "Baker", "=Tailor")
PAYERS = ("Employer", "Grocer")
WORDS = ("zebra", "quagga", "okapi")
OWN = {
    "Checking": "EUR", "Savings": "EUR", "Dollars": "USD", "Yen": "JPY", "Dinars": "KWD", "Coins": "XBT", "Loan": "EUR",
}  # fmt: skip
PLACES = {"EUR": 2, "USD": 2, "JPY": 0, "KWD": 3, "XBT": 8}


@dataclass(frozen=True)
class ModelSplit:
    """`units` are what left or reached the own account, in `currency`; of transfers, what left the source."""

    entry: int
    on: str
    type: str
    own: str
    other: str
    currency: str
    amount: Decimal
    amounts: tuple[Decimal, ...]
    category: str | None
    budget: str | None
    tags: frozenset[str]
    words: frozenset[str]
    refund: bool

    @property
    def spent(self) -> Decimal:
        if self.type == "withdrawal":
            return self.amount
        return -self.amount if self.refund else Decimal(0)

    @property
    def earned(self) -> Decimal:
        return self.amount if self.type == "deposit" and not self.refund else Decimal(0)


@dataclass
class Model:
    client: Client
    ids: dict[str, dict[str, int]] = field(default_factory=dict)
    splits: list[ModelSplit] = field(default_factory=list)

    def flow(
        self, word: str, start: str, end: str, passes: Callable[[ModelSplit], bool] = lambda _: True
    ) -> dict[str, Decimal]:
        """What was `spent` or `earned`, by currency."""
        found: dict[str, Decimal] = defaultdict(Decimal)
        for one in self.splits:
            if start <= one.on <= end and passes(one):
                found[one.currency] += getattr(one, word)
        return {code: amount for code, amount in found.items() if amount}


def some_books(client: Client, seed: int, number: int = 150) -> Model:
    random = Random(seed)
    model = Model(client)
    assets = [one for one in OWN.items() if one[0] != "Loan"]
    accounts = {name: int(made(client, asset(name=name, currency_code=code))) for name, code in assets}
    accounts["Loan"] = int(made(client, liability(name="Loan", liability_start_date="2022-11-20")))
    for name in filter(None, BUDGETS):
        assert client.post("/budgets", {"name": name, "active": True}).status_code == 200
    bodies = [_entry(random, place, accounts, model) for place in range(number)]
    for first in range(0, number, 50):
        answer = client.post("/transactions/bulk", {"transactions": bodies[first : first + 50]})
        assert answer.status_code == 200, answer.text
    model.splits.append(_opening())
    model.ids = {
        "account_id": {name: id_ for name, id_, _ in _named(client, "accounts")},
        **{f"{one}_id": {name: id_ for name, id_, _ in _named(client, path)} for one, path in _LABELS.items()},
    }
    for child, parent in PARENTS.items():
        of = model.ids["category_id"]
        answer = client.put(f"/categories/{of[child]}", {"name": child, "parent_id": of[parent]})
        assert answer.status_code == 200, answer.text
    return model


def _opening() -> ModelSplit:
    """Of the loan: neither spent nor earned."""
    amount = Decimal(123)
    return ModelSplit(
        entry=-1, on="2022-11-20", type="opening_balance", own="Loan", other="", currency="EUR", amount=amount,
        amounts=(amount,), category=None, budget=None, tags=frozenset(), words=frozenset(), refund=False,
    )  # fmt: skip


_LABELS = {"category": "categories", "budget": "budgets", "tag": "tags"}


def _named(client: Client, path: str) -> Iterable[tuple[str, int, dict[str, Any]]]:
    for one in exact(client.get(f"/{path}", limit=1000))["data"]:
        shown = one["attributes"]
        yield shown.get("name") or shown["tag"], int(one["id"]), shown


def _entry(random: Random, place: int, accounts: dict[str, int], model: Model) -> dict[str, Any]:
    on = (FIRST + timedelta(days=random.randrange(DAYS))).isoformat()
    type_ = random.choice(("withdrawal", "withdrawal", "withdrawal", "deposit", "deposit", "transfer"))
    own = random.choice([*OWN, "Checking", "Checking", "Dollars"])
    other = random.choice([one for one in OWN if one != own])
    tags = random.sample(TAGS, random.choice((0, 0, 1, 2)))
    word = random.choice(WORDS)
    bodies = [
        _split(random, model, place, on, type_, own, other, tags, word, accounts)
        for _ in range(random.choice((1, 1, 2)))
    ]
    text = frozenset().union(*(one.words for one in model.splits if one.entry == place))
    model.splits = [
        ModelSplit(**{**one.__dict__, "words": text}) if one.entry == place else one for one in model.splits
    ]
    return {"type": type_, "date": on, "description": f"The {word}", "tags": tags, "transactions": bodies}


def _split(
    random: Random, model: Model, place: int, on: str, type_: str, own: str, other: str, tags: list[str], word: str,
    accounts: dict[str, int],
) -> dict[str, Any]:  # fmt: skip
    currency = OWN[own]
    amount = Decimal(random.randint(1, 90_000)).scaleb(-PLACES[currency])
    refund = type_ == "deposit" and random.random() < 0.4
    category = random.choice(CATEGORIES)
    budget = random.choice(BUDGETS) if type_ == "withdrawal" or refund else None
    body: dict[str, Any] = {"amount": f"{amount:f}", "currency_code": currency, "description": f"Part of the {word}"}
    amounts: tuple[Decimal, ...] = (amount,)
    if type_ == "transfer":
        if OWN[other] != currency:
            arrived = Decimal(random.randint(1, 900))
            body |= {"foreign_amount": str(arrived), "foreign_currency_code": OWN[other]}
            amounts = (amount, arrived)
        body |= {"source_id": accounts[own], "destination_id": accounts[other]}
    elif random.random() < 0.3:  # written in another currency than that of the account
        abroad = "USD" if currency == "EUR" else "GBP"
        body |= {
            "amount": "77",
            "currency_code": abroad,
            "foreign_amount": f"{amount:f}",
            "foreign_currency_code": currency,
        }
        amounts = (Decimal(77), amount)
    if type_ == "withdrawal":
        other = random.choice(SHOPS)
        body |= {"source_id": accounts[own], "destination_name": other}
    elif type_ == "deposit":
        other = random.choice(PAYERS)
        body |= {"destination_id": accounts[own], "source_name": other, "refund": refund}
    body |= {"category_name": category or "", "budget_name": budget or ""}
    names = (word, "the", own, other, category or "", *tags)
    model.splits.append(
        ModelSplit(
            entry=place, on=on, type=type_, own=own, other=other, currency=currency, amount=amount, amounts=amounts,
            category=category, budget=budget, tags=frozenset(tags), refund=refund,
            words=frozenset(one.lower().lstrip("=") for one in names if one),
        )
    )  # fmt: skip
    return body


@dataclass(frozen=True)
class Filter:
    """A filter of the list, as names in the model; `query` makes it one of the API.

    `folded` is a category with its children.
    """

    account: str | None = None
    category: str | None = None
    folded: str | None = None
    budget: str | None = None
    no_budget: bool = False
    tag: str | None = None
    word: str | None = None
    amount_min: Decimal | None = None
    amount_max: Decimal | None = None
    type: str | None = None

    def passes(self, one: ModelSplit) -> bool:
        return (
            self.account in (None, one.own, one.other)
            and self.category in (None, one.category)
            and self.folded in (None, one.category, PARENTS.get(one.category or ""))
            and not (self.no_budget and one.budget)
            and self.budget in (None, one.budget)
            and (self.tag is None or self.tag in one.tags)
            and (self.word is None or self.word in one.words)
            and self.type in (None, one.type)
            and any(
                (self.amount_min is None or amount >= self.amount_min)
                and (self.amount_max is None or amount <= self.amount_max)
                for amount in one.amounts
            )
        )

    def query(self, model: Model) -> dict[str, Any]:
        ids = {
            f"{name}_id": model.ids[f"{name}_id"][value]
            for name in ("account", "category", "budget", "tag")
            if (value := getattr(self, name))
        }
        plain = {name: str(getattr(self, name)) for name in ("amount_min", "amount_max", "type") if getattr(self, name)}
        if self.folded:
            ids |= {"category_id": model.ids["category_id"][self.folded], "children": "fold"}
        return ids | plain | ({"query": self.word} if self.word else {}) | ({"no_budget": 1} if self.no_budget else {})


def report(client: Client, name: str, **query: Any) -> Any:
    return answered(client, f"/reports/{name}", **query)


def answered(client: Client, path: str, **query: Any) -> Any:
    response = client.get(path, **query)
    assert response.status_code == 200, response.text
    return exact(response)
