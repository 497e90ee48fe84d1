"""Reads settings from the environment, from `.env` and from files that contain a secret. Also writes them as text."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from pydantic.fields import FieldInfo

from .errors import Misconfigured
from .settings import providers
from .settings.parsing import describe_valid, is_secret
from .settings.providers import Provider

PREFIX = "FARTHING_"


class RawSetting(Struct, frozen=True):
    """Holds the value of a setting as text. `file` is the file from which it was read, if the variable names a file."""

    text: str
    file: str = ""


def variable_name(name: str) -> str:
    return PREFIX + name.upper()


def read_dotenv(dotenv: Path) -> Mapping[str, str]:
    """Reads the file. Refuses broken lines, because nobody would notice in time that a setting was ignored."""
    if not dotenv.exists():
        return {}
    from dotenv.parser import parse_stream

    try:
        with dotenv.open(encoding="utf-8") as file:
            bindings = list(parse_stream(file))
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{dotenv} cannot be read: {_explain(error)}") from None
    for binding in bindings:
        written = binding.original.string
        number = binding.original.line + written[: len(written) - len(written.lstrip())].count("\n")
        if binding.error:
            raise Misconfigured(
                f"{dotenv}, line {number}, is not of the form NAME=value, or has a quote that is not closed"
            )
        if binding.value is None and binding.key and binding.key.startswith(PREFIX):
            raise Misconfigured(
                f"{dotenv}, line {number}, names {binding.key} without a value: write {binding.key}=value"
            )
    return {binding.key: binding.value or "" for binding in bindings if binding.key}


def gather(environ: Mapping[str, str], in_files: Iterable[str]) -> dict[str, RawSetting]:
    """Maps settings to their values. Settings in `in_files` may have their values in files, which are read here."""
    texts = {name.removeprefix(PREFIX).lower(): text for name, text in environ.items() if name.startswith(PREFIX)}
    raw = {name: RawSetting(text.strip()) for name, text in texts.items() if text.strip()}
    for name in in_files:
        path = raw.pop(f"{name}_file", None)
        if path and name in raw:
            raise Misconfigured(f"{variable_name(name)} and {variable_name(name)}_FILE are both set; keep one of them")
        if path:
            raw[name] = RawSetting(text=_read_secret(Path(path.text), f"{variable_name(name)}_FILE"), file=path.text)
    return raw


def gather_all(
    dotenv: Path, environ: Mapping[str, str], in_files: Iterable[str]
) -> tuple[dict[str, RawSetting], tuple[str, ...]]:
    """Gathers the settings of `dotenv` and of the environment, which takes precedence.

    Also returns the keys of the configured OpenID Connect providers.
    """
    environs = (read_dotenv(dotenv), environ)
    named = [text for variables in environs if (text := variables.get(variable_name(providers.OIDC), "").strip())]
    keys = providers.read_keys(named[-1] if named else "")
    names = [*in_files, *providers.list_names(keys, in_files=True)]
    return {name: setting for variables in environs for name, setting in gather(variables, names).items()}, keys


def read_providers(keys: Iterable[str], raw: Mapping[str, RawSetting]) -> tuple[Provider, ...]:
    configured, wrong = providers.read_providers(keys, {name: setting.text for name, setting in raw.items()})
    if wrong:
        raise Misconfigured("; ".join(_complain_of_provider(problem, raw) for problem in wrong))
    return configured


def _complain_of_provider(wrong: providers.WrongSetting, raw: Mapping[str, RawSetting]) -> str:
    if wrong.name in raw:
        return complain(wrong.name, raw[wrong.name], wrong.field)
    return f"{variable_name(providers.OIDC)} names '{wrong.key}', which also needs {variable_name(wrong.name)}"


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
    """Returns the part of a value that may be shown. The value should be a URL, but may be a password, for example."""
    scheme, mark, _ = text.partition("://")
    if not mark:
        return "***"
    return text if mask_url(text) == text else f"{scheme}://***"


def mask_url(url: str) -> str:
    """Masks the secrets in a URL. When in doubt, masks too much, because passwords may contain `@`, `:` and `/`, and
    queries may contain keys."""
    hidden = re.sub(r"(://[^:@]*):.*@", r"\1:***@", url)
    hidden = re.sub(r"^(https?://[^?]*\?).+", r"\1***", hidden)
    return re.sub(r"(password=)[^&]*", r"\1***", hidden, flags=re.IGNORECASE)


def complain(name: str, raw: RawSetting, field: FieldInfo) -> str:
    """Says which value is invalid and what is allowed. A secret value is not repeated."""
    quoted, must_be = show_secret(raw.text) if is_secret(field) else raw.text, describe_valid(field)
    if raw.file:
        return f"{variable_name(name)}_FILE is '{raw.file}', which holds '{quoted}', but must hold {must_be}"
    return f"{variable_name(name)} is '{quoted}', but must be {must_be}"


def show_value(value: object, *, secret: bool) -> str:
    """Writes a value in the form in which it can be set. Secrets are masked."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return mask_url(str(value)) if secret else str(int(value) if isinstance(value, int) else value)
