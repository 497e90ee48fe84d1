"""Tells on which days the banks of a country are closed; the large library behind it is loaded on first use."""

import warnings
from collections.abc import Callable
from datetime import date
from functools import cache, lru_cache

# Nobody knows the holidays of other years; there every day is a working day, weekends aside.
_FIRST_YEAR, _LAST_YEAR = 1950, 2150


def place_meant(text: str) -> str | None:
    """A country whose holidays are known, or a part of one, in the one spelling we keep: `de-by` is `DE-BY`."""
    country, mark, part = text.strip().partition("-")
    parts = _countries().get(country.upper())
    if parts is None or (mark and part.strip().upper() not in parts):
        return None
    return f"{country.upper()}-{parts[part.strip().upper()]}" if mark else country.upper()


@cache
def _countries() -> dict[str, dict[str, str]]:
    """By the two letters of a country: its parts, by their names in capitals."""
    from holidays import list_supported_countries

    listed = list_supported_countries()
    return {code: {part.upper(): part for part in parts} for code, parts in listed.items() if len(code) == 2}


def calendar_of(place: str) -> Callable[[date], bool]:
    """Is a day a bank holiday there? The place was checked when it was chosen; one that is gone since has none."""
    return lambda day: day in _of_year(place, day.year)


@lru_cache(maxsize=2000)
def _of_year(place: str, year: int) -> frozenset[date]:
    country, _, part = place.partition("-")
    if not _FIRST_YEAR <= year <= _LAST_YEAR or place_meant(place) is None:
        return frozenset()
    from holidays import country_holidays

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some countries say that they are not sure about every year
        return frozenset(country_holidays(country, subdiv=part or None, years=year))
