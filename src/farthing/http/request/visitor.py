"""Describes a client before sign-in: its address, its browser and the cookies it sent."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.identity.signing_in.attempts import Origin

from .cookies import DEVICE, PROVIDER, SecretCookie, cookie_for
from .proxies import Peer


class Visitor(Struct, frozen=True, kw_only=True):
    """Describes who asks. `secret`, `device` and `trip` are values of cookies that are not verified yet.

    `remote_user` is the user whom a trusted proxy names.
    """

    address: str
    agent: str
    secret: str | None
    device: str | None
    cookie: SecretCookie
    device_cookie: SecretCookie
    trip: str | None
    trip_cookie: SecretCookie
    remote_user: str | None
    authorization: str = ""

    @property
    def origin(self) -> Origin:
        return Origin(address=self.address, device=self.device)


def describe_visitor(base: str, peer: Peer, headers: Mapping[bytes, bytes]) -> Visitor:
    cookie, device_cookie, trip_cookie = cookie_for(base), cookie_for(base, DEVICE), cookie_for(base, PROVIDER)
    return Visitor(
        address=peer.client,
        agent=headers.get(b"user-agent", b"").decode("latin-1"),
        secret=cookie.read(headers),
        device=device_cookie.read(headers),
        cookie=cookie,
        device_cookie=device_cookie,
        trip=trip_cookie.read(headers),
        trip_cookie=trip_cookie,
        remote_user=peer.remote_user,
        authorization=headers.get(b"authorization", b"").decode("latin-1"),
    )
