"""What does somebody get who has just come in? A session of their own, and the cookie that keeps it."""

from ..sessions import wire
from ..sessions.begin import begin
from ..users.model import User
from .call import Answer, Call
from .document import Item, Thing, thing
from .visitor import Visitor

CurrentSession = Thing[wire.CurrentSessionAttributes]


def visitor(call: Call) -> Visitor:
    assert call.visitor is not None, "a route that is none of the books knows who asks"
    return call.visitor


def let_in(call: Call, user: User) -> Answer:
    """Whatever session the browser had before ends: nobody gets into one that somebody else has prepared."""
    who = visitor(call)
    begun = begin(call.db, user.id, agent=who.agent, before=who.secret, now=call.now, days=call.settings.session_days)
    shown = thing(call.base, "sessions", begun.session.id, wire.show_current(begun.session, user, begun.secret))
    return Answer(Item(shown), headers=(who.jar.kept(begun.secret, begun.seconds),))
