"""Finds the bank holidays of countries. Loads the large library `holidays` only when it is needed."""

import warnings
from collections.abc import Callable
from datetime import date
from functools import cache, lru_cache

# Holidays outside these years are unknown, so every weekday counts as a working day.
_FIRST_YEAR, _LAST_YEAR = 1950, 2150


def place_meant(text: str) -> str | None:
    """Normalizes the code of a country or region: `de-by` becomes `DE-BY`. Returns None if the code is unknown."""
    country, mark, part = text.strip().partition("-")
    parts = _countries().get(country.upper())
    if parts is None or (mark and part.strip().upper() not in parts):
        return None
    return f"{country.upper()}-{parts[part.strip().upper()]}" if mark else country.upper()


@cache
def _countries() -> dict[str, dict[str, str]]:
    """Returns the regions of each country, by two-letter country code and upper-case region code."""
    from holidays import list_supported_countries

    listed = list_supported_countries()
    return {code: {part.upper(): part for part in parts} for code, parts in listed.items() if len(code) == 2}


def calendar_of(region: str) -> Callable[[date], bool]:
    """Returns a function that recognizes a region's bank holidays. A region unknown to the library has none."""
    return lambda day: day in _of_year(region, day.year)


@lru_cache(maxsize=2000)
def _of_year(region: str, year: int) -> frozenset[date]:
    country, _, part = region.partition("-")
    if not _FIRST_YEAR <= year <= _LAST_YEAR or place_meant(region) is None:
        return frozenset()
    from holidays import country_holidays

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some countries warn that not every year is certain
        return frozenset(country_holidays(country, subdiv=part or None, years=year))
