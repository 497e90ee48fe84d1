"""Finds settings that contradict each other."""

from collections.abc import Iterator, Sequence

from .parsing import ANY_PROXY

_REPLICA = (
    "FARTHING_READ_URL is set, but the database is SQLite, which has no replicas: "
    "remove it, or set FARTHING_DATABASE_URL to the PostgreSQL that it is a replica of"
)
_RATES = (
    "FARTHING_RATES begins with http://, so that others could change the rates on their way: "
    "use https://, or set FARTHING_OUTGOING_PRIVATE=1 for an address in your own network"
)

_PROXY = (
    "FARTHING_REMOTE_USER_HEADER is '{header}', which also needs FARTHING_TRUSTED_PROXIES to name the proxy, "
    "and not with *"
)


def find_conflicts(
    *,
    is_sqlite: bool,
    read_url: str | None,
    rates: str,
    outgoing_private: bool,
    header: str | None,
    proxies: Sequence[str],
) -> Iterator[str]:
    if is_sqlite and read_url:
        yield _REPLICA
    if rates.lower().startswith("http:") and not outgoing_private:
        yield _RATES
    # Whoever may send the header may sign in as anybody.
    if header and (not proxies or ANY_PROXY in proxies):
        yield _PROXY.format(header=header)
