"""Finds the words of the index, and the names of accounts, categories and tags, that match a word of a query."""

from math import inf
from operator import attrgetter

from msgspec import Struct

from farthing.books.transactions.index.words import SearchWords, plain_words_in
from farthing.ledger.entry import Summed
from farthing.ledger.kinds import Kind
from farthing.storage.unit import Unit

from .streams import StreamSource, of_account

# If a query word, such as `a`, matches more indexed words than this, the texts of transactions are searched directly.
_WORDS_MAX = 200
# The most indexed words to compare when searching inside words. Words that begin with letters are compared first.
_COMPARED_MAX = 100_000
# For suggestions, the most common words are enough.
_COMMONEST_MAX = 30
# The index `words_by_plain` has this expression.
PLAIN = "COALESCE(plain, word)"


class WordMatches(Struct, frozen=True):
    """The words and names that match one word of the query. `entries` estimates the number of their transactions.

    If `sought` is set, more words match than can be looked up, so the texts of transactions must be read.
    """

    word_ids: list[int]
    account_ids: list[int]
    category_ids: list[int]
    tag_ids: list[int]
    entries: float
    sought: SearchWords | None = None

    @property
    def names(self) -> int:
        return len(self.account_ids) + len(self.category_ids) + len(self.tag_ids)

    @property
    def sources(self) -> list[StreamSource]:
        return [
            *(StreamSource(table="mentions", column="word_id", value=word_id) for word_id in self.word_ids),
            *(source for account_id in self.account_ids for source in of_account(account_id)),
            *(
                StreamSource(table="splits", column="category_id", value=category_id)
                for category_id in self.category_ids
            ),
            *(StreamSource(table="entry_tags", column="tag_id", value=tag_id) for tag_id in self.tag_ids),
        ]


def find_commonest(db: Unit, user_id: int, sought: SearchWords) -> list[tuple[int, int]]:
    condition, parameters = _word_condition(sought)
    rows = db.all(
        f"""
        SELECT id, entries FROM words WHERE user_id = :user_id AND {condition} AND entries > 0
        ORDER BY entries DESC, id LIMIT :most
        """,
        user_id=user_id,
        most=_COMMONEST_MAX,
        **parameters,
    )
    return [(word_id, entries) for word_id, entries in rows]


def find_all(db: Unit, user_id: int, query: list[SearchWords]) -> list[WordMatches]:
    return sorted((_find_matches(db, user_id, word) for word in query), key=attrgetter("entries"))


def _find_matches(db: Unit, user_id: int, sought: SearchWords) -> WordMatches:
    words = _find_words(db, user_id, sought)
    is_broad = len(words) > _WORDS_MAX
    accounts, categories, tags = (
        _find_named(db, user_id, table, sought) for table in ("accounts", "categories", "tags")
    )
    return WordMatches(
        word_ids=[] if is_broad else [word_id for word_id, _ in words],
        account_ids=accounts,
        category_ids=categories,
        tag_ids=tags,
        entries=inf
        if is_broad
        else sum(entries for _, entries in words) + count_splits(db, user_id, "accounts", accounts),
        sought=sought if is_broad else None,
    )


def _find_words(db: Unit, user_id: int, sought: SearchWords) -> list[tuple[int, int]]:
    """Returns the matching words with the number of their entries, but at most one more than `_WORDS_MAX`."""
    condition, parameters = _word_condition(sought)
    rows = db.all(
        f"SELECT id, entries FROM words WHERE user_id = :user_id AND {condition} LIMIT :most",
        user_id=user_id,
        most=_WORDS_MAX + 1,
        **parameters,
    )
    return [(word_id, entries) for word_id, entries in rows]


_COMPARED = f"""
id IN (
    SELECT id FROM (
        SELECT id, {PLAIN} AS spelled FROM words WHERE user_id = :user_id ORDER BY {PLAIN} DESC LIMIT {_COMPARED_MAX}
    ) AS compared WHERE {{fitting}}
)
"""


def _word_condition(sought: SearchWords) -> tuple[str, dict[str, str]]:
    parameters: dict[str, str] = {}
    for number, spelling in enumerate(sought.spellings):
        parameters[f"word_{number}"] = f"%{spelling}%" if sought.within else spelling
        if sought.beginning:
            parameters[f"beyond_{number}"] = f"{spelling}\U0010ffff"
    numbers = range(len(sought.spellings))
    if sought.within:
        return _COMPARED.format(fitting=" OR ".join(f"spelled LIKE :word_{n}" for n in numbers)), parameters
    fits = f"{PLAIN} >= :word_{{n}} AND {PLAIN} < :beyond_{{n}}" if sought.beginning else f"{PLAIN} = :word_{{n}}"
    return f"({' OR '.join(fits.format(n=n) for n in numbers)})", parameters


def _find_named(db: Unit, user_id: int, table: str, sought: SearchWords) -> list[int]:
    """Finds the objects whose names match. Also reads all names with non-ASCII letters: SQL cannot ignore accents."""
    hidden = f" AND kind <> '{Kind.EXCHANGE.value}'" if table == "accounts" else ""
    patterns = {f"word_{number}": f"%{spelling}%" for number, spelling in enumerate(sought.spellings)}
    fitting = " OR ".join(f"name_fold LIKE :{name}" for name in patterns)
    rows = db.all(
        f"""
        SELECT id, name_fold FROM {table}
        WHERE user_id = :user_id{hidden} AND ({fitting} OR octet_length(name_fold) > length(name_fold))
        """,
        user_id=user_id,
        **patterns,
    )
    return [label_id for label_id, name in rows if sought.fits(plain_words_in(name))]


def count_splits(db: Unit, user_id: int, label: Summed, label_ids: list[int]) -> int:
    """Counts the splits of accounts or labels, from the stored counts."""
    if not label_ids:
        return 0
    entries = db.value(
        f"""
        SELECT SUM(splits) FROM sums_of_{label}
        WHERE user_id = :user_id AND label_id IN :label_ids AND grain = 'all'
        """,
        user_id=user_id,
        label_ids=label_ids,
    )
    return int(entries or 0)
