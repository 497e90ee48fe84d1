"""Describes settings and parses their values. Errors say only that a value is invalid; `config.py` adds the rest."""

import re
from collections.abc import Iterator, Sequence
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, cast, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, ByteSize, Field
from pydantic.fields import FieldInfo

SQLITE = "sqlite:///"
S3 = "s3://"
ANY_PROXY = "*"
ANY_ORIGIN = "*"
NO_RATES, ECB_RATES = "off", "ecb"
# The usual port for each way to speak to a mail server.
MAIL_PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
_HEADERS_IN_USE = frozenset(
    ("authorization", "cookie", "host", "forwarded", "x-forwarded-for", "x-real-ip", "user-agent", "origin")
)
# Buckets and prefixes whose names need no escaping in an address.
_BUCKET = re.compile(rf"{S3}[a-z0-9][a-z0-9.-]{{1,61}}[a-z0-9](/[A-Za-z0-9_.-]*[A-Za-z0-9_-])*/?")

# If a character of the password is not escaped, libpq takes the rest for a host name and repeats it in errors.
_PLAIN = "(?:[^@/?%]|%[0-9A-Fa-f]{2})*"
_HOST = r"(?:\[[^\]]+\]|[^]:@/?[,]*)(?::\d*)?"
_OPTION = "[^=&]+=[^&]*"
_POSTGRES = re.compile(rf"postgresql://(?:{_PLAIN}@)?{_HOST}(?:,{_HOST})*(?:/[^@?]*)?(?:\?{_OPTION}(?:&{_OPTION})*)?")


def parse_folder(path: Path) -> Path:
    whole = path.expanduser().absolute()
    if whole.exists() and not whole.is_dir():
        raise ValueError("not a folder")
    return whole


def parse_database(url: str) -> str:
    """Parses the URL of a database. Makes a relative SQLite path absolute, so that we show the path that is opened."""
    if url.startswith("postgresql://"):
        return parse_postgres(url)
    file = url.removeprefix(SQLITE)
    if file in (url, "", ":memory:") or file.endswith("/"):
        raise ValueError("not a supported database")
    return f"{SQLITE}{Path(file).expanduser().absolute()}"


def parse_postgres(url: str) -> str:
    if not _POSTGRES.fullmatch(url):
        raise ValueError("not a database of PostgreSQL")
    return url


def parse_storage(text: str) -> str:
    """Parses a storage: a bucket with an optional prefix, or a folder."""
    if text.startswith(S3):
        if not _BUCKET.fullmatch(text):
            raise ValueError("not a bucket")
        return text.rstrip("/")
    if "://" in text:
        raise ValueError("not a supported storage")
    return str(parse_folder(Path(text)))


def parse_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.port == 0:
        raise ValueError("not an address")
    if parts.query or parts.fragment or re.search(r"\s", url):
        raise ValueError("more than an address")
    return url.rstrip("/")


def parse_host_address(url: str) -> str:
    """Parses an address that has a host of its own, and so no path."""
    url = parse_address(url)
    if urlsplit(url).path:
        raise ValueError("an address with a path")
    return url


