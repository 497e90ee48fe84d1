"""Serves the apps that a user has registered, and the access that they have granted to apps."""

from collections.abc import Sequence

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Gate
from farthing.identity import tokens
from farthing.identity.apps import grants, store
from farthing.identity.apps.grants import Grant
from farthing.identity.apps.model import App
from farthing.identity.audit import Event
from farthing.kernel.errors import Forbidden

from ..audit.noting import note
from ..resources.lists import answer_page
from ..resources.resource import Resource
from . import consent, wire

AppThing = Thing[wire.ThirdPartyAppAttributes]
NewAppThing = Thing[wire.NewThirdPartyAppAttributes]
GrantThing = Thing[wire.GrantAttributes]


def index(call: Call) -> Answer:
    return answer_page(call, "/apps", store.page, lambda call, apps: [_thing(call, app) for app in apps])


def show(call: Call) -> Answer:
    return Answer(Item(_thing(call, _find(call))))


def create(call: Call) -> Answer:
    """Refuses tokens, because a stolen one could register an app that asks its owner for more."""
    if call.caller.session_id is None:
        raise Forbidden("A token cannot register apps. Sign in, or use `farthing app create`.")
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
    def things(call: Call, grants: Sequence[Grant]) -> list[GrantThing]:
        return [_grant_thing(call, grant) for grant in grants]

    return answer_page(call, "/grants", grants.page, things, now=call.now)


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


_APPS = Resource(path="/apps", shows=AppThing, gate=Gate.IDENTITY)
_GRANTS = Resource(path="/grants", shows=GrantThing, gate=Gate.IDENTITY)

ROUTES = (
    _APPS.index(index, "List the apps that you have registered"),
    _APPS.create(
        create, "Register an app; its secret is shown only once", gives=Item[NewAppThing],
        takes=wire.ThirdPartyAppBody, requires=("name", "redirect_uris"), shows_secret=True, fails=(Forbidden,),
    ),
    _APPS.show(show, "Show an app"),
    _APPS.remove(remove, "Delete an app; all its access ends at once"),
    _GRANTS.index(index_grants, "List the access that you have granted to apps"),
    _GRANTS.show(show_grant, "Show what an app may do"),
    _GRANTS.remove(revoke_grant, "Revoke the access of an app at once"),
    *consent.ROUTES,
)  # fmt: skip
