"""Fills `words.plain` for words that were stored before migration 0025."""

from farthing.kernel.text import plain_word

from ..unit import Unit

_BATCH = 5000
_ACCENTED = """
SELECT id, word FROM words
WHERE user_id = :user_id AND id > :after AND plain IS NULL AND octet_length(word) > length(word)
ORDER BY id LIMIT :most
"""
_FILL = "UPDATE words SET plain = :plain WHERE user_id = :user_id AND id = :id"


def fill(db: Unit) -> None:
    """Reads only words that are not ASCII: a few thousand for each user, even with very many transactions."""
    for (user_id,) in db.all("SELECT id FROM users ORDER BY id"):
        after = 0
        while rows := db.all(_ACCENTED, user_id=user_id, after=after, most=_BATCH):
            db.many(_FILL, [(plain_word(word), user_id, word_id) for word_id, word in rows])
            after = rows[-1][0]
