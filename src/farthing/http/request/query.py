"""Reads the query of a URL."""

from urllib.parse import parse_qsl

_PARAMETERS_MAX = 100


def read_query(query: str) -> dict[str, str]:
    """Keeps the last value of each name, but joins the values of a name that ends in `[]` with commas."""
    values: dict[str, str] = {}
    for name, value in _split_query(query):
        joins = name.endswith("[]") and name in values
        values[name] = f"{values[name]},{value.strip()}" if joins else value.strip()
    return values


def _split_query(query: str) -> list[tuple[str, str]]:
    """Ignores what follows a sensible number of parameters: reading a million of them would block the event loop."""
    pieces = query.split("&", _PARAMETERS_MAX)[:_PARAMETERS_MAX]
    return parse_qsl("&".join(pieces), keep_blank_values=True, errors="replace")
