"""Reads the earlier transactions on which suggestions can be based, from the search index and from accounts.

The number of rows read is limited, so that a million transactions take no longer than a thousand.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from farthing.books.transactions import booked
from farthing.books.transactions.model import PAYEES, PAYERS
from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.storage.drivers import dialects
from farthing.storage.unit import Row, Unit, columns_of

from . import payees
from .model import EarlierSplit, Evidence, Payee, SuggestionSubject

# Only the rarest words of a subject are looked up. For each word and each payee, two sets of entries are read: up to
# `_LABELLED_MAX` entries with a label among the newest `_WINDOW` entries, to find labels, and the newest `_ANY_MAX`
# entries with or without labels, to find payees.
_WORDS_MAX = 4
_LABELLED_MAX = 20
_ANY_MAX = 6
_WINDOW = 300
_SIMILAR_PAYEES_MAX = 6
_PREFIX_CHARACTERS_MIN = 3

_SPLIT = f"""
SELECT s.id, s.entry_id, s.type, s.on_day AS "on", e.description, s.description AS part, s.refund, s.units,
    {columns_of(Currency, "c", "currency")}, p.id AS payee_id, p.name AS payee, p.kind AS payee_kind, s.category_id,
    s.budget_id, e.updated_at, e.created_at
FROM splits s JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id JOIN currencies c ON c.id = s.currency_id
JOIN accounts p ON p.user_id = s.user_id AND p.id = CASE s.type WHEN 2 THEN s.source_id ELSE s.destination_id END
"""
_OF_ENTRIES = f"{_SPLIT} WHERE s.user_id = :user_id AND s.entry_id IN :ids ORDER BY s.entry_id, s.position"
_OF_IDS = f"{_SPLIT} WHERE s.user_id = :user_id AND s.id IN :ids"
_FREQUENCIES = "SELECT id, word, entries FROM words WHERE user_id = :user_id AND word IN :words AND entries > 0"
_IS_LABELLED = "l.user_id = v.user_id AND l.entry_id = m.id AND (l.category_id IS NOT NULL OR l.budget_id IS NOT NULL)"
_MENTIONS = """
SELECT entry_id AS id FROM mentions WHERE user_id = v.user_id AND word_id = v.id
ORDER BY on_day DESC, entry_id DESC LIMIT {most}
"""
_SIDE = """
SELECT entry_id AS id FROM splits WHERE user_id = v.user_id AND {side}_id = v.id
ORDER BY on_day DESC, entry_id DESC, position LIMIT {most}
"""
_NAMED = """
SELECT * FROM (
    SELECT id, name, name_fold FROM accounts WHERE user_id = :user_id AND name_fold >= :from_{number}
        AND name_fold < :below_{number} AND kind IN :kinds AND active = 1 ORDER BY name_fold, id LIMIT :most
) AS named_{number}
"""


def read_splits(db: Unit, user_id: int, split_ids: Sequence[int]) -> dict[int, EarlierSplit]:
    return {split.id: split for split in db.structs(EarlierSplit, _OF_IDS, user_id=user_id, ids=list(split_ids))}


def gather(db: Unit, user_id: int, subjects: Sequence[SuggestionSubject]) -> Evidence:
    """Reads the evidence for suggestions for all subjects, with a handful of queries."""
    words = sorted(frozenset().union(*(subject.words for subject in subjects)))
    asked = db.ask(_FREQUENCIES, user_id=user_id, words=words)
    named = _find_payees(db, user_id, subjects)
    rows = asked.rows()
    frequencies = {word: entries for _, word, entries in rows}
    chosen = frozenset(chain.from_iterable(choose_words(subject, frequencies) for subject in subjects))
    word_of = {word_id: word for word_id, word, _ in rows if word in chosen}
    by_word = db.ask(_follow(db, "words", _MENTIONS), user_id=user_id, ids=sorted(word_of))
    paid = db.ask(_follow(db, "accounts", _SIDE.replace("{side}", "destination")), user_id=user_id, ids=sorted(named))
    earned = db.ask(_follow(db, "accounts", _SIDE.replace("{side}", "source")), user_id=user_id, ids=sorted(named))
    mentioning, paying = _group(by_word.rows()), _group(chain(paid.rows(), earned.rows()))
    entry_ids = sorted(set(chain(*mentioning.values(), *paying.values())))
    splits = db.ask_structs(EarlierSplit, _OF_ENTRIES, user_id=user_id, ids=entry_ids)
    tags = booked.tags_of(db, user_id, entry_ids)
    of_entry: dict[int, list[EarlierSplit]] = defaultdict(list)
    for split in splits.rows():
        of_entry[split.entry_id].append(split)
    return Evidence(
        frequencies=frequencies,
        splits=of_entry,
        tags={entry_id: frozenset(tag_ids) for entry_id, tag_ids in tags.items()},
        by_word={word_of[word_id]: entry_ids for word_id, entry_ids in mentioning.items()},
        by_payee=paying,
        payees=named,
    )


def choose_words(subject: SuggestionSubject, frequencies: Mapping[str, int]) -> list[str]:
    """Chooses the rarest words that occur in earlier transactions. Chooses numbers only if there are no other words."""
    occurring = [word for word in subject.words if word in frequencies]
    lettered = [word for word in occurring if not word.isdigit()]
    return sorted(lettered or occurring, key=lambda word: (frequencies[word], word))[:_WORDS_MAX]


def _find_payees(db: Unit, user_id: int, subjects: Sequence[SuggestionSubject]) -> dict[int, Payee]:
    """Finds the existing payees that at least one of the subjects names."""
    prefixes = sorted({prefix for subject in subjects for prefix in prefixes_of(subject)})
    if not prefixes:
        return {}
    bounds = {f"from_{number}": prefix for number, prefix in enumerate(prefixes)}
    bounds |= {f"below_{number}": f"{prefix}\U0010ffff" for number, prefix in enumerate(prefixes)}
    statement = " UNION ALL ".join(_NAMED.format(number=number) for number in range(len(prefixes)))
    kinds = sorted(PAYEES | PAYERS)
    named = db.structs(Payee, statement, user_id=user_id, kinds=kinds, most=_SIMILAR_PAYEES_MAX, **bounds)
    return {payee.id: payee for payee in named if any(is_named(payee, subject) for subject in subjects)}


def list_named(named: Iterable[Payee], subject: SuggestionSubject) -> list[Payee]:
    """Lists the payees that a subject names. An exact match comes first, then those with the longest names."""
    own = fold(subject.payee or "")
    fitting = [payee for payee in named if is_named(payee, subject)]
    fitting.sort(key=lambda payee: (payee.name_fold != own, -len(payee.name), payee.id))
    return fitting[:_SIMILAR_PAYEES_MAX]


def is_named(payee: Payee, subject: SuggestionSubject) -> bool:
    """Tells whether the subject names this payee: by its exact name, in a bank's spelling, or by all of its words."""
    if subject.payee is not None and payee.name_fold == fold(subject.payee):
        return True
    return payee.clean_name == subject.clean_name or (
        bool(payee.name_fold) and subject.name_words.issuperset(payee.name_fold.split())
    )


