"""Defines the settings of an installation. They are read once, from FARTHING_* variables and `.env`."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ByteSize, ConfigDict, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from .clock import Clock, clock_file
from .environment import PREFIX, RawSetting, complain, gather_all, mask_url, read_providers, show_value, variable_name
from .errors import Misconfigured
from .limits import DAYS_MAX
from .settings import providers as oidc
from .settings.parsing import (
    NO_RATES,
    S3,
    SQLITE,
    Bytes,
    Lowered,
    find_conflicts,
    parse_address,
    parse_contact,
    parse_database,
    parse_folder,
    parse_header,
    parse_host_address,
    parse_mail,
    parse_mailbox,
    parse_networks,
    parse_origins,
    parse_postgres,
    parse_rates,
    parse_storage,
    parse_zone,
)
from .settings.parsing import about as _about
from .settings.parsing import is_secret as _is_secret
from .settings.parsing import setting as _setting
from .settings.providers import Provider, parse_keys
from .text import is_unicode, show_bytes

DATABASE_FILE = "farthing.sqlite3"
# Options of the command, which are chosen at each start and have no variable.
OPTIONS_OF_SERVE = ("host", "port", "workers")
_POSTGRES_URL = (
    "postgresql://user:password@host:5432/name (with %40 for @, %2F for /, %3F for ? and %25 for % in the password)"
)


def _user_data_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("farthing", appauthor=False)


def _default_database(values: dict[str, Any]) -> str:
    return f"{SQLITE}{values['data'] / DATABASE_FILE}"


class Settings(BaseModel):
    """Holds all settings. Use `load` to make them, because it reports invalid values in one line."""

    model_config = ConfigDict(frozen=True)

    data: Annotated[Path, AfterValidator(parse_folder)] = _setting(
        "Folder for the SQLite file and attachments; created if missing. Default: the platform's user data folder.",
        must_be="a folder, or a path where one can be made",
        default_factory=_user_data_folder,
    )
    database_url: Annotated[str, AfterValidator(parse_database)] = _setting(
        "The database: `sqlite:///path` or `postgresql://…`. Default: the file `farthing.sqlite3` in the data folder.",
        must_be=f"sqlite:///path/to/file or {_POSTGRES_URL}",
        secret=True,
        default_factory=_default_database,
    )
    read_url: Annotated[str, AfterValidator(parse_postgres)] | None = _setting(
        "A streaming replica of the PostgreSQL database. Overviews and exports are read from it if it is up to date.",
        must_be=_POSTGRES_URL,
        secret=True,
    )
    storage: Annotated[str, AfterValidator(parse_storage)] | None = _setting(
        "Where the contents of attachments are stored: a folder, or `s3://bucket/prefix` if you run more than one "
        "server. Default: `attachments` in the data folder.",
        must_be="a folder, or s3://bucket or s3://bucket/prefix with plain letters",
    )
    s3_endpoint: Annotated[str, AfterValidator(parse_address)] | None = _setting(
        "The address of the S3 server. Default: Amazon's server in the region.",
        must_be="an address such as https://s3.example.org",
        in_file=True,
    )
    s3_region: str = _setting(
        "The region of the bucket. Most servers other than Amazon's accept any region.",
        must_be="the name of a region such as eu-central-1",
        in_file=True,
        default="us-east-1",
        pattern="^[a-z0-9-]{1,50}$",
    )
    s3_key: SecretStr | None = _setting(
        "The access key for the bucket. Required for `s3://`.", must_be="an access key", secret=True
    )
    s3_secret: SecretStr | None = _setting(
        "The secret that belongs to the access key.", must_be="the secret of an access key", secret=True
    )
    s3_redirect: bool = _setting(
        "Whether downloads with a token are redirected to the S3 server, by a link that works for a minute.",
        default=False,
    )
    base_url: Annotated[str, AfterValidator(parse_address)] | None = _setting(
        "The public address, used in every link; it may have a path. Requests for another host get 421. "
        "If not set, links use the address of the request.",
        must_be="an address such as https://money.example or https://example.org/money",
    )
    v6_url: Annotated[str, AfterValidator(parse_host_address)] | None = _setting(
        "A second public address, at which the API uses version 6 for every token. It needs a host of its own.",
        must_be="an address without a path, such as https://v6.money.example",
    )
    trusted_proxies: Annotated[tuple[str, ...], BeforeValidator(parse_networks)] = _setting(
        "Proxies whose forwarded headers are trusted: comma-separated addresses and networks, or `*` for any.",
        must_be="comma-separated addresses or networks, such as 127.0.0.1,10.0.0.0/8, or * for any",
        default=(),
    )
    cors_origins: Annotated[tuple[str, ...], BeforeValidator(parse_origins)] = _setting(
        "Origins whose pages may use the API with a token: comma-separated, or `*` for any. Cookies are not accepted.",
        must_be="comma-separated origins, such as https://tools.example,http://localhost:3000, or * for any",
        default=(),
    )
    session_idle_hours: int = _setting(
        "Hours without activity after which people must sign in again.", default=14 * 24, ge=1, le=87_600
    )
    session_days: int = _setting(
        "Days after which people must sign in again, even if they were active.", default=90, ge=1, le=3650
    )
    oidc: Annotated[tuple[str, ...], BeforeValidator(parse_keys)] = _setting(
        "OpenID Connect providers for signing in: comma-separated names. Each provider has its own variables.",
        must_be="up to ten comma-separated names of letters and digits, such as home,work",
        default=(),
    )
    remote_user_header: Annotated[str, AfterValidator(parse_header)] | None = _setting(
        "The header in which a trusted proxy sends the e-mail address of whoever has signed in at the proxy. "
        "Requests with this header from elsewhere are refused.",
        must_be="the name of a header such as Remote-Email",
    )
    remote_user_create: bool = _setting(
        "Whether people whom the proxy names become new users if they have no account yet.", default=False
    )
    timezone: Annotated[str, AfterValidator(parse_zone)] = _setting(
        "The initial time zone of new users. It decides when their day begins.",
        must_be="an IANA time zone such as Europe/Berlin",
        default="UTC",
    )
    body_bytes_max: Bytes = _setting(
        "The largest request body, except for uploads. Sizes may have a unit: `2MiB`.",
        must_be="a size above zero, such as 2097152 or 2MiB",
        default=ByteSize(2 * 1024**2),
    )
    upload_bytes_max: Bytes = _setting(
        "The largest attachment. Sizes may have a unit: `64MiB`.",
        must_be="a size above zero, such as 67108864 or 64MiB",
        default=ByteSize(64 * 1024**2),
    )
    form_fields_max: int = _setting("The highest number of fields in a form body.", default=2000, ge=1)
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Lowered] = _setting(
        "The lowest level that is logged: `debug`, `info`, `warning` or `error`.", default="info"
    )
    log_format: Annotated[Literal["auto", "text", "json"], Lowered] = _setting(
        "The format of log lines: `text`, `json`, or `auto` (text on a terminal, JSON otherwise).", default="auto"
    )
    postgres_connections_max: int = _setting(
        "The highest number of PostgreSQL connections of one server process.", default=10, ge=1, le=1000
    )
    database_prepare: Annotated[Literal["on", "off"], Lowered] = _setting(
        "Prepared statements on PostgreSQL: `on` or `off`. Use `off` with a pooler such as PgBouncer before 1.21.",
        default="on",
    )
    backup_folder: Annotated[Path, AfterValidator(parse_folder)] | None = _setting(
        "Folder for the daily backup, preferably on another disk. If not set, the server makes no backups.",
        must_be="a folder, or a path where one can be made",
    )
    backup_keep: int = _setting("How many of the newest daily backups are kept.", default=14, ge=1)
    outgoing_private: bool = _setting(
        "Whether imports, rates, webhooks, web push and chats may use private addresses, such as in the same network.",
        default=False,
    )
    cron_token: SecretStr | None = _setting(
        "The token in the address `/cron/{token}` of version 6 of the API. If not set, the address does not exist.",
        must_be="at least 32 characters",
        secret=True,
        min_length=32,
    )
    mail_url: Annotated[str, AfterValidator(parse_mail)] | None = _setting(
        "The server that sends e-mail: `smtp://user:password@host` with STARTTLS, `smtps://…` with TLS, or "
        "`smtp+plain://…` without. If not set, there is no e-mail.",
        must_be="an address such as smtp://user:password@mail.example:587 or smtps://user:password@mail.example",
        secret=True,
    )
    mail_from: Annotated[str, AfterValidator(parse_mailbox)] | None = _setting(
        "The e-mail address that messages come from. Required for `FARTHING_MAIL_URL`.",
        must_be="an e-mail address such as farthing@example.org",
    )
    rates: Annotated[str, AfterValidator(parse_rates)] = _setting(
        "Where exchange rates are fetched from each day: `off`, `ecb` (European Central Bank) or an https:// address.",
        must_be="off, ecb or an address such as https://rates.example/daily.csv",
        secret=True,
        default=NO_RATES,
    )
    trash_days: int = _setting(
        "For how many days changes can be undone and deleted objects restored. After that, they are deleted for good.",
        default=30,
        ge=1,
        le=DAYS_MAX,
    )
    metrics_from: Annotated[tuple[str, ...], BeforeValidator(parse_networks)] | None = _setting(
        "Who may read `/metrics` without the owner's token: comma-separated addresses and networks, or `*`. "
        "Default: this machine, if `FARTHING_BASE_URL` is not set.",
        must_be="comma-separated addresses or networks, such as 127.0.0.1,10.0.0.0/8, or * for any",
    )
    security_contact: Annotated[str, AfterValidator(parse_contact)] | None = _setting(
        "Where to report a vulnerability of this installation: an e-mail address or a page. "
        "Published at `/.well-known/security.txt`.",
        must_be="an e-mail address such as security@example.org, or an https:// address",
    )
    copy_to: Annotated[str, AfterValidator(parse_database)] | None = _setting(
        "The database to which `farthing copy` copies, unless `--to` names another one.",
        must_be=f"sqlite:///path/to/file or {_POSTGRES_URL}",
        secret=True,
    )
    testing: bool = _setting(
        "For Farthing's own tests: lets the clock be set. Leave it off.",
        must_be="0 or 1",
        default=False,
    )
    test_clock: Path | None = _setting(
        "For Farthing's own tests: a file that contains the time. Ignored without `FARTHING_TESTING=1`.",
        must_be="the path of a file",
    )

    providers: tuple[Provider, ...] = ()
    unknown_names: tuple[str, ...] = ()

    @property
    def database_file(self) -> Path | None:
        """Returns the SQLite file, or None if the database is PostgreSQL."""
        file = self.database_url.removeprefix(SQLITE)
        return Path(file) if file != self.database_url else None

    @property
    def contents_folder(self) -> Path | None:
        """Returns the folder with the contents of attachments, or None if they are stored in S3."""
        if self.storage is None:
            return self.data / "attachments"
        return None if self.storage.startswith(S3) else Path(self.storage)


def list_settings() -> Iterator[tuple[str, FieldInfo]]:
    """Lists the settings that have a variable, in the order of the documentation."""
    return ((name, field) for name, field in Settings.model_fields.items() if field.description)


def load(environ: Mapping[str, str] | None = None, dotenv: Path = Path(".env")) -> Settings:
    """Reads the settings. The environment takes precedence over `.env`, and an empty value is treated as not set."""
    in_files = [name for name, field in list_settings() if _about(field)["in_file"]]
    raw, keys = gather_all(dotenv, os.environ if environ is None else environ, in_files)
    names = {name for name, _ in list_settings()}
    texts: dict[str, Any] = {name: setting.text for name, setting in raw.items() if name in names}
    unknown = tuple(sorted(variable_name(name) for name in raw.keys() - names - set(oidc.list_names(keys))))
    _refuse_bytes(texts)
    try:
        settings = Settings(**texts, unknown_names=unknown)
    except ValidationError as error:
        raise Misconfigured("; ".join(_list_complaints(error, raw))) from None
    settings = settings.model_copy(update={"providers": read_providers(keys, raw)})
    return _refuse_conflicts(_require_keys(_require_text(settings)))


def _refuse_conflicts(settings: Settings) -> Settings:
    for sentence in find_conflicts(
        is_sqlite=settings.database_file is not None,
        read_url=settings.read_url,
        rates=settings.rates,
        outgoing_private=settings.outgoing_private,
        header=settings.remote_user_header,
        proxies=settings.trusted_proxies,
        base_url=settings.base_url,
        v6_url=settings.v6_url,
        mail_url=settings.mail_url,
        mail_from=settings.mail_from,
    ):
        raise Misconfigured(sentence)
    return settings


def _require_text(settings: Settings) -> Settings:
    """Refuses settings that are not UTF-8 text. Also checks defaults, because they may contain the home folder."""
    _refuse_bytes({name: str(getattr(settings, name)) for name, _ in list_settings()})
    return settings


def _require_keys(settings: Settings) -> Settings:
    missing = [variable_name(name) for name in ("s3_key", "s3_secret") if getattr(settings, name) is None]
    if settings.contents_folder is None and missing:
        raise Misconfigured(f"{variable_name('storage')} is '{settings.storage}', which also needs {missing[0]}")
    return settings


def _refuse_bytes(texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        if not is_unicode(text):
            quoted = "***" if _is_secret(Settings.model_fields[name]) else show_bytes(text)
            raise Misconfigured(f"{variable_name(name)} is '{quoted}', which is not UTF-8 text")


def replace_database(settings: Settings, url: str, *, named_by: str) -> Settings:
    """Returns the settings with another database. If the URL is invalid, the error does not repeat it, because somebody
    may have entered a password instead."""
    try:
        database_url = parse_database(url.strip())
    except ValueError:
        must_be = _about(Settings.model_fields["database_url"])["must_be"]
        raise Misconfigured(f"{named_by} must be {must_be}") from None
    if not is_unicode(database_url):
        raise Misconfigured(f"{named_by} points into a folder whose name is not UTF-8 text")
    return settings.model_copy(update={"database_url": database_url})


def replace_storage(settings: Settings, text: str, *, named_by: str) -> Settings:
    """Returns the settings with another storage for the contents of attachments."""
    try:
        storage = parse_storage(text.strip())
    except ValueError:
        must_be = _about(Settings.model_fields["storage"])["must_be"]
        raise Misconfigured(f"{named_by} is '{text}', but must be {must_be}") from None
    return _require_keys(settings.model_copy(update={"storage": storage}))


def show_database(settings: Settings) -> str:
    return str(settings.database_file or mask_url(settings.database_url))


def _list_complaints(error: ValidationError, raw: Mapping[str, RawSetting]) -> Iterator[str]:
    """Describes the invalid settings, each only once, even if its value is invalid for several reasons."""
    failing = {str(problem["loc"][0]): None for problem in error.errors(include_url=False, include_input=False)}
    for name in failing:
        if name in raw:
            yield complain(name, raw[name], Settings.model_fields[name])


def mask(settings: Settings) -> dict[str, str]:
    """Returns every variable with its effective value. Secrets are masked."""
    values = [(name, field, getattr(settings, name)) for name, field in list_settings()]
    values += oidc.list_values(settings.providers)
    return {variable_name(name): show_value(value, secret=_is_secret(field)) for name, field, value in values}


def reveal(settings: Settings, names: Iterable[str]) -> dict[str, str]:
    """Returns the variables that one of our other processes needs, secrets included.

    Pass the result only through that process's standard input.
    """
    values = {variable_name(name): getattr(settings, name) for name in names}
    return {
        name: value.get_secret_value() if isinstance(value, SecretStr) else str(value)
        for name, value in values.items()
        if value is not None
    }


def secret_names() -> set[str]:
    """Returns the variables whose values must not be shown."""
    return {variable_name(name) for name, field in list_settings() if _is_secret(field)}


def suggest_setting(unknown_name: str) -> str | None:
    """Returns the variable, or the option of `serve`, that was probably meant by a misspelled or unknown variable."""
    from difflib import get_close_matches

    meant = unknown_name.removeprefix(PREFIX).lower()
    if meant in OPTIONS_OF_SERVE:
        return f"`farthing serve --{meant}`"
    names = [name for name, _ in list_settings()]
    alike = get_close_matches(meant, names, n=1, cutoff=0.75) or [
        name for name in names if meant.startswith(f"{name}_")
    ]
    return variable_name(alike[0]) if alike else None


def make_clock(settings: Settings) -> Clock:
    if settings.testing and settings.test_clock:
        return Clock(clock_file(settings.test_clock))
    return Clock()
