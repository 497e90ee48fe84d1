"""Receives people whom an OpenID Connect provider sends back, and redirects them to the web app. Stores nothing.

The addresses of pages of the web app have a `#`, which a redirect URI may not have.
"""

from urllib.parse import urlencode

from starlette.routing import Route as Address
from starlette.types import Receive, Scope, Send

from farthing.identity.providers.states import LINKING

from ..answer import problems
from ..answer.headers import NOT_STORED
from ..answer.reply import Reply, make_reply, send_reply
from ..request.call import Answer
from ..request.query import read_query
from .health import METHODS

PATH = "/sign-in/callback"
# The page that started the sign-in; the prefix of the state tells which.
_PAGES = {True: "/settings/security", False: "/sign-in/provider"}
_PASSED_ON = ("code", "state", "iss", "error")
_CHARACTERS_MAX = 2000


def addresses() -> list[Address]:
    return [Address(PATH, SignInCallback())]


class SignInCallback:
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 -- ASGI's signature
        method = scope["method"]
        reply = _reply(scope) if method in METHODS else make_reply(problems.wrong_method(METHODS))
        await send_reply(reply, send, head=method == "HEAD")


def _reply(scope: Scope) -> Reply:
    query = read_query(scope["query_string"].decode("latin-1"))
    parameters = {name: query[name][:_CHARACTERS_MAX] for name in _PASSED_ON if name in query}
    page = _PAGES[parameters.get("state", "").startswith(LINKING)]
    location = f"{scope['state']['base']}/#{page}?{urlencode(parameters)}"
    reply = make_reply(Answer(None, 303, headers=(("location", location), ("content-length", "0"))))
    reply.headers.append(NOT_STORED)
    return reply
