"""Looks up how a person's region writes numbers and dates."""

from functools import lru_cache

from msgspec import Struct

from farthing.kernel.text import strip_accents


class Region(Struct, frozen=True):
    """Holds the marks and names of a region.

    `months` maps names of months, in English and in the language of the region, to their numbers.

    `order` is the order of day and month, such as `dm`. Weeks begin on `first_weekday`, of which Monday is 0.
    """

    decimal_mark: str
    order: str
    first_weekday: int
    months: dict[str, int]
    short_months: dict[str, int]


@lru_cache(maxsize=64)
def find_region(language: str) -> Region:
    from babel import Locale  # imported late, because few requests need it

    locale, english = Locale.parse(language), Locale("en")
    pattern = locale.date_formats["short"].pattern
    return Region(
        decimal_mark=locale.number_symbols["latn"]["decimal"],
        order="md" if pattern.index("M") < pattern.index("d") else "dm",
        first_weekday=locale.first_week_day,
        months={**_names(english, "wide"), **_names(locale, "wide")},
        short_months={**_names(english, "abbreviated"), **_names(locale, "abbreviated")},
    )


def _names(locale: object, width: str) -> dict[str, int]:
    names = {}
    for use in ("format", "stand-alone"):
        for number, name in locale.months[use][width].items():  # type: ignore[attr-defined]
            names[strip_accents(name).rstrip(".")] = number
    return names
