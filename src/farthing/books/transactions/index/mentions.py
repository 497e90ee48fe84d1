"""Maintains the search index of words, in the same unit of work as the entries."""

from collections.abc import Sequence

import msgspec

from farthing.kernel.text import plain_word
from farthing.storage.drivers import dialects
from farthing.storage.unit import Answer, Row, Unit

from .words import SearchText, words_in

# Counts all words in one statement. One statement per word would take four times as long on SQLite; on PostgreSQL, each
# would return a result that has to be received.
_COUNT = """
INSERT INTO words (user_id, word, entries, plain) {counted}
ON CONFLICT (user_id, word) DO UPDATE SET entries = words.entries + excluded.entries{changed} RETURNING word, id
"""
# In the JSON, each word is mapped to its count or, if the word has accents, to an array of its count and plain form.
_COUNT_ON_SQLITE = _COUNT.format(
    counted="""
    SELECT :user_id, key, CASE type WHEN 'array' THEN value ->> 0 ELSE value END,
        CASE type WHEN 'array' THEN value ->> 1 END FROM json_each(:counted) WHERE TRUE
    """,
    changed="",
)
# Older servers that still run during an upgrade add words without their plain form.
_COUNT_ON_POSTGRES = _COUNT.format(
    counted="SELECT :user_id, one.* FROM unnest(:words::text[], :times::bigint[], :plains::text[]) AS one",
    changed=", plain = excluded.plain",
)
_UNCOUNT_WORD = "UPDATE words SET entries = entries - :times WHERE user_id = :user_id AND id = :word_id"
_ADD = """
INSERT INTO mentions (user_id, word_id, on_day, entry_id) VALUES (:user_id, :word_id, :on_day, :entry_id)
"""
_REMOVE = """
DELETE FROM mentions
WHERE user_id = :user_id AND word_id = :word_id AND on_day = :on_day AND entry_id = :entry_id
"""
# Up to this many mentions, PostgreSQL counts the words and adds the mentions in one statement, which saves waiting for
# the ids of the words. It compares each mention with each word, so for more mentions, waiting is quicker.
_FEW = 500
_MENTIONED = "unnest(:mentioned::text[], :days::text[], :entry_ids::bigint[]) AS one (word, on_day, entry_id)"
_ON_POSTGRES = {
    _ADD: f"""
    WITH counted AS ({_COUNT_ON_POSTGRES})
    INSERT INTO mentions (user_id, word_id, on_day, entry_id)
    SELECT :user_id, counted.id, one.on_day, one.entry_id FROM {_MENTIONED} JOIN counted ON counted.word = one.word
    ORDER BY 2, 3, 4
    """,
    _REMOVE: f"""
    WITH counted AS ({_COUNT_ON_POSTGRES})
    DELETE FROM mentions m USING {_MENTIONED} JOIN counted ON counted.word = one.word
    WHERE m.user_id = :user_id AND m.word_id = counted.id AND m.on_day = one.on_day AND m.entry_id = one.entry_id
    """,
}
_encode = msgspec.json.Encoder().encode


def add(db: Unit, user_id: int, texts: Sequence[SearchText]) -> None:
    _write(db, user_id, texts, _ADD, times=1)


def remove(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Removes entries from the index. Call it before the entries are deleted, because their texts are read."""
    take_out(db, user_id, read_stored(db, user_id, entry_ids))


def take_out(db: Unit, user_id: int, texts: Sequence[SearchText]) -> None:
    _write(db, user_id, texts, _REMOVE, times=-1)


def remove_all(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Removes a large part of the user's entries from the index. Reads every mention once, instead of the texts."""
    of = f"FROM mentions WHERE user_id = :user_id AND entry_id {dialects.in_very_many(db)}"
    counted = db.all(f"SELECT word_id, COUNT(*) {of} GROUP BY word_id", user_id=user_id, ids=entry_ids)
    db.many(_UNCOUNT_WORD, [(int(times), user_id, word_id) for word_id, times in counted])
    db.run(f"DELETE {of}", user_id=user_id, ids=entry_ids)


def _write(db: Unit, user_id: int, texts: Sequence[SearchText], statement: str, *, times: int) -> None:
    counted: dict[str, int] = {}
    for text in texts:
        for word in text.words:
            counted[word] = counted.get(word, 0) + times
    if not counted:
        return
    plains = [None if word.isascii() else plain_word(word) for word in counted]
    mentioned = [(word, text.on, text.entry_id) for text in texts for word in text.words]
    if dialects.is_remote(db) and len(mentioned) <= _FEW:
        words, days, entry_ids = map(list, zip(*mentioned, strict=True))
        db.run(
            _ON_POSTGRES[statement],
            user_id=user_id,
            words=list(counted),
            times=list(counted.values()),
            plains=plains,
            mentioned=words,
            days=days,
            entry_ids=entry_ids,
        )
        return
    if dialects.is_remote(db):
        times_of = {"words": list(counted), "times": list(counted.values()), "plains": plains}
        rows = db.all(_COUNT_ON_POSTGRES, user_id=user_id, **times_of)
    else:
        counts = {word: [n, plain] if plain else n for (word, n), plain in zip(counted.items(), plains, strict=True)}
        rows = db.all(_COUNT_ON_SQLITE, user_id=user_id, counted=_encode(counts).decode())
    ids: dict[str, int] = dict(rows)
    db.many(statement, sorted([(user_id, ids[word], on, entry_id) for word, on, entry_id in mentioned]))


def read_stored(db: Unit, user_id: int, entry_ids: list[int]) -> list[SearchText]:
    return read(ask_stored(db, user_id, entry_ids))


def ask_stored(db: Unit, user_id: int, entry_ids: list[int]) -> Answer[Row]:
    sql = """
        SELECT e.id, e.on_day, e.description, e.notes, e.internal_reference, s.description
        FROM entries e JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id
        WHERE e.user_id = :user_id AND e.id IN :entry_ids
    """
    return db.ask(sql, user_id=user_id, entry_ids=entry_ids)


def read(answer: Answer[Row]) -> list[SearchText]:
    words: dict[tuple[int, str], frozenset[str]] = {}
    for entry_id, on_day, *texts in answer.rows():
        words[entry_id, on_day] = words.get((entry_id, on_day), frozenset()) | words_in(*texts)
    return [SearchText(entry_id=entry_id, on=on_day, words=of) for (entry_id, on_day), of in words.items()]
