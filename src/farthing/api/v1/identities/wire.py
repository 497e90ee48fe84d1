"""Shows linked providers."""

from msgspec import Struct

from farthing.identity.providers.store import Identity
from farthing.kernel.shown import Instant


class IdentityAttributes(Struct, gc=False):
    """`provider` is the `id` of the provider, None if it is no longer set up; `email` what the provider said last."""

    created_at: Instant
    provider: str | None
    name: str
    email: str
    last_used_at: Instant | None


def show(identity: Identity, *, provider: str | None, name: str) -> IdentityAttributes:
    return IdentityAttributes(
        created_at=identity.created_at,
        provider=provider,
        name=name,
        email=identity.email,
        last_used_at=identity.last_used_at,
    )
