"""Issues, renews and revokes the tokens of apps.

Refusals are returned, not raised, because raising an error would undo the count of attempts.
"""

import logging

from farthing.http.answer import problems
from farthing.http.request.call import Answer, Call
from farthing.http.route import Gate, Route
from farthing.identity import audit, tokens, users
from farthing.identity.apps import codes, grants, store
from farthing.identity.apps.authorization import OAuthError, OAuthRefusal
from farthing.identity.apps.codes import Code
from farthing.identity.apps.grants import IssuedTokens
from farthing.identity.apps.model import App
from farthing.identity.audit import AuditSource, Event
from farthing.identity.scopes import find_exceeding
from farthing.identity.sessions import name_device
from farthing.identity.signing_in import attempts
from farthing.kernel.errors import FarthingError

from . import wire

_LOG = logging.getLogger("farthing.apps")
_JSON = "application/json"
_PRAGMA = (("pragma", "no-cache"),)
_UNKNOWN = OAuthRefusal(OAuthError.INVALID_CLIENT, "there is no such app, or its secret is wrong")
_WRONG_CODE = OAuthRefusal(
    OAuthError.INVALID_GRANT, "the code was used before, is too old, or is not for this app and redirect_uri"
)
_WRONG_PROOF = OAuthRefusal(
    OAuthError.INVALID_GRANT, "the code_verifier does not match the code_challenge of the request"
)
_WRONG_REFRESH_TOKEN = OAuthRefusal(
    OAuthError.INVALID_GRANT, "the refresh token was used before, is too old, or was revoked"
)
_WRONG_SCOPE = OAuthRefusal(OAuthError.INVALID_SCOPE, "the scope may not exceed what was granted")
_WRONG_KIND = OAuthRefusal(OAuthError.UNSUPPORTED_GRANT_TYPE, "grant_type must be authorization_code or refresh_token")


def give_token(call: Call) -> Answer:
    attempts.count_for_app(call.db, call.visitor.address, call.now)
    app = _find_app(call)
    if isinstance(app, OAuthRefusal):
        return _refuse(call, app)
    kind = wire.read(call.fields, "grant_type")
    if kind == "authorization_code":
        issued = _exchange(call, app)
    elif kind == "refresh_token":
        issued = _renew(call, app)
    else:
        issued = _missing("grant_type") if not kind else _WRONG_KIND
    if isinstance(issued, OAuthRefusal):
        return _refuse(call, issued)
    attempts.forgive_app(call.db, call.visitor.address, call.now)
    return Answer(wire.show(issued), media_type=_JSON, headers=_PRAGMA)


def revoke(call: Call) -> Answer:
    """Revokes a token of the app.

    Also succeeds for unknown tokens and for tokens of other apps (RFC 7009), so that no app can find out whether they
    exist.
    """
    attempts.count_for_app(call.db, call.visitor.address, call.now)
    app = _find_app(call)
    if isinstance(app, OAuthRefusal):
        return _refuse(call, app)
    token = wire.read(call.fields, "token")
    if not token:
        return _refuse(call, _missing("token"))
    attempts.forgive_app(call.db, call.visitor.address, call.now)
    grant = grants.find_renewable(call.db, app.id, token) or grants.find_by_access_token(call.db, app.id, token)
    if grant and tokens.revoke_own(call.db, grant.user_id, grant.token_id):
        _note(call, Event.APP_REVOKED, grant.user_id, app)
    return Answer(None, headers=(("content-length", "0"),))


def _find_app(call: Call) -> App | OAuthRefusal:
    if isinstance(call.body, FarthingError):
        return OAuthRefusal(OAuthError.INVALID_REQUEST, "the body must be application/x-www-form-urlencoded")
    credentials = wire.read_credentials(call.visitor.authorization, call.body)
    if credentials is None:
        return OAuthRefusal(
            OAuthError.INVALID_REQUEST, "send the app's credentials either in the body or with HTTP Basic"
        )
    if not credentials.client_id:
        return _missing("client_id")
    return store.find_by_secret(call.db, credentials.client_id, credentials.secret) or _UNKNOWN


