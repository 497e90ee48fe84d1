"""Makes conditions on texts: a text is, contains, begins or ends with a value, without regard to case and accents.

The index of words finds the candidates, because every whole word of the value is also a word of a matching text.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import Any

from msgspec.structs import replace

from farthing.books.transactions.index.words import WORD
from farthing.kernel.text import WORD_CHARACTERS_MAX, fold, plain_word, strip_accents
from farthing.storage.unit import Unit

from ..conditions import Condition, Way
from ..streams import StreamSource
from ..word_matches import PLAIN
from .context import refuse_blank
from .fields import find_few

# If a part of a word occurs in more words than this, transactions are read instead.
_WORDS_MAX = 200
# So many words besides the rarest are looked up for each transaction, before its text is read.
_CHECKED_MAX = 2


class How(StrEnum):
    IS = "is"
    CONTAINS = "contains"
    STARTS = "starts"
    ENDS = "ends"


def flatten(text: str) -> str:
    """Returns a text as searches compare it: folded, and its words in plain letters."""
    folded = fold(text)
    return folded if folded.isascii() else WORD.sub(lambda match: strip_accents(match[0]), folded)


def make_test(how: How, value: str) -> Callable[[str | None], bool]:
    """Returns a function that tells whether a text fits. A missing text never fits."""
    refuse_blank(value)
    return partial(_TESTS[how], flatten(value))


_TESTS: dict[How, Callable[[str, str | None], bool]] = {
    How.IS: lambda value, text: text is not None and flatten(text) == value,
    How.CONTAINS: lambda value, text: text is not None and value in flatten(text),
    How.STARTS: lambda value, text: text is not None and flatten(text).startswith(value),
    How.ENDS: lambda value, text: text is not None and flatten(text).endswith(value),
}


def make_condition(how: How, value: str, texts: tuple[str, ...]) -> Condition:
    """Makes a condition on one of several texts of a transaction, whose words are in the index."""
    return Condition("1 = 1", texts=texts, fits=_make_fits(how, value), find_way=partial(_find_way, how, value))


def _make_fits(how: How, value: str) -> Callable[[Sequence[str | None]], bool]:
    fits = make_test(how, value)
    return lambda texts: any(map(fits, texts))


HAS_DETAIL = """
EXISTS (
    SELECT 1 FROM entry_details d
    WHERE d.user_id = :user_id AND d.entry_id = splits.entry_id AND d.{column} {condition}
)
"""


HAVING_DETAIL = {
    column: f"SELECT entry_id FROM entry_details WHERE user_id = :user_id AND {column} IS NOT NULL"
    for column in ("external_id", "external_url")
}


def make_detail(how: How, value: str, column: str) -> Condition:
    """Makes a condition on a text that importers store. Ids are compared exactly, because their index is exact."""
    refuse_blank(value)
    if how is not How.IS or column != "external_id":
        sql = HAS_DETAIL.format(column=column, condition="IS NOT NULL")
        return Condition(sql, texts=(column,), fits=_make_fits(how, value), find_way=find_few(HAVING_DETAIL[column]))

    def find_way(db: Unit, user_id: int) -> Way:
        sql = "SELECT entry_id FROM entry_details WHERE user_id = :user_id AND external_id = :value"
        entry_ids = [entry_id for (entry_id,) in db.all(sql, user_id=user_id, value=value)]
        return Way(len(entry_ids), entry_ids=entry_ids, is_whole=True)

    return Condition(HAS_DETAIL.format(column=column, condition="= :value"), {"value": value}, find_way=find_way)


def _find_way(how: How, value: str, db: Unit, user_id: int) -> Way | None:
    """Finds the transactions with the rarest words of the value, or None if a part of a word is in too many words."""
    matches = list(WORD.finditer(fold(value)))
    if not matches:
        return None
    is_open = how in (How.CONTAINS, How.ENDS) and matches[0].start() == 0
    is_unfinished = how in (How.CONTAINS, How.STARTS) and matches[-1].end() == len(fold(value))
    words = [match[0] for match in matches]
    whole = [plain_word(word[:WORD_CHARACTERS_MAX]) for word in words[is_open : len(words) - is_unfinished]]
    found: list[tuple[int, int]] | None
    if whole:
        return replace(_find_rarest(db, user_id, whole), is_whole=how == How.IS)
    if is_unfinished and len(words) > is_open:
        word = plain_word(words[-1][:WORD_CHARACTERS_MAX])
        found = _look_up(db, user_id, f"{PLAIN} >= :word AND {PLAIN} < :beyond", word=word, beyond=f"{word}\U0010ffff")
    else:
        # The index has only the beginning of very long words.
        condition = f"({PLAIN} LIKE :pattern OR length(word) >= {WORD_CHARACTERS_MAX})"
        found = _look_up(db, user_id, condition, pattern=f"%{strip_accents(words[0])}%")
    if found is None:
        return None
    return Way(
        sum(entries for _, entries in found), [_of_word(word_id) for word_id, _ in found], is_whole=how == How.IS
    )


def _of_word(word_id: int, condition: str = "", **parameters: Any) -> StreamSource:
    return StreamSource(table="mentions", column="word_id", value=word_id, condition=condition, parameters=parameters)


_MENTIONS = """
EXISTS (
    SELECT 1 FROM mentions m WHERE m.user_id = :user_id AND m.word_id IN :word_ids_{number}
        AND m.on_day = mentions.on_day AND m.entry_id = mentions.entry_id
)
"""


def _find_rarest(db: Unit, user_id: int, words: list[str]) -> Way:
    """Reads the transactions with the rarest word that also mention the next rarest; none if a word is unknown."""
    rows = db.all(
        f"SELECT {PLAIN}, id, entries FROM words WHERE user_id = :user_id AND entries > 0 AND {PLAIN} IN :words",
        user_id=user_id,
        words=sorted(set(words)),
    )
    spellings: dict[str, list[tuple[int, int]]] = {word: [] for word in words}
    for word, word_id, entries in rows:
        spellings[word].append((word_id, entries))
    rarest, *others = sorted(spellings.values(), key=lambda of: sum(entries for _, entries in of))
    checked = {f"word_ids_{number}": [word_id for word_id, _ in of] for number, of in enumerate(others[:_CHECKED_MAX])}
    condition = " AND ".join(_MENTIONS.format(number=number) for number in range(len(checked)))
    sources = [_of_word(word_id, condition, **checked) for word_id, _ in rarest]
    return Way(sum(entries for _, entries in rarest), sources)


def _look_up(db: Unit, user_id: int, condition: str, **values: str) -> list[tuple[int, int]] | None:
    """Returns the matching words with the numbers of their transactions, or None if there are too many words."""
    rows = db.all(
        f"SELECT id, entries FROM words WHERE user_id = :user_id AND entries > 0 AND {condition} LIMIT :most",
        user_id=user_id,
        most=_WORDS_MAX + 1,
        **values,
    )
    return [(word_id, entries) for word_id, entries in rows] if len(rows) <= _WORDS_MAX else None