def prefixes_of(subject: SuggestionSubject) -> list[str]:
    """Returns the prefixes by which to search for payees: the first word of the payee or text, and the whole payee."""
    texts = [subject.payee, payees.clean(subject.payee)] if subject.payee else [payees.clean(subject.description)]
    firsts = [fold(text).split(" ")[0] for text in texts if text]
    usable = [first for first in firsts if len(first) >= _PREFIX_CHARACTERS_MIN]
    return list(dict.fromkeys([*usable, *([fold(subject.payee)] if subject.payee else [])]))


def _follow(db: Unit, table: str, stream: str) -> str:
    """Writes SQL that selects the newest entries of words or of accounts, as pairs of ids."""
    window = f"({stream.format(most=_WINDOW)}) AS m {dialects.join_in_order(db, 'splits', 'l', _IS_LABELLED)}"
    ids = f"""
        SELECT id FROM (SELECT m.id FROM {window} LIMIT {_LABELLED_MAX}) AS labelled
        UNION SELECT id FROM ({stream.format(most=_ANY_MAX)}) AS newest
    """
    joined = dialects.join_by_ids(db, "entries", "e").format(ids=ids)
    return f"SELECT v.id, e.id FROM {table} v {joined} WHERE v.user_id = :user_id AND v.id IN :ids"


def _group(rows: Iterable[Row]) -> dict[int, list[int]]:
    """Groups the values of the second column by those of the first."""
    groups: dict[int, list[int]] = defaultdict(list)
    for owner_id, entry_id in rows:
        groups[owner_id].append(entry_id)
    return groups
