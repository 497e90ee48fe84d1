"""Measures what rules add to a create: the CPU time to check all triggers, look up names and change the draft.

    python -m bench.rules

runs only this, on an empty SQLite database; `measure` takes any database.
"""

import gc
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from statistics import median

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import AccountDraft
from farthing.books.bookkeeping import lookup
from farthing.books.currencies import store as currencies
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.books.rule_groups import store as groups
from farthing.books.rule_groups.model import RuleGroupDraft
from farthing.books.rules import apply
from farthing.books.rules import store as rules
from farthing.books.rules.model import RuleDraft, RuleEvent, RulePart
from farthing.books.transactions.model import Lookup, LookupRequest, NewAccount, SplitDraft, TransactionDraft
from farthing.identity import users
from farthing.kernel.money import Money
from farthing.ledger.kinds import Kind, Type
from farthing.storage import migrations
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.unit import Database, Unit

RULES = 200
# Target: 200 rules, of which usually one matches, add less than this to a create.
ADDED_MS_MAX = 1.0

_NOW = "2024-05-15T12:00:00+00:00"
_RUNS = 500
_TRIGGERS = (
    ("description_contains", "word {} of the bank"), ("to_account_contains", "shop {}"), ("from_account_is", "account {}"),
    ("amount_exactly", "{}.99"), ("description_starts", "begin {}"), ("notes_contain", "note {}"),
    ("category_is", "category {}"), ("tag_is", "tag {}"),
)  # fmt: skip


def measure(database: Database, *, matching: int) -> float:
    """The median CPU milliseconds of one create; `matching` of the rules match it."""
    with database.writing() as db:
        user_id = _user_with_rules(db, matching)
    spent = []
    with database.writing() as db:
        users.take(db, user_id, token_id=None, now=_NOW, doing="bench")
        draft, names = _draft(db, user_id)
        apply.on_create(db, user_id, [draft], names)  # compiled once, then cached
        gc.collect()
        for _ in range(_RUNS):
            begun = time.thread_time()
            apply.on_create(db, user_id, [draft], names)
            spent.append(time.thread_time() - begun)
    return median(spent) * 1000


def _user_with_rules(db: Unit, matching: int) -> int:
    user_id = user_lifecycle.add(db, f"rules-{matching}@farthing.example", "no password", "UTC", _NOW).id
    group_id = groups.add(db, user_id, RuleGroupDraft("Bench", None, True, None), _NOW)
    for number in range(RULES):
        name, value = _TRIGGERS[number % len(_TRIGGERS)]
        first = (
            RulePart("description_contains", "groceries") if number < matching else RulePart(name, value.format(number))
        )
        triggers = (first, RulePart("transaction_type", "withdrawal"))
        actions = (RulePart("set_category", f"Category {number}"), RulePart("add_tag", f"tag-{number % 3}"))
        rule = RuleDraft(group_id, f"Rule {number}", None, RuleEvent.STORE, True, False, True, None, triggers, actions)
        rules.add(db, user_id, rule, _NOW)
    return user_id


def _draft(db: Unit, user_id: int) -> tuple[TransactionDraft, Lookup]:
    euro = currencies.by_code(db, "EUR")
    assert euro is not None
    account_id = accounts.add(db, user_id, AccountDraft(Kind.ASSET, "Checking", True, True, euro), _NOW)
    names = lookup.look_up(db, user_id, LookupRequest(account_ids={account_id}))
    split = SplitDraft(
        names.accounts[account_id],
        NewAccount(Kind.EXPENSE, "Corner shop"),
        Money(1250, euro),
        None,
        None,
        False,
        None,
        None,
    )
    text = "Weekly groceries, paid by card 1234 on the fourteenth of May"
    return TransactionDraft(
        Type.WITHDRAWAL, date(2024, 5, 14), text, (split,), notes="some notes", tags=("a", "b")
    ), names


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        database = SqliteDatabase(Path(folder) / "rules.sqlite3")
        migrations.migrate(database)
        found = {matching: measure(database, matching=matching) for matching in (0, 1, 10)}
        database.close()
    for matching, milliseconds in found.items():
        print(f"{RULES} rules, {matching} match: {milliseconds:.3f} ms CPU added to a create")
    return int(found[1] > ADDED_MS_MAX)


if __name__ == "__main__":
    sys.exit(main())
