"""Asks the user whether to authorize an app, and redirects the browser to the app with the answer."""

from farthing.http.answer.document import Item
from farthing.http.callers.noting import note
from farthing.http.request.call import Answer, Call
from farthing.http.route import Before, Gate, Parameter, Route, Runs
from farthing.identity import scopes
from farthing.identity.apps import authorization, codes, store
from farthing.identity.apps.authorization import NAMES, AppRequest, OAuthError, OAuthRefusal
from farthing.identity.apps.codes import CodeDraft
from farthing.identity.apps.model import App
from farthing.identity.audit import Event
from farthing.identity.sharing import members
from farthing.identity.user import Access
from farthing.kernel.errors import Forbidden, Invalid, TooMany, refuse_field

from ..sessions.entrance import (
    PasswordCheck,
    ask_current_password,
    check_password,
    is_recent,
    refuse_without_password,
    refuse_wrong_password,
)
from . import wire

_UNKNOWN = "This app is not registered here, or you may not use it."
_ELSEWHERE = "This app is not registered for this redirect address."
_DENIED = OAuthRefusal(OAuthError.ACCESS_DENIED, "the user denied access")


def show_request(call: Call) -> Answer:
    """Shows even an invalid request instead of redirecting: only signed-in users may be sent to an app (RFC 9700)."""
    request = wire.read_request(call.query)
    app, redirect = _find(call, request)
    refusal = authorization.find_refusal(app, request)
    refused = authorization.answer_with_refusal(redirect, request, refusal, call.base) if refusal else None
    request_shown = wire.show_request(
        app, request, redirect, user=call.caller.user, needs_password=_needs_password(call), refused=refused
    )
    return Answer(Item(request_shown))


def ask_password(call: Call) -> PasswordCheck | None:
    """Asks for the password, because an app's access outlasts a stolen session. Guesses are limited as at sign-in."""
    values = _read(call)
    if not values.allow or values.current_password is None:
        return None
    return ask_current_password(call, values.current_password)


def decide(call: Call) -> Answer:
    values = _read(call)
    request = wire.read_request(values.model_dump(include=set(NAMES)))
    app, redirect = _find(call, request)
    refusal = authorization.find_refusal(app, request) or (None if values.allow else _DENIED)
    if refusal:
        return _send(authorization.answer_with_refusal(redirect, request, refusal, call.base))
    refuse_wrong_password(call)
    if not store.hold(call.db, app.id):
        refuse_field("client_id", _UNKNOWN)
    code = codes.make(call.db, _draft(call, app, request, values), call.now)
    note(call, Event.APP_LET_IN, about=app.name)
    return _send(authorization.answer_with_code(redirect, request, code, call.base))


def _read(call: Call) -> wire.AuthorizationBody:
    call.session_only("authorize apps")
    refuse_without_password(call)
    return wire.read_decision(call.fields, needs_password=_needs_password(call))


def _needs_password(call: Call) -> bool:
    return call.caller.session_id is None or not is_recent(call)


def _find(call: Call, request: AppRequest) -> tuple[App, str]:
    """Finds the app and its redirect address. Never redirects to an unknown address, which may be an attacker's."""
    app = store.find_for_user(call.db, call.caller.user.id, request.client_id)
    if app is None:
        refuse_field("client_id", _UNKNOWN)
    redirect = authorization.find_redirect(app, request)
    if redirect is None:
        refuse_field("redirect_uri", _ELSEWHERE)
    return app, redirect


def _draft(call: Call, app: App, request: AppRequest, values: wire.AuthorizationBody) -> CodeDraft:
    granted = authorization.scopes_of(request)
    if values.read_only:
        granted = scopes.only_reading(granted)
    access = Access.READ if granted == scopes.only_reading(granted) else Access.FULL
    return CodeDraft(
        user_id=call.caller.user.id,
        app_id=app.id,
        redirect=request.redirect_uri or None,
        challenge=request.code_challenge or None,
        access=access.value,
        scopes=granted,
        books_id=_find_books(call, values.books_id),
    )


def _find_books(call: Call, books_id: int | None) -> int | None:
    if books_id is None or books_id == call.caller.user.id:
        return None
    if members.enter(call.db, call.caller, books_id) is None:
        refuse_field("books_id", "These books are not shared with you.")
    return books_id


def _send(address: str) -> Answer:
    return Answer(Item(wire.Redirect(redirect=address)))


_TEXT = {"type": "string"}
_PARAMETERS = (
    Parameter("client_id", _TEXT, "The client id of the app.", required=True),
    Parameter("redirect_uri", _TEXT, "The address to redirect to. May be omitted if the app has registered only one."),
    Parameter("response_type", _TEXT, "Must be `code`."),
    Parameter("scope", _TEXT, "The requested scopes, separated by spaces. If omitted, the app asks for everything."),
    Parameter("state", _TEXT, "Any text. It is added unchanged to the redirect address."),
    Parameter("code_challenge", _TEXT, "The PKCE challenge. Required for apps without a secret."),
    Parameter("code_challenge_method", _TEXT, "Must be `S256`."),
)
ROUTES = (
    Route(
        "GET", "/authorization", show_request, "Show what an app asks for, before it is authorized",
        gives=Item[wire.AuthorizationRequest], parameters=_PARAMETERS, gate=Gate.IDENTITY, fails=(Invalid,),
    ),
    Route(
        "POST", "/authorization", decide, "Authorize or deny an app, and return the address to redirect to",
        gives=Item[wire.Redirect], takes=wire.AuthorizationBody, requires=("client_id", "allow"),
        gate=Gate.IDENTITY, shows_secret=True, runs=Runs(before=Before(ask=ask_password, compute=check_password)),
        fails=(Forbidden, TooMany),
    ),
)  # fmt: skip
