"""Serves the apps that a user has registered, and the access that they have granted to apps."""

from typing import Any

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Gate
from farthing.identity import tokens
from farthing.identity.apps import grants, store
from farthing.identity.apps.grants import Grant
from farthing.identity.apps.model import App
from farthing.identity.audit import Event
from farthing.kernel.errors import Forbidden

from ..resources.lists import things_without_uri
from ..resources.resource import Resource
from . import consent, wire

AppThing = Thing[wire.ThirdPartyAppAttributes]
NewAppThing = Thing[wire.NewThirdPartyAppAttributes]
GrantThing = Thing[wire.GrantAttributes]


def create(call: Call) -> Answer:
    call.session_only("register apps", "Sign in, or use `farthing app create`.")
    draft = wire.read_app(call.fields, is_owner=call.caller.user.is_owner)
    app, secret = store.add(call.db, call.user_id, draft, call.now)
    note(call, Event.APP_REGISTERED, about=app.name)
    return Answer(Item(thing(call.base, "apps", app.id, wire.show_new(app, secret))))


def remove(call: Call) -> Answer:
    app = _APPS.find(call)
    store.remove_own(call.db, call.user_id, app.id)
    note(call, Event.APP_DELETED, about=app.name)
    return NOTHING


def index_grants(call: Call) -> Answer:
    return _GRANTS.list_page(call)


def show_grant(call: Call) -> Answer:
    return _GRANTS.answer(call, _GRANTS.find(call))


def revoke_grant(call: Call) -> Answer:
    grant = _GRANTS.find(call)
    tokens.revoke_own(call.db, call.user_id, grant.id)
    note(call, Event.APP_REVOKED, about=grant.name)
    return NOTHING


_APPS: Resource[App, Any] = Resource(
    path="/apps",
    shows=AppThing,
    things=things_without_uri("apps", lambda _, app: wire.show(app)),
    get=store.get,
    page=store.page,
    gate=Gate.IDENTITY,
)
_GRANTS: Resource[Grant, Any] = Resource(
    path="/grants",
    shows=GrantThing,
    things=things_without_uri("grants", lambda call, grant: wire.show_grant(grant, is_owner=call.caller.user.is_owner)),
    finds=lambda call: or_404(grants.get(call.db, call.user_id, call.id, call.now)),
    page=grants.page,
    filters=lambda call: {"now": call.now},
    gate=Gate.IDENTITY,
)

ROUTES = (
    _APPS.index("List the apps that you have registered"),
    _APPS.create(
        "Register an app; its secret is shown only once", handler=create, gives=Item[NewAppThing],
        takes=wire.ThirdPartyAppBody, requires=("name", "redirect_uris"), shows_secret=True, fails=(Forbidden,),
    ),
    _APPS.show("Show an app"),
    _APPS.remove("Delete an app, and revoke all its access at once", handler=remove),
    _GRANTS.index("List the access that you have granted to apps", handler=index_grants),
    _GRANTS.show("Show what an app may do", handler=show_grant),
    _GRANTS.remove("Revoke the access of an app at once", handler=revoke_grant),
    *consent.ROUTES,
)  # fmt: skip
