"""How does a nested value travel as a form? The other direction of `farthing.http.body.brackets`: `a[0][b]=`."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote_plus


def pairs(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, inner in value.items():
        yield from _of(name, inner)


def _of(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for step, inner in value.items():
            yield from _of(f"{name}[{step}]", inner)
    elif isinstance(value, list | tuple):
        for step, inner in enumerate(value):
            yield from _of(f"{name}[{step}]", inner)
    else:
        yield name, spelled(value)


def spelled(value: Any) -> str:
    """As clients write it: null is empty, booleans are words."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def encoded(value: Mapping[str, Any]) -> bytes:
    return "&".join(f"{_quoted(name)}={_quoted(text)}" for name, text in pairs(value)).encode()


def _quoted(text: str) -> str:
    return quote_plus(text, errors="surrogatepass")
