"""Defines the settings of OpenID Connect. `FARTHING_OIDC` names the providers, and each has its own variables."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from .parsing import about, parse_address, setting

OIDC = "oidc"
PROVIDERS_MAX = 10
_KEY = re.compile(r"[a-z][a-z0-9]{0,19}")
_SCOPE = re.compile(r"[!#-\[\]-~]+")
_NAME_CHARACTERS_MAX = 40


def parse_keys(value: object) -> object:
    """Parses the names of providers. Only letters and digits are allowed, because variables contain these names."""
    if not isinstance(value, str):
        return value
    words = tuple(dict.fromkeys(word.strip().lower() for word in value.split(",") if word.strip()))
    if len(words) > PROVIDERS_MAX or not all(map(_KEY.fullmatch, words)):
        raise ValueError("not names of providers")
    return words


def _parse_issuer(url: str) -> str:
    """Checks an issuer and returns it unchanged, because a slash at its end may be part of its name."""
    parse_address(url)
    if not url.isascii():
        raise ValueError("not an address")
    return url


def _parse_scopes(value: object) -> object:
    """Parses scopes. Always adds `openid`, because without this scope the provider does not use OpenID Connect."""
    if not isinstance(value, str):
        return value
    words = dict.fromkeys(("openid", *value.replace(",", " ").split()))
    if not all(map(_SCOPE.fullmatch, words)):
        raise ValueError("not scopes")
    return tuple(words)


def _parse_name(name: str) -> str:
    if len(name) > _NAME_CHARACTERS_MAX:
        raise ValueError("too long")
    return _parse_line(name)


def _parse_line(text: str) -> str:
    """Refuses texts with characters that are not allowed in an address, in a header or on a page."""
    if not text.isprintable():
        raise ValueError("not one line of text")
    return text


def _parse_secret(secret: SecretStr) -> SecretStr:
    _parse_line(secret.get_secret_value())
    return secret


class Provider(BaseModel):
    """Describes a provider with which people may sign in. `key` is its name in the settings."""

    model_config = ConfigDict(frozen=True)

    key: str
    issuer: Annotated[str, AfterValidator(_parse_issuer)] = setting(
        "The address (issuer) of the provider, in exactly the form that the provider uses. "
        "Farthing reads `/.well-known/openid-configuration` below this address.",
        must_be="an address such as https://auth.example.org",
        default=...,
    )
    client_id: Annotated[str, AfterValidator(_parse_line)] = setting(
        "The client id that Farthing has at the provider.", must_be="the id of a client", default=...
    )
    client_secret: Annotated[SecretStr, AfterValidator(_parse_secret)] | None = setting(
        "The secret of that client. Without a secret, only PKCE protects the exchange.",
        must_be="the secret of a client",
        secret=True,
    )
    name: Annotated[str, AfterValidator(_parse_name)] | None = setting(
        "The text of the button on the sign-in page. Default: the name in `FARTHING_OIDC`.",
        must_be=f"at most {_NAME_CHARACTERS_MAX} characters",
    )
    scopes: Annotated[tuple[str, ...], BeforeValidator(_parse_scopes)] = setting(
        "The scopes to request, separated by spaces. Add `groups` if `OWNER_GROUP` is set and the "
        "provider requires this scope.",
        must_be="scopes separated by spaces, such as openid email profile",
        default=("openid", "email", "profile"),
    )
    create: bool = setting(
        "Whether people without an account become new users. The provider must have verified their e-mail address.",
        default=False,
    )
    owner_group: Annotated[str, AfterValidator(_parse_line)] | None = setting(
        "Members of this group (claim `groups`) are owners of this installation, as long as they are in the group.",
        must_be="the name of a group",
    )

    @property
    def title(self) -> str:
        return self.name or self.key.capitalize()


class WrongSetting(Struct, frozen=True):
    """Describes an invalid or missing setting. `name` is the name of the setting, such as `oidc_home_issuer`."""

    key: str
    name: str
    field: FieldInfo


def list_fields() -> Iterator[tuple[str, FieldInfo]]:
    return ((name, field) for name, field in Provider.model_fields.items() if field.description)


def read_keys(text: str) -> tuple[str, ...]:
    """Returns the names of the providers, or none if the text is invalid. `config.load` reports invalid texts."""
    try:
        keys = parse_keys(text)
    except ValueError:
        return ()
    assert isinstance(keys, tuple), "it was text"
    return keys


def list_names(keys: Iterable[str], *, in_files: bool = False) -> list[str]:
    """Lists the names of the providers' settings, such as `oidc_home_issuer`. With `in_files`, only of those settings
    that may be in a file."""
    fields = [name for name, field in list_fields() if about(field)["in_file"] or not in_files]
    return [_name(key, field) for key in keys for field in fields]


def read_providers(keys: Iterable[str], texts: Mapping[str, str]) -> tuple[tuple[Provider, ...], list[WrongSetting]]:
    """Returns the providers, and the settings that are invalid or missing. `texts` are the values by name."""
    complete: list[Provider] = []
    wrong: list[WrongSetting] = []
    for key in keys:
        values = {field: texts[_name(key, field)] for field, _ in list_fields() if _name(key, field) in texts}
        try:
            complete.append(Provider.model_validate({"key": key, **values}))
        except ValidationError as error:
            failing = {str(problem["loc"][0]): None for problem in error.errors(include_url=False, include_input=False)}
            wrong += [WrongSetting(key, _name(key, field), Provider.model_fields[field]) for field in failing]
    return tuple(complete), wrong


def list_values(providers: Iterable[Provider]) -> Iterator[tuple[str, FieldInfo, object]]:
    """Lists every setting of each provider with its name, its field and its value."""
    for provider in providers:
        for name, field in list_fields():
            yield _name(provider.key, name), field, getattr(provider, name)


def _name(key: str, field: str) -> str:
    return f"{OIDC}_{key}_{field}"
