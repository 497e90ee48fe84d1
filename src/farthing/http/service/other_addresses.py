"""Serves `security.txt`, and the address to which OpenID Connect providers send people back after a sign-in."""

from datetime import timedelta
from functools import partial
from urllib.parse import urlencode

from starlette.routing import Route as Address
from starlette.types import Scope

from farthing.identity.providers.states import LINKING
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import Settings

from ..answer.headers import NOT_STORED
from ..answer.reply import GetEndpoint, Reply, make_reply
from ..request.call import Answer
from ..request.request import read_query

SECURITY_TXT = "/.well-known/security.txt"
# The file must expire in less than a year; anybody who needs it later can download it again.
_VALID_FOR = timedelta(days=180)
SIGN_IN_CALLBACK = "/sign-in/callback"
# The page that started the sign-in. It is recognized by the prefix of the state.
_PAGES = {True: "/settings/security", False: "/sign-in/provider"}
_PASSED_ON = ("code", "state", "iss", "error")
_CHARACTERS_MAX = 2000


def addresses(settings: Settings, clock: Clock) -> list[Address]:
    """Lists the addresses. If no contact is configured, `security.txt` is omitted, so that it answers 404."""
    callback = Address(SIGN_IN_CALLBACK, GetEndpoint(_redirect_to_page))
    if not settings.security_contact:
        return [callback]
    text = partial(_write_security_txt, settings.security_contact, settings.base_url, clock)
    return [callback, Address(SECURITY_TXT, GetEndpoint(text))]


def _write_security_txt(contact: str, base_url: str | None, clock: Clock, _scope: Scope) -> Reply:
    """Writes the file that says where to report a vulnerability (RFC 9116)."""
    lines = [f"Contact: {contact}", f"Expires: {stamp(clock.now() + _VALID_FOR)}"]
    if base_url:
        lines.append(f"Canonical: {base_url}{SECURITY_TXT}")
    body = "".join(f"{line}\n" for line in lines).encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))]
    return Reply(200, headers, body)


def _redirect_to_page(scope: Scope) -> Reply:
    """Redirects people who return from a provider to a page of the web app. Providers cannot do that themselves,
    because the addresses of these pages contain a `#`, which a redirect URI may not."""
    query = read_query(scope["query_string"].decode("latin-1"))
    parameters = {name: query[name][:_CHARACTERS_MAX] for name in _PASSED_ON if name in query}
    page = _PAGES[parameters.get("state", "").startswith(LINKING)]
    location = f"{scope['state']['base']}/#{page}?{urlencode(parameters)}"
    reply = make_reply(Answer(None, 303, headers=(("location", location), ("content-length", "0"))))
    reply.headers.append(NOT_STORED)
    return reply