def parse_header(name: str) -> str:
    """Parses the name of a header. Refuses headers that already have another meaning."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,60}", name) or name.lower() in _HEADERS_IN_USE:
        raise ValueError("not a header of its own")
    return name


def parse_contact(text: str) -> str:
    """Returns a contact as a URI, as RFC 9116 demands."""
    if re.fullmatch(r"(mailto:|tel:|https://)[^\s]+", text):
        return text
    if not re.fullmatch(r"[^@\s:/]+@[^@\s:/]+", text):
        raise ValueError("not a contact")
    return f"mailto:{text}"


def parse_mail(url: str) -> str:
    """Parses the address of a mail server. Its password may contain any character in the form `%40`."""
    parts = urlsplit(url)
    if parts.scheme not in MAIL_PORTS or not parts.hostname or parts.port == 0 or parts.path.strip("/"):
        raise ValueError("not a mail server")
    if parts.query or parts.fragment or re.search(r"\s", url) or (parts.username is None) != (parts.password is None):
        raise ValueError("more or less than a mail server")
    return url


def parse_mailbox(text: str) -> str:
    if not re.fullmatch(r"[^@\s<>,;:\"]+@[^@\s<>,;:\"]+", text):
        raise ValueError("not an e-mail address")
    return text


def parse_rates(text: str) -> str:
    if text.lower() in (NO_RATES, ECB_RATES):
        return text.lower()
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or not text.isascii():
        raise ValueError("not an address")
    return text


def parse_networks(value: object) -> object:
    if not isinstance(value, str):
        return value
    words = [word.strip() for word in value.split(",") if word.strip()]
    return (ANY_PROXY,) if ANY_PROXY in words else tuple(str(ip_network(word, strict=False)) for word in words)


def parse_origins(value: object) -> object:
    """Returns origins as browsers write them: scheme and host in lower case, without a path."""
    if not isinstance(value, str):
        return value
    words = [word.strip().lower() for word in value.split(",") if word.strip()]
    for word in words:
        if word != ANY_ORIGIN and (parse_address(word) != word or urlsplit(word).path):
            raise ValueError("more than an origin")
    return (ANY_ORIGIN,) if ANY_ORIGIN in words else tuple(words)


def parse_zone(name: str) -> str:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        raise ValueError("not a known zone") from None
    return name


def _refuse_zero(size: ByteSize) -> ByteSize:
    if size < 1:
        raise ValueError("too small")
    return size


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


Bytes = Annotated[ByteSize, AfterValidator(_refuse_zero)]
Lowered = BeforeValidator(_lower)


def setting(
    description: str,
    *,
    must_be: str = "",
    secret: bool = False,
    in_file: bool = False,
    default: Any = None,
    **field: Any,
) -> Any:
    """Makes a field that has its own variable. `must_be` is the end of the error message for an invalid value.

    `must_be` may be omitted if the type already says everything. Secrets, and settings with `in_file`, may also be in a
    file that another variable names.
    """
    extra: dict[str, Any] = {"must_be": must_be, "secret": secret, "in_file": secret or in_file}
    if "default_factory" not in field:
        field["default"] = default
    return Field(description=description, json_schema_extra=extra, repr=not secret, **field)


def about(field: FieldInfo) -> dict[str, Any]:
    return cast(dict[str, Any], field.json_schema_extra)


def describe_valid(field: FieldInfo) -> str:
    """Says what the value must be, as the end of a sentence."""
    if text := about(field)["must_be"]:
        return str(text)
    if field.annotation is bool:
        return "true or false"
    if field.annotation is int:
        highest = next((bound.le for bound in field.metadata if hasattr(bound, "le")), None)
        return f"a whole number from 1 to {highest}" if highest else "a whole number above zero"
    *words, last = get_args(field.annotation)
    return f"{', '.join(words)} or {last}"


def is_secret(field: FieldInfo) -> bool:
    return bool(about(field)["secret"])


_REPLICA = (
    "FARTHING_READ_URL is set, but the database is SQLite, which has no replicas: "
    "remove it, or set FARTHING_DATABASE_URL to the PostgreSQL that it is a replica of"
)
_RATES = (
    "FARTHING_RATES begins with http://, so others could change the rates on their way: "
    "use https://, or set FARTHING_OUTGOING_PRIVATE=1 for an address in your own network"
)

_MAIL = "FARTHING_MAIL_URL is set, which also needs FARTHING_MAIL_FROM and FARTHING_BASE_URL"

_SAME_HOST = (
    "FARTHING_V6_URL has the same host as FARTHING_BASE_URL, so it could not choose version 6: "
    "give it a host of its own, or use the path /v6 of FARTHING_BASE_URL"
)

_PROXY = (
    "FARTHING_REMOTE_USER_HEADER is '{header}', which also needs the address of the proxy in "
    "FARTHING_TRUSTED_PROXIES, where * is not enough"
)


def find_conflicts(
    *,
    is_sqlite: bool,
    read_url: str | None,
    rates: str,
    outgoing_private: bool,
    header: str | None,
    proxies: Sequence[str],
    base_url: str | None,
    v6_url: str | None,
    mail_url: str | None,
    mail_from: str | None,
) -> Iterator[str]:
    if is_sqlite and read_url:
        yield _REPLICA
    if rates.lower().startswith("http:") and not outgoing_private:
        yield _RATES
    # Whoever is trusted to send the header can sign in as anybody.
    if header and (not proxies or ANY_PROXY in proxies):
        yield _PROXY.format(header=header)
    if base_url and v6_url and urlsplit(base_url).netloc == urlsplit(v6_url).netloc:
        yield _SAME_HOST
    # Links in messages need an address, and no request tells it.
    if mail_url and not (mail_from and base_url):
        yield _MAIL
