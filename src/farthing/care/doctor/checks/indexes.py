"""Checks the indexes of payments and of words, which are used for searching."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from math import inf
from operator import itemgetter

from msgspec import Struct

from farthing.books.transactions.index.words import words_in
from farthing.kernel.text import plain_word
from farthing.ledger.kinds import Type
from farthing.storage.grains import HALVES, join_halves
from farthing.storage.unit import Row, Unit

from .basics.finding import DoctorFinding, Person
from .basics.run import try_quickly
from .sums import AmountFormatter

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


# Counts the rows that should exist, the rows that should exist and do, and all existing rows.
_COUNTED = f"""
SELECT COUNT(*), COUNT(p.entry_id), (SELECT COUNT(*) FROM payments WHERE user_id = :user_id) FROM (
    SELECT entry_id, currency_id, SUM(units) AS units FROM (
        SELECT entry_id, currency_id, units FROM splits WHERE user_id = :user_id AND type = {int(Type.WITHDRAWAL)}
        UNION ALL
        SELECT entry_id, foreign_currency_id, foreign_units FROM splits
        WHERE user_id = :user_id AND type = {int(Type.WITHDRAWAL)} AND foreign_currency_id <> currency_id
    ) AS paid GROUP BY entry_id, currency_id
) AS made
LEFT JOIN payments p ON p.user_id = :user_id AND p.currency_id = made.currency_id AND p.units = made.units
    AND p.entry_id = made.entry_id
"""


def payments(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Checks that each withdrawal is indexed once per currency, with its amount."""
    if not try_quickly(db, lambda: len(set(db.one(_COUNTED, user_id=person.id) or ())) == 1, unknown=False):
        yield from _find_payments(db, person)


def _find_payments(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    formatter = AmountFormatter(db)
    rows = db.stream(_PAYMENTS, user_id=person.id)
    for (entry_id, currency_id), group in groupby(rows, key=itemgetter(0, 1)):
        listed = list(group)
        stored = [join_halves(*halves) for _, _, is_stored, *halves in listed if is_stored]
        made = [join_halves(*halves) for _, _, is_stored, *halves in listed if not is_stored]
        if stored != [sum(made)] or not made:
            amounts = " and ".join(formatter.show(units, currency_id) for units in stored) or "nothing"
            yield person.finding(
                "payment",
                f"entry {entry_id} is indexed as a withdrawal of {amounts}, "
                f"but amounts to {formatter.show(sum(made), currency_id)}.",
                stored=sum(stored),
                true=sum(made),
            )


# Stands for the end of the stream of splits.
_NONE: tuple[float, Iterator[Row]] = (inf, iter(()))


class WordCount(Struct, frozen=True):
    """Counts the entries that contain a word, and sums their ids and days.

    The sums reveal differences between two sets of entries without keeping the sets in memory.
    """

    entries: int = 0
    entry_ids: int = 0
    days: int = 0


_MENTIONS = """
SELECT w.word, w.plain, w.entries, m.entries, m.entry_ids, m.days
FROM words w LEFT JOIN (
    SELECT word_id, COUNT(*) AS entries, SUM(entry_id) AS entry_ids,
        SUM(CAST(replace(on_day, '-', '') AS BIGINT)) AS days
    FROM mentions WHERE user_id = :user_id GROUP BY word_id
) AS m ON m.word_id = w.id
WHERE w.user_id = :user_id ORDER BY w.word
"""
_TEXTS = """
SELECT id, on_day, description, notes, internal_reference FROM entries WHERE user_id = :user_id ORDER BY id
"""
_TEXTS_OF_SPLITS = """
SELECT entry_id, description FROM splits WHERE user_id = :user_id AND description IS NOT NULL ORDER BY entry_id
"""


def words(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    true = _count_words(db, person)
    for word, plain, counted, entries, entry_ids, days in db.stream(_MENTIONS, user_id=person.id):
        stored = WordCount(entries=int(entries or 0), entry_ids=int(entry_ids or 0), days=int(days or 0))
        actual = true.pop(word, WordCount())
        if stored != actual or counted != actual.entries:
            yield _describe_word(person, word, stored, actual, counted)
        elif (plain or word) != plain_word(word):
            yield person.finding("word", f"search finds '{word}' as '{plain or word}', not as '{plain_word(word)}'.")
    for word, actual in sorted(true.items()):
        yield _describe_word(person, word, WordCount(), actual, 0)


# Many entries have the same texts. So texts are collected until there are this many different ones, and then split into
# words.
_TEXTS_MAX = 4096
# One number packs three sums, each with more bits than it needs.
_SUM_BITS = 96
_SUM_MAX = (1 << _SUM_BITS) - 1


def _count_words(db: Unit, person: Person) -> dict[str, WordCount]:
    """Counts the entries of each word. Keeps one number per word in memory, not one per occurrence."""
    by_word: defaultdict[str, int] = defaultdict(int)
    by_texts: defaultdict[Row, int] = defaultdict(int)
    of_day: dict[str, int] = {}
    for row in _read_texts(db, person):
        entry_id, on = row[:2]
        sums = of_day.get(on) or of_day.setdefault(on, (1 << 2 * _SUM_BITS) + int(on.replace("-", "")))
        by_texts[row[2:]] += sums + (entry_id << _SUM_BITS)
        if len(by_texts) == _TEXTS_MAX:
            _add_words(by_texts, by_word)
    _add_words(by_texts, by_word)
    return {word: _unpack(packed) for word, packed in by_word.items()}


def _add_words(by_texts: dict[Row, int], by_word: defaultdict[str, int]) -> None:
    for texts, sums in by_texts.items():
        for word in words_in(*texts):
            by_word[word] += sums
    by_texts.clear()


def _unpack(sums: int) -> WordCount:
    return WordCount(entries=sums >> 2 * _SUM_BITS, entry_ids=sums >> _SUM_BITS & _SUM_MAX, days=sums & _SUM_MAX)


def _read_texts(db: Unit, person: Person) -> Iterator[Row]:
    """Yields each entry with all its texts. Merges two sorted streams, as few splits have a text of their own."""
    of_splits = groupby(db.stream(_TEXTS_OF_SPLITS, user_id=person.id), key=itemgetter(0))
    entry_id, group = next(of_splits, _NONE)
    for row in db.stream(_TEXTS, user_id=person.id):
        while entry_id < row[0]:  # its entry does not exist
            entry_id, group = next(of_splits, _NONE)
        if entry_id == row[0]:
            row += tuple(text for _, text in group)
            entry_id, group = next(of_splits, _NONE)
        yield row


def _describe_word(person: Person, word: str, stored: WordCount, true: WordCount, counted: int) -> DoctorFinding:
    sentence = (
        f"search finds '{word}' in {stored.entries} entries and counts {counted}, but {true.entries} contain the word."
        if (stored.entries, counted) != (true.entries, true.entries)
        else f"search finds '{word}' in the wrong entries, or on the wrong days."
    )
    return person.finding("word", sentence, stored=stored.entries, true=true.entries)
