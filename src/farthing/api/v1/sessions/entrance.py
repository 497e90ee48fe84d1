"""Starts the session of a user who has just signed in, and sets its cookie."""

from farthing.http.answer.document import Item, Thing, thing
from farthing.http.request.call import Answer, Call
from farthing.http.request.visitor import Visitor
from farthing.identity.sign_in import begin
from farthing.identity.user import User

from . import wire

CurrentSession = Thing[wire.CurrentSessionAttributes]


def visitor(call: Call) -> Visitor:
    assert call.visitor is not None, "a route that is none of the books knows who asks"
    return call.visitor


def let_in(call: Call, user: User) -> Answer:
    """Ends any session the browser had before, so that nobody can plant one (session fixation)."""
    who = visitor(call)
    begun = begin(call.db, user.id, agent=who.agent, before=who.secret, now=call.now, days=call.settings.session_days)
    shown = wire.show_current(begun.session, user, begun.secret, undo_days=call.settings.trash_days)
    return Answer(
        Item(thing(call.base, "sessions", begun.session.id, shown)),
        headers=(who.cookie.set_header(begun.secret, begun.seconds),),
    )
