"""Measures how good suggestions are, and what they cost.

    python -m bench.suggestions

Books are recorded up to four fifths of their days; of the rest, each transaction is a draft without labels, and what is
suggested is compared with what it had. Precision at a coverage is that of the most confident share of all drafts; a
draft without a suggestion is the least confident, and wrong. The generated books have what makes it hard: payees that
sell several things, payees that are new, numbers and places in every text, and people who err once in a hundred times.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct

from farthing.api.v1.suggestions.wire import CONFIDENCE_USUAL
from farthing.api.v1.transactions import bulk as bulk_body
from farthing.books.accounts.model import AccountDraft
from farthing.books.bookkeeping import lookup
from farthing.books.currencies import store as currencies
from farthing.books.labels import store as labels
from farthing.books.lifecycle import accounts, transactions
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.books.transactions.model import TYPES
from farthing.demo import bodies
from farthing.demo.story import story
from farthing.identity import users
from farthing.kernel.errors import refuse
from farthing.ledger.kinds import Kind, Type
from farthing.overviews.suggestions import suggest
from farthing.overviews.suggestions.model import Suggestion, SuggestionSubject
from farthing.storage import migrations
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.unit import Database, Unit

Body = dict[str, Any]
TRAINED = 0.8
# The targets: precision at a share of all drafts, and the processor time of one suggestion.
SURE, SURE_PRECISION = 0.6, 0.97
MOST, MOST_PRECISION = 0.9, 0.9
CPU_MS_MAX = 5.0
# The confidence above which suggestions are accepted if nothing else is said.
ACCEPTED = float(CONFIDENCE_USUAL)
ROWS = 2500

_NOW = "2025-01-01T12:00:00+00:00"
_TODAY = date(2024, 12, 31)
_BATCH = 500


class Book(Struct, frozen=True):
    """Bodies of transactions in the order of their days, and the accounts that they need with their currencies."""

    name: str
    own: Mapping[str, str]
    bodies: Sequence[Body]


class Verdict(Struct, frozen=True):
    """How good and how quick the suggestions for the drafts of a book were."""

    drafts: int
    sure_precision: float
    most_precision: float
    coverage: float
    accepted_precision: float
    accepted_coverage: float
    budget_precision: float | None
    payee_precision: float | None
    cpu_ms: float

    @property
    def is_good(self) -> bool:
        return self.sure_precision >= SURE_PRECISION and self.most_precision >= MOST_PRECISION


class _Draft(Struct, frozen=True):
    subject: SuggestionSubject
    category: str | None
    budget: str | None
    payee: str | None


def judge(database: Database, book: Book) -> Verdict:
    """Records the first four fifths, and asks for the rest."""
    trained = int(len(book.bodies) * TRAINED)
    user_id = _record(database, book, book.bodies[:trained])
    drafts = [draft for body in book.bodies[trained:] for draft in _read_drafts(body)]
    suggested, spent = [], []
    with database.reading() as db:
        suggest.find(db, user_id, [drafts[0].subject])  # statements are prepared
        for draft in drafts:
            begun = time.thread_time()
            [suggestion] = suggest.find(db, user_id, [draft.subject])
            spent.append(time.thread_time() - begun)
            suggested.append((draft, suggestion))
    return _judge(suggested, median(spent) * 1000)


def _judge(suggested: Sequence[tuple[_Draft, Suggestion]], cpu_ms: float) -> Verdict:
    with_category = [(draft, one) for draft, one in suggested if draft.category]
    rights = sorted(
        (one.category.confidence if one.category else 0.0, bool(one.category and one.category.name == draft.category))
        for draft, one in with_category
    )[::-1]
    budgeted = [one.budget.name == draft.budget for draft, one in suggested if one.budget]
    payees = [one.payee.name == draft.payee for draft, one in suggested if one.payee and draft.payee]
    return Verdict(
        drafts=len(rights),
        sure_precision=_share([right for _, right in rights[: int(len(rights) * SURE)]]),
        most_precision=_share([right for _, right in rights[: int(len(rights) * MOST)]]),
        coverage=_share([confidence > 0 for confidence, _ in rights]),
        accepted_precision=_share([right for confidence, right in rights if confidence >= ACCEPTED]),
        accepted_coverage=_share([confidence >= ACCEPTED for confidence, _ in rights]),
        budget_precision=_share(budgeted) if budgeted else None,
        payee_precision=_share(payees) if payees else None,
        cpu_ms=cpu_ms,
    )


def _share(rights: Sequence[bool]) -> float:
    return sum(rights) / len(rights) if rights else 1.0


def _read_drafts(body: Body) -> Iterator[_Draft]:
    type_ = TYPES[body["type"]]
    side = "source_name" if type_ == Type.DEPOSIT else "destination_name"
    for split in body["transactions"]:
        subject = SuggestionSubject(
            type=type_,
            description=f"{body['description']} {split.get('description') or ''}",
            payee=None if body.get("payee") else split.get(side),
            amount=Decimal(split["amount"]),
            takes_budget=type_ == Type.WITHDRAWAL,
        )
        yield _Draft(subject, split.get("category_name"), split.get("budget_name"), body.get("payee"))


def _record(database: Database, book: Book, sent: Sequence[Body]) -> int:
    with database.writing() as db:
        user_id = user_lifecycle.add(db, f"{book.name}@farthing.example", "no password", "UTC", _NOW).id
        for name, code in book.own.items():
            currency = currencies.by_code(db, code)
            assert currency
            accounts.add(db, user_id, AccountDraft(Kind.ASSET, name, True, True, currency), _NOW)
        names = {split.get("budget_name") for body in book.bodies for split in body["transactions"]}
        for name in sorted(filter(None, names)):
            labels.add(db, user_id, "budgets", name, _NOW)
    for first in range(0, len(sent), _BATCH):
        with database.writing() as db:
            users.take(db, user_id, token_id=None, now=_NOW, doing="bench")
            _record_batch(db, user_id, sent[first : first + _BATCH])
    return user_id


def _record_batch(db: Unit, user_id: int, batch: Sequence[Body]) -> None:
    parsed = bulk_body.read({"transactions": list(batch)})
    facts = lookup.load(db, user_id, parsed.values.transactions or ())
    items = bulk_body.compose_all(parsed, facts)
    refuse([*parsed.problems, *(problem for item in items for problem in item.problems)])
    transactions.record_each(db, user_id, facts, items, _NOW)


def tell_demo(years: int = 2) -> Book:
    told = story.tell(_TODAY, years)
    own = {account.name: str(account.body["currency_code"]) for account in told.accounts}
    return Book("demo", own, [bodies.body(move, reconciled_before=_TODAY) for move in told.moves])


class _Merchant(Struct, frozen=True):
    """A payee as the bank writes it, and what it sells: words, category and price in cents."""

    name: str
    written: str
    sells: Sequence[tuple[str, str, int]]
    since: float
    often: float


_PLACES = ("BERLIN", "HAMBURG", "KOELN", "AUSTIN TX", "PORTLAND OR", "LEEDS", "UTRECHT", "WIEN")
_SYLLABLES = (
    "bra",
    "ko",
    "lin",
    "der",
    "sta",
    "mi",
    "ron",
    "fel",
    "tu",
    "wes",
    "gar",
    "po",
    "nal",
    "shi",
    "vex",
    "dol",
)
_CATEGORIES = (
    "Groceries", "Restaurants", "Car", "Health", "Clothing", "Household", "Leisure", "Travel", "Insurance",
    "Telephone", "Gifts", "Children", "Books", "Pets",
)  # fmt: skip
_MERCHANTS, _AMBIGUOUS, _LATE, _ERRING = 80, 0.1, 0.15, 0.01
# Half of the texts say what was bought.
_SAYING = 0.5


def generate(name: str, seed: int, *, has_payees: bool, rows: int = ROWS) -> Book:
    """With payees, as European banks write, or only with a text, as American cards do."""
    chance = random.Random(seed)
    merchants = [_make_merchant(chance, number) for number in range(_MERCHANTS)]
    made = [_make_body(chance, merchants, place / rows, has_payees=has_payees) for place in range(rows)]
    return Book(name, {"Checking": "EUR"}, made)


def _make_merchant(chance: random.Random, number: int) -> _Merchant:
    name = "".join(chance.sample(_SYLLABLES, 3)).capitalize()
    kinds = 3 if chance.random() < _AMBIGUOUS else 1
    categories = chance.sample(_CATEGORIES, kinds)
    sells = [("".join(chance.sample(_SYLLABLES, 2)), category, chance.randint(400, 9000)) for category in categories]
    since = chance.random() * 0.9 if chance.random() < _LATE else 0.0
    written = f"{name.upper()} {chance.choice(('GMBH', 'INC', 'STORE', 'MARKT', 'OIL', ''))}".strip()
    return _Merchant(name, written, sells, since, 1 / (number + 3))


def _make_body(chance: random.Random, merchants: Sequence[_Merchant], moment: float, *, has_payees: bool) -> Body:
    open_now = [merchant for merchant in merchants if merchant.since <= moment]
    [merchant] = chance.choices(open_now, [merchant.often for merchant in open_now])
    thing, category, price = chance.choice(merchant.sells)
    number, place = chance.randint(1000, 99999), chance.choice(_PLACES)
    said = thing if chance.random() < _SAYING else ""
    text = f"{merchant.written} {number} {place} {said}"
    erred = chance.choice(_CATEGORIES) if chance.random() < _ERRING else category
    cents = max(50, int(price * chance.uniform(0.5, 1.6)))
    on = date(2022, 1, 1) + timedelta(days=int(moment * 1000))
    payee = f"{merchant.written} {number}" if has_payees else merchant.name
    told = f"Kartenzahlung {place} {number} {said}" if has_payees else text
    split = {"amount": f"{cents / 100:.2f}", "currency_code": "EUR", "source_name": "Checking"}
    split |= {"destination_name": payee, "category_name": erred}
    return {
        "type": "withdrawal", "date": on.isoformat(), "description": told, "transactions": [split],
        "payee": None if has_payees else merchant.name,
    }  # fmt: skip


def list_books(rows: int = ROWS) -> dict[str, Callable[[], Book]]:
    return {
        "the demo household": tell_demo,
        "generated, with payees": lambda: generate("payees", 7, has_payees=True, rows=rows),
        "generated, texts only": lambda: generate("texts", 8, has_payees=False, rows=rows),
    }


def _show(precision: float | None) -> str:
    return "unknown" if precision is None else f"{precision:.1%}"


def main() -> int:
    verdicts = []
    with tempfile.TemporaryDirectory() as folder:
        database = SqliteDatabase(Path(folder) / "suggestions.sqlite3")
        migrations.migrate(database)
        for name, make in list_books().items():
            verdicts.append(verdict := judge(database, make()))
            print(
                f"{name}: {verdict.drafts} drafts, precision {verdict.sure_precision:.1%} at {SURE:.0%}, "
                f"{verdict.most_precision:.1%} at {MOST:.0%} (suggested for {verdict.coverage:.0%}); "
                f"above a confidence of {ACCEPTED} {verdict.accepted_precision:.1%} for {verdict.accepted_coverage:.0%}; "
                f"budgets {_show(verdict.budget_precision)}, payees {_show(verdict.payee_precision)}; "
                f"{verdict.cpu_ms:.2f} ms of CPU each"
            )
        database.close()
    return int(not all(verdict.is_good and verdict.cpu_ms <= CPU_MS_MAX for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
