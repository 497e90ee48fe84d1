"""Suggests earlier descriptions that contain the typed words, newest first, without duplicates."""

import re
from itertools import islice

from farthing.books.transactions import lines
from farthing.books.transactions.index.words import parse_query, plain_words_in
from farthing.books.transactions.model import Line
from farthing.kernel.text import fold
from farthing.ledger.kinds import Type
from farthing.storage.change_log.records import values_by_id
from farthing.storage.unit import Unit

from ..search import find as search
from ..search.narrowing import SearchFilter

# To find different descriptions, at most this many transactions are read, in batches.
_LOOKED_AT_MAX = 1000
_AT_ONCE = 100
# Characters that have a special meaning in searches, but not in descriptions.
_MARKS = re.compile(r'[*"]')


def newest(db: Unit, user_id: int, typed: str, types: frozenset[Type], *, limit: int) -> list[Line]:
    """Returns, for each different description, the first split of the latest transaction that has it."""
    query = parse_query(_MARKS.sub(" ", typed))
    if typed and not query:
        return []
    places = islice(search.find_described(db, user_id, query, SearchFilter(types)), _LOOKED_AT_MAX)
    chosen: dict[str, int] = {}
    while len(chosen) < limit and (ids := [entry_id for _, entry_id in islice(places, _AT_ONCE)]):
        texts = values_by_id(db, user_id, "entries", "description", ids)
        for entry_id in ids:
            words = plain_words_in(texts[entry_id])
            if all(term.fits(words) for term in query):
                chosen.setdefault(fold(texts[entry_id]), entry_id)
    entry_ids = list(chosen.values())[:limit]
    first = {line.entry_id: line for line in lines.of_entries(db, user_id, entry_ids) if line.position == 0}
    return [first[entry_id] for entry_id in entry_ids]
