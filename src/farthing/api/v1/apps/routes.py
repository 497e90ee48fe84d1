"""Serves the apps that somebody has registered, and the access that they have given to apps."""

from farthing.http.answer.document import Item, Page, Thing, thing
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import PAGED, Gate, Route
from farthing.identity import tokens
from farthing.identity.apps import grants, store
from farthing.identity.apps.grants import Grant
from farthing.identity.apps.model import App
from farthing.identity.audit import Event
from farthing.kernel.errors import Forbidden

from ..audit.noting import note
from . import consent, wire

AppThing = Thing[wire.ThirdPartyAppAttributes]
NewAppThing = Thing[wire.NewThirdPartyAppAttributes]
GrantThing = Thing[wire.GrantAttributes]


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, apps = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    return Answer(page(call, "/apps", [_thing(call, app) for app in apps], total))


def show(call: Call) -> Answer:
    return Answer(Item(_thing(call, _find(call))))


def create(call: Call) -> Answer:
    """Not with a token: a stolen one could make an app that asks its owner for more."""
    if call.caller.session_id is None:
        raise Forbidden("A token cannot register apps: sign in, or use `farthing app create`.")
    draft = wire.read_app(call.fields, is_owner=call.caller.user.is_owner)
    app, secret = store.add(call.db, call.user_id, draft, call.now)
    note(call, Event.APP_REGISTERED, about=app.name)
    return Answer(Item(thing(call.base, "apps", app.id, wire.show_new(app, secret))))


def remove(call: Call) -> Answer:
    app = _find(call)
    store.remove_own(call.db, call.user_id, app.id)
    note(call, Event.APP_DELETED, about=app.name)
    return NOTHING


def index_grants(call: Call) -> Answer:
    at = read_page_request(call)
    total, listed = grants.page(call.db, call.user_id, call.now, limit=at.size, offset=at.offset)
    return Answer(page(call, "/grants", [_grant_thing(call, grant) for grant in listed], total))


def show_grant(call: Call) -> Answer:
    return Answer(Item(_grant_thing(call, _find_grant(call))))


def revoke_grant(call: Call) -> Answer:
    grant = _find_grant(call)
    tokens.revoke_own(call.db, call.user_id, grant.id)
    note(call, Event.APP_REVOKED, about=grant.name)
    return NOTHING


def _find(call: Call) -> App:
    return or_404(store.get(call.db, call.user_id, call.id))


def _find_grant(call: Call) -> Grant:
    return or_404(grants.get(call.db, call.user_id, call.id, call.now))


def _thing(call: Call, app: App) -> AppThing:
    return thing(call.base, "apps", app.id, wire.show(app))


def _grant_thing(call: Call, grant: Grant) -> GrantThing:
    return thing(call.base, "grants", grant.id, wire.show_grant(grant, is_owner=call.caller.user.is_owner))


ROUTES = (
    Route(
        "GET", "/apps", index, "List the apps that you have registered",
        gives=Page[AppThing], parameters=PAGED, gate=Gate.IDENTITY,
    ),
    Route(
        "POST", "/apps", create, "Register an app; its secret is shown this once",
        gives=Item[NewAppThing], takes=wire.ThirdPartyAppBody, requires=("name", "redirect_uris"),
        gate=Gate.IDENTITY, shows_secret=True, fails=(Forbidden,),
    ),
    Route("GET", "/apps/{id}", show, "Show an app", gives=Item[AppThing], gate=Gate.IDENTITY),
    Route(
        "DELETE", "/apps/{id}", remove, "Delete an app; all access that it has ends at once", gate=Gate.IDENTITY
    ),
    Route(
        "GET", "/grants", index_grants, "List the access that you have given to apps",
        gives=Page[GrantThing], parameters=PAGED, gate=Gate.IDENTITY,
    ),
    Route("GET", "/grants/{id}", show_grant, "Show what an app may do", gives=Item[GrantThing], gate=Gate.IDENTITY),
    Route("DELETE", "/grants/{id}", revoke_grant, "End the access of an app, at once", gate=Gate.IDENTITY),
    *consent.ROUTES,
)  # fmt: skip
