"""Fills `words.plain` for words that were stored before migration 0025."""

from farthing.kernel.text import plain_word

from ..unit import Unit

_BATCH = 5000
_ACCENTED = """
SELECT id, word FROM words WHERE id > :after AND plain IS NULL AND octet_length(word) > length(word)
ORDER BY id LIMIT :most
"""


def fill(db: Unit) -> None:
    """Reads only words that are not ASCII: a few thousand for each user, even with very many transactions."""
    after = 0
    while rows := db.all(_ACCENTED, after=after, most=_BATCH):
        sql = "UPDATE words SET plain = :plain WHERE id = :id"
        db.many(sql, [(plain_word(word), word_id) for word_id, word in rows])
        after = rows[-1][0]
