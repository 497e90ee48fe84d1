"""Maintains the search index of words, in the same unit of work as the entries."""

from collections.abc import Sequence

from farthing.storage.unit import Unit

from .words import SearchText, words_in

_COUNT_WORD = """
INSERT INTO words (user_id, word, entries) VALUES (:user_id, :word, :entries)
ON CONFLICT (user_id, word) DO UPDATE SET entries = words.entries + excluded.entries RETURNING id
"""
_ADD = """
INSERT INTO mentions (user_id, word_id, on_day, entry_id) VALUES (:user_id, :word_id, :on_day, :entry_id)
"""
_REMOVE = """
DELETE FROM mentions
WHERE user_id = :user_id AND word_id = :word_id AND on_day = :on_day AND entry_id = :entry_id
"""


def add(db: Unit, user_id: int, texts: Sequence[SearchText]) -> None:
    _write(db, user_id, texts, _ADD, times=1)


def remove(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Call before the entries are deleted, because their words are read from them."""
    _write(db, user_id, read_stored(db, user_id, entry_ids), _REMOVE, times=-1)


def _write(db: Unit, user_id: int, texts: Sequence[SearchText], statement: str, *, times: int) -> None:
    counted: dict[str, int] = {}
    for text in texts:
        for word in text.words:
            counted[word] = counted.get(word, 0) + times
    if not counted:
        return
    names = sorted(counted)
    rows = db.many_returning(_COUNT_WORD, [(user_id, word, counted[word]) for word in names])
    ids = {word: word_id for word, (word_id,) in zip(names, rows, strict=True)}
    db.many(statement, [(user_id, ids[word], text.on, text.entry_id) for text in texts for word in text.words])


def read_stored(db: Unit, user_id: int, entry_ids: list[int]) -> list[SearchText]:
    rows = db.all(
        """
        SELECT e.id, e.on_day, e.description, e.notes, e.internal_reference, s.description
        FROM entries e JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id
        WHERE e.user_id = :user_id AND e.id IN :entry_ids
        """,
        user_id=user_id,
        entry_ids=entry_ids,
    )
    words: dict[tuple[int, str], frozenset[str]] = {}
    for entry_id, on_day, *texts in rows:
        words[entry_id, on_day] = words.get((entry_id, on_day), frozenset()) | words_in(*texts)
    return [SearchText(entry_id=entry_id, on=on_day, words=found) for (entry_id, on_day), found in words.items()]
