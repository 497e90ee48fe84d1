"""Texts stand in the same order on both databases: that of their folds."""

import random

from farthing.books.accounts import store as accounts
from farthing.kernel.text import fold
from farthing.ledger.kinds import Kind, kinds_named

NAMES = [
    "zebra", "Zebra", "ZEBRA 2", "äpfel", "Äpfel", "A\u0308pfel 2", "apfel", "Apfel", "Ångström", "östlich", "Öl",
    "éclair", "e\u0301clair 2", "straße", "STRASSE 2", "İstanbul", "ıstanbul", "ﬁx", "fix", "1 first", "10", "2",
    "_under", "-dash", "'quote", '"double', "🦆 duck", "🐖 pig", "𝔊othic", "日本", "Ω", "ω", "ς", "Σ", "  spaced", "~",
    "\u00a0nbsp", "ẞ", "ǅ", "ǆ", "Жук", "жук", "a b", "a-b", "ab", "aB",
]  # fmt: skip


def test_accounts_are_listed_in_the_order_of_their_folds(books):
    shuffled = random.Random(7).sample(NAMES, len(NAMES))
    ids = [(fold(name), books.account(name, Kind.ASSET), name) for name in shuffled]

    with books.database.reading() as db:
        total, found = accounts.page(db, books.user_id, kinds_named("asset"), limit=1000, offset=0)

    assert total == len(NAMES)
    assert [account.name for account in found] == [name for _, _, name in sorted(ids)]


def test_the_order_is_that_of_code_points_which_is_that_of_bytes():
    folds = [fold(name) for name in NAMES]

    assert sorted(folds) == sorted(folds, key=lambda text: text.encode())
    assert fold("A\u0308pfel") == fold("äpfel")
    assert fold("STRASSE") == fold("straße")
