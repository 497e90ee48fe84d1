"""Reads pages of groups: entries with all their splits, also those that do not touch the account or label."""

from collections import defaultdict
from collections.abc import Collection
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from farthing.storage.change_log.records import find_ids
from farthing.storage.unit import Unit

from . import counts, lines
from .counts import Book, Days, find_page_start
from .lines import TAGGED, Owner, list_conditions
from .model import Line

Group = list[Line]


class OwnerBook(Struct, frozen=True):
    """Selects the entries of a bill or recurrence."""

    user_id: int
    owner: Owner
    id: int


def page(db: Unit, book: Book | OwnerBook, days: Days, *, limit: int, offset: int = 0) -> list[Group]:
    """Returns a page of groups, newest first."""
    if isinstance(book, OwnerBook):
        return of_entries(db, book.user_id, _find_of_owner(db, book, days, limit, offset))
    return of_entries(db, book.user_id, _find(db, book, days, limit, offset))


def total(db: Unit, book: Book | OwnerBook, days: Days) -> int:
    """Counts the groups on all pages."""
    if isinstance(book, OwnerBook):
        sql = f"SELECT COUNT(*) FROM entries WHERE {_of_owner(book.owner)}"
        return int(db.value(sql, user_id=book.user_id, owner_id=book.id, start=days.start, end=days.end))
    if book.labelled is None:
        return counts.total(db, replace(book, unit="entries"), days)
    touching = " UNION ".join(
        f"SELECT DISTINCT {of}.entry_id FROM {source} WHERE {where}"
        for of, source, where in map(_read, list_conditions(book))
    )
    counted = f"SELECT COUNT(*) FROM ({touching}) AS touching"
    return int(db.value(counted, start=days.start, end=days.end, **book.parameters))


def of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> list[Group]:
    """Returns the groups with the given ids, in the order of the ids. Skips ids that do not exist."""
    groups: dict[int, Group] = defaultdict(list)
    for line in lines.of_entries(db, user_id, entry_ids) if entry_ids else ():
        groups[line.entry_id].append(line)
    return [groups[entry_id] for entry_id in entry_ids if entry_id in groups]


def _of_owner(owner: Owner) -> str:
    return f"user_id = :user_id AND {owner} = :owner_id AND on_day >= :start AND on_day <= :end"


def _find_of_owner(db: Unit, book: OwnerBook, days: Days, limit: int, offset: int) -> list[int]:
    sql = f"""
        SELECT id FROM entries WHERE {_of_owner(book.owner)} ORDER BY on_day DESC, id DESC LIMIT :limit OFFSET :skip
    """
    values = {"start": days.start, "end": days.end, "limit": limit, "skip": offset}
    return find_ids(db, sql, user_id=book.user_id, owner_id=book.id, **values)


def _find(db: Unit, book: Book, days: Days, limit: int, offset: int) -> list[int]:
    """Finds the entries of a page by merging ordered index scans, as the lists of splits do."""
    at = counts.PageStart(days.end, offset)
    if book.labelled is None:
        at = find_page_start(db, replace(book, unit="entries"), days.end, offset)
    reach = {"start": days.start, "end": at.day, "reach": limit + at.skip, "limit": limit, "skip": at.skip}
    return find_ids(db, _page(list_conditions(book), is_labelled=book.labelled is not None), **reach, **book.parameters)


@cache
def _page(conditions: tuple[str, ...], *, is_labelled: bool) -> str:
    if not is_labelled:  # the first split of an entry represents it
        conditions = tuple(f"{condition} AND s.position = 0" for condition in conditions)
    streams = " UNION ".join(_stream(condition, f"stream_{number}") for number, condition in enumerate(conditions))
    return f"""
    SELECT entry_id FROM ({streams}) AS merged ORDER BY on_day DESC, entry_id DESC LIMIT :limit OFFSET :skip
    """


def _stream(condition: str, name: str) -> str:
    """Builds a scan that reads only as far as the page needs, and yields each entry once."""
    of, source, where = _read(condition)
    return f"""
        SELECT on_day, entry_id FROM (
            SELECT {of}.on_day, {of}.entry_id FROM {source} WHERE {where}
            GROUP BY {of}.on_day, {of}.entry_id ORDER BY {of}.on_day DESC, {of}.entry_id DESC LIMIT :reach
        ) AS {name}
    """


def _read(condition: str) -> tuple[str, str, str]:
    """Returns the name that provides the day and the entry, the tables, and the conditions."""
    of, source = ("l", f"{TAGGED} AND s.position = 0") if condition.startswith("l.") else ("s", "splits s")
    return of, source, f"{of}.user_id = :user_id AND {condition} AND {of}.on_day >= :start AND {of}.on_day <= :end"


def first_splits(db: Unit, user_id: int, entry_ids: Collection[int]) -> dict[int, int]:
    """Maps entries to the ids of their first splits, with one query."""
    sql = "SELECT entry_id, id FROM splits WHERE user_id = :user_id AND position = 0 AND entry_id IN :ids"
    return dict(db.all(sql, user_id=user_id, ids=sorted(entry_ids))) if entry_ids else {}
