"""Reads the query of an address."""

from urllib.parse import parse_qsl

_PARAMETERS_MAX = 100


def read_query(query: str) -> dict[str, str]:
    """The last value of a name counts; those of a name that ends in `[]` are joined with commas."""
    found: dict[str, str] = {}
    for name, value in _split_query(query):
        joins = name.endswith("[]") and name in found
        found[name] = f"{found[name]},{value.strip()}" if joins else value.strip()
    return found


def _split_query(query: str) -> list[tuple[str, str]]:
    """Beyond any sensible number of parameters the rest is left unread: reading a million of them would block us."""
    pieces = query.split("&", _PARAMETERS_MAX)[:_PARAMETERS_MAX]
    return parse_qsl("&".join(pieces), keep_blank_values=True, errors="replace")
