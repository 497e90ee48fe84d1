"""What was set, and where? Variables of the environment, the lines of a `.env` file, files that hold a secret."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import Misconfigured

PREFIX = "FARTHING_"


@dataclass(frozen=True)
class Given:
    """A value; `file` is where it lay, if the variable named one."""

    text: str
    file: str = ""


def variable(name: str) -> str:
    return PREFIX + name.upper()


def lines_of(dotenv: Path) -> Mapping[str, str]:
    if not dotenv.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        found = dotenv_values(dotenv, interpolate=False)
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{dotenv} cannot be read: {_reason(error)}") from None
    return {name: text or "" for name, text in found.items()}


def gathered(environ: Mapping[str, str], secret: Iterable[str]) -> dict[str, Given]:
    """By name of the setting; what is secret may lie in a file instead, which is then read here."""
    texts = {name.removeprefix(PREFIX).lower(): text for name, text in environ.items() if name.startswith(PREFIX)}
    given = {name: Given(text.strip()) for name, text in texts.items() if text.strip()}
    for name in secret:
        path = given.pop(f"{name}_file", None)
        if path and name in given:
            raise Misconfigured(f"{variable(name)} and {variable(name)}_FILE are both set; keep one of them")
        if path:
            given[name] = Given(_secret_in(Path(path.text), f"{variable(name)}_FILE"), path.text)
    return given


def _secret_in(path: Path, named_by: str) -> str:
    try:
        text = path.read_text().strip()
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{named_by} is '{path}', which cannot be read: {_reason(error)}") from None
    if not text:
        raise Misconfigured(f"{named_by} is '{path}', which is empty; it must hold the secret")
    return text


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"
