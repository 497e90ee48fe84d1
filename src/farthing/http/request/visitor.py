"""Describes a client before sign-in: its address, its browser, and the cookies it sent."""

from collections.abc import Mapping

from msgspec import Struct
from starlette.types import Scope

from farthing.identity.sign_in import Origin

from .cookies import DEVICE, PROVIDER, SecretCookie, cookie_for
from .proxies import Proxies


class Visitor(Struct, frozen=True, kw_only=True):
    """`secret`, `device` and `trip` are those of the cookies that came along, whether they count or not; so is
    `authorization`, the header of that name.

    `remote_user` is whom a trusted proxy names.
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


def visitor_of(scope: Scope, headers: Mapping[bytes, bytes], proxies: Proxies) -> Visitor:
    base = scope["state"]["base"]
    cookie, device_cookie, trip_cookie = cookie_for(base), cookie_for(base, DEVICE), cookie_for(base, PROVIDER)
    return Visitor(
        address=proxies.client(scope, headers),
        agent=headers.get(b"user-agent", b"").decode("latin-1"),
        secret=cookie.read(headers),
        device=device_cookie.read(headers),
        cookie=cookie,
        device_cookie=device_cookie,
        trip=trip_cookie.read(headers),
        trip_cookie=trip_cookie,
        remote_user=proxies.remote_user(scope),
        authorization=headers.get(b"authorization", b"").decode("latin-1"),
    )
