"""Knows the language in which a request is answered: that of the caller, or one that their browser accepts."""

from collections.abc import MutableMapping
from typing import Any

from farthing.kernel.languages import ENGLISH, choose_language

State = MutableMapping[str, Any]
_LANGUAGE = "language"


def note_language(state: State, language: str) -> None:
    """Notes the language of a caller who was identified. `state` is that of the ASGI scope."""
    state[_LANGUAGE] = language


def is_language_known(state: State) -> bool:
    return _LANGUAGE in state


def language_of(state: State) -> str:
    """Returns the language of the caller, or of an unknown person. Programs with a token read English until then."""
    noted: str | None = state.get(_LANGUAGE)
    if noted is not None:
        return noted
    headers = state.get("headers", {})
    if b"authorization" in headers:
        return ENGLISH
    return choose_language(headers.get(b"accept-language", b"").decode("latin-1"))