def _exchange(call: Call, app: App) -> IssuedTokens | OAuthRefusal:
    text = wire.read(call.fields, "code")
    if not text:
        return _missing("code")
    code = codes.find(call.db, app.id, text)
    # Locks the user first. Blocking a user or revoking tokens locks in the same order, which avoids a deadlock.
    if code is None or users.hold(call.db, code.user_id) is None:
        return _WRONG_CODE
    if not store.hold(call.db, app.id):
        return _UNKNOWN
    if not codes.use(call.db, code, call.now):
        _revoke_after_reuse(call, app, code, text)
        return _WRONG_CODE
    if code.redirect is not None and wire.read(call.fields, "redirect_uri") != code.redirect:
        return _WRONG_CODE
    if not codes.is_proven(code, wire.read(call.fields, "code_verifier")):
        return _WRONG_PROOF
    return _issue(call, app, code)


def _issue(call: Call, app: App, code: Code) -> IssuedTokens:
    issued = grants.issue(call.db, app, code, call.now, call.api_version)
    codes.note_token(call.db, code, issued.token_id)
    _LOG.info("app got tokens", extra={"user_id": code.user_id, "app_id": app.id})
    return issued


def _revoke_after_reuse(call: Call, app: App, code: Code, text: str) -> None:
    """Revokes the token that the code was exchanged for.

    A code that is used twice has been copied, and the copy may have been used first.
    """
    used = codes.find(call.db, app.id, text)  # read again, because another request may have used the code meanwhile
    if used and used.token_id and tokens.revoke_own(call.db, code.user_id, used.token_id):
        _note(call, Event.APP_SECRET_REUSED, code.user_id, app)


def _renew(call: Call, app: App) -> IssuedTokens | OAuthRefusal:
    text = wire.read(call.fields, "refresh_token")
    if not text:
        return _missing("refresh_token")
    renewable = grants.find_renewable(call.db, app.id, text)
    if renewable is None or users.hold(call.db, renewable.user_id) is None:
        return _WRONG_REFRESH_TOKEN
    granted = grants.get_scopes(call.db, renewable)
    if find_exceeding(granted, wire.read(call.fields, "scope").split()):
        return _WRONG_SCOPE
    try:
        return grants.renew(call.db, renewable, text, call.now) or _WRONG_REFRESH_TOKEN
    except grants.Reused:
        tokens.revoke_own(call.db, renewable.user_id, renewable.token_id)
        _note(call, Event.APP_SECRET_REUSED, renewable.user_id, app)
        return _WRONG_REFRESH_TOKEN


def _missing(name: str) -> OAuthRefusal:
    return OAuthRefusal(OAuthError.INVALID_REQUEST, f"{name} is missing")


def _refuse(call: Call, refusal: OAuthRefusal) -> Answer:
    is_unknown = refusal.error is OAuthError.INVALID_CLIENT
    asks_basic = is_unknown and call.visitor.authorization.lower().startswith("basic")
    return problems.answer_app(refusal.error, refusal.description, is_unknown=is_unknown, asks_basic=asks_basic)


def _note(call: Call, event: Event, user_id: int, app: App) -> None:
    """Records the event in the user's audit log.

    The device is recorded as known, because the app is identified by its secret.
    """
    who = call.visitor
    origin = AuditSource(address=who.address, device=name_device(who.agent), is_known=True)
    _LOG.warning("access of an app ended", extra={"user_id": user_id, "app_id": app.id, "reason": event.value})
    audit.note(call.db, user_id, event, origin, now=call.now, about=app.name)


ROUTES = (
    Route("POST", "/oauth/token", give_token, "Issue or renew the tokens of an app", gate=Gate.APP),
    Route("POST", "/oauth/revoke", revoke, "Revoke the access of an app", gate=Gate.APP),
)
