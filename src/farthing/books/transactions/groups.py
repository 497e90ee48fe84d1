"""Reads pages of groups: entries with all their splits, also those that do not touch the account or label."""

from collections import defaultdict
from collections.abc import Collection
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.storage.change_log.records import find_ids
from farthing.storage.unit import Unit

from . import counts, lines
from .counts import Book, Days, find_days, find_page_start
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
    return counts.total(db, replace(book, unit="entries"), days)


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
    book = replace(book, unit="entries")
    at = find_page_start(db, book, days.end, offset)
    reach: dict[str, Any] = {"start": days.start, "end": at.day, "reach": limit + at.skip}
    if book.is_narrowed:
        reach = {"days": find_days(db, book, days.start, at, limit)}
    sql = _page(list_conditions(book), is_labelled=book.labelled is not None, on_days=book.is_narrowed)
    return find_ids(db, sql, limit=limit, skip=at.skip, **reach, **book.parameters)


@cache
def _page(conditions: tuple[str, ...], *, is_labelled: bool, on_days: bool) -> str:
    if not is_labelled:  # the first split of an entry represents it
        conditions = tuple(f"{condition} AND s.position = 0" for condition in conditions)
    streams = " UNION ".join(
        _stream(condition, f"stream_{number}", on_days=on_days) for number, condition in enumerate(conditions)
    )
    return f"""
    SELECT entry_id FROM ({streams}) AS merged ORDER BY on_day DESC, entry_id DESC LIMIT :limit OFFSET :skip
    """


def _stream(condition: str, name: str, *, on_days: bool) -> str:
    """Builds a scan that yields each entry once, and reads all of the given days, or only as far as the page needs."""
    of, source = ("l", f"{TAGGED} AND s.position = 0") if condition.startswith("l.") else ("s", "splits s")
    scan = f"SELECT {of}.on_day, {of}.entry_id FROM {source} WHERE {of}.user_id = :user_id AND {condition}"
    if on_days:
        return f"{scan} AND {of}.on_day IN :days GROUP BY {of}.on_day, {of}.entry_id"
    return f"""
        SELECT on_day, entry_id FROM (
            {scan} AND {of}.on_day >= :start AND {of}.on_day <= :end
            GROUP BY {of}.on_day, {of}.entry_id ORDER BY {of}.on_day DESC, {of}.entry_id DESC LIMIT :reach
        ) AS {name}
    """


def first_splits(db: Unit, user_id: int, entry_ids: Collection[int]) -> dict[int, int]:
    """Maps entries to the ids of their first splits, with one query."""
    sql = "SELECT entry_id, id FROM splits WHERE user_id = :user_id AND position = 0 AND entry_id IN :ids"
    return dict(db.all(sql, user_id=user_id, ids=sorted(entry_ids))) if entry_ids else {}
