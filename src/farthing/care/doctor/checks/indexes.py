"""Checks the indexes of payments and words that search uses."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from farthing.books.transactions.words import words_in
from farthing.ledger.kinds import Type
from farthing.storage.grains import HALVES, joined
from farthing.storage.unit import Unit

from .balances import AccountTotals
from .finding import Finding, Person

_PAYMENTS = f"""
SELECT entry_id, currency_id, 1, units >> 32, units & 4294967295 FROM payments WHERE user_id = :user_id
UNION ALL
SELECT entry_id, currency_id, 0, {HALVES.format(column="units")}
FROM splits WHERE user_id = :user_id AND type = {int(Type.WITHDRAWAL)} GROUP BY 1, 2
UNION ALL
SELECT entry_id, foreign_currency_id, 0, {HALVES.format(column="foreign_units")}
FROM splits
WHERE user_id = :user_id AND type = {int(Type.WITHDRAWAL)} AND foreign_currency_id <> currency_id GROUP BY 1, 2
ORDER BY 1, 2
"""


def payments(db: Unit, person: Person) -> Iterator[Finding]:
    """Each withdrawal is stored once per currency with its amount."""
    purse = AccountTotals(db)
    rows = db.stream(_PAYMENTS, user_id=person.id)
    for (entry_id, currency_id), group in groupby(rows, key=itemgetter(0, 1)):
        found = list(group)
        kept = [joined(*halves) for _, _, is_kept, *halves in found if is_kept]
        made = [joined(*halves) for _, _, is_kept, *halves in found if not is_kept]
        if kept != [sum(made)] or not made:
            shown = " and ".join(purse.shown(units, currency_id) for units in kept) or "nothing"
            yield person.finding(
                "payment",
                f"entry {entry_id} is indexed as a withdrawal of {shown}, "
                f"but amounts to {purse.shown(sum(made), currency_id)}.",
                kept=sum(kept),
                true=sum(made),
            )


class WordCount(Struct, frozen=True):
    """How often a word occurs, with sums of entry ids and days, which reveal a difference without holding the sets."""

    entries: int = 0
    entry_ids: int = 0
    days: int = 0


_MENTIONS = """
SELECT w.word, w.entries, COUNT(m.entry_id), SUM(m.entry_id), SUM(CAST(replace(m.on_day, '-', '') AS BIGINT))
FROM words w LEFT JOIN mentions m ON m.user_id = w.user_id AND m.word_id = w.id
WHERE w.user_id = :user_id GROUP BY w.id, w.word, w.entries ORDER BY w.word
"""
_TEXTS = """
SELECT e.id, e.on_day, e.description, e.notes, e.internal_reference, s.description
FROM splits s JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
WHERE s.user_id = :user_id ORDER BY s.entry_id
"""


def words(db: Unit, person: Person) -> Iterator[Finding]:
    true = _count_words(db, person)
    for word, counted, entries, entry_ids, days in db.stream(_MENTIONS, user_id=person.id):
        kept = WordCount(entries=int(entries or 0), entry_ids=int(entry_ids or 0), days=int(days or 0))
        there = true.pop(word, WordCount())
        if kept != there or counted != there.entries:
            yield _describe_word(person, word, kept, there, counted)
    for word, there in sorted(true.items()):
        yield _describe_word(person, word, WordCount(), there, 0)


def _count_words(db: Unit, person: Person) -> dict[str, WordCount]:
    """Holds one row per word in memory, not one per occurrence."""
    found: dict[str, Counter[str]] = {}
    for (entry_id, on), group in groupby(db.stream(_TEXTS, user_id=person.id), key=itemgetter(0, 1)):
        day = int(on.replace("-", ""))
        for word in words_in(*(text for row in group for text in row[2:])):
            sums = found.setdefault(word, Counter())
            sums["entries"] += 1
            sums["entry_ids"] += entry_id
            sums["days"] += day
    return {word: WordCount(**sums) for word, sums in found.items()}


def _describe_word(person: Person, word: str, kept: WordCount, true: WordCount, counted: int) -> Finding:
    sentence = (
        f"search finds the word '{word}' in {kept.entries} entries and counts {counted}, but it is in {true.entries}."
        if (kept.entries, counted) != (true.entries, true.entries)
        else f"search finds the word '{word}' in other entries, or on other days, than it is in."
    )
    return person.finding("word", sentence, kept=kept.entries, true=true.entries)
