"""Reads settings from the environment, from `.env` and from files that hold a secret."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from .errors import Misconfigured

PREFIX = "FARTHING_"


class RawSetting(Struct, frozen=True):
    """A value; `file` is where it was read from, if the variable names a file."""

    text: str
    file: str = ""


def variable_name(name: str) -> str:
    return PREFIX + name.upper()


def read_dotenv(dotenv: Path) -> Mapping[str, str]:
    if not dotenv.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        found = dotenv_values(dotenv, interpolate=False)
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{dotenv} cannot be read: {_explain(error)}") from None
    return {name: text or "" for name, text in found.items()}


def gather(environ: Mapping[str, str], in_files: Iterable[str]) -> dict[str, RawSetting]:
    """Values by the name of the setting; those of `in_files` may be in a file instead, which is read here."""
    texts = {name.removeprefix(PREFIX).lower(): text for name, text in environ.items() if name.startswith(PREFIX)}
    given = {name: RawSetting(text.strip()) for name, text in texts.items() if text.strip()}
    for name in in_files:
        path = given.pop(f"{name}_file", None)
        if path and name in given:
            raise Misconfigured(f"{variable_name(name)} and {variable_name(name)}_FILE are both set; keep one of them")
        if path:
            given[name] = RawSetting(text=_read_secret(Path(path.text), f"{variable_name(name)}_FILE"), file=path.text)
    return given


def _read_secret(path: Path, named_by: str) -> str:
    try:
        text = path.read_text().strip()
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{named_by} is '{path}', which cannot be read: {_explain(error)}") from None
    if not text:
        raise Misconfigured(f"{named_by} is '{path}', which is empty; it must hold the secret")
    return text


def _explain(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"


def show_secret(text: str) -> str:
    """The part that is safe to show of a value that should be a URL but may be anything, such as a password."""
    scheme, mark, _ = text.partition("://")
    if not mark:
        return "***"
    return text if mask_url(text) == text else f"{scheme}://***"


def mask_url(url: str) -> str:
    """Hides too much rather than too little: passwords may contain `@`, `:` and `/`, and a query may hold a key."""
    hidden = re.sub(r"(://[^:@]*):.*@", r"\1:***@", url)
    hidden = re.sub(r"^(https?://[^?]*\?).+", r"\1***", hidden)
    return re.sub(r"(password=)[^&]*", r"\1***", hidden, flags=re.IGNORECASE)
