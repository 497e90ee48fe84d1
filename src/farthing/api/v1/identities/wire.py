"""Shows linked providers."""

from msgspec import Struct

from farthing.identity.providers.store import Identity
from farthing.kernel.shown import Instant, show_as


class IdentityAttributes(Struct, gc=False):
    """`provider` is the id of the provider, and null if it is no longer configured; `email` is the last one it sent."""

    created_at: Instant
    provider: str | None
    name: str
    email: str
    last_used_at: Instant | None


def show(identity: Identity, *, provider: str | None, name: str) -> IdentityAttributes:
    return show_as(IdentityAttributes, identity, provider=provider, name=name)
