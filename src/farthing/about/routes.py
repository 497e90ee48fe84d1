"""What runs here, and who is asking?"""

import platform

from .. import __version__
from ..http.call import Answer, Call
from ..http.document import Item, Thing
from ..http.relatives import caller_thing
from ..http.route import Route
from ..users.wire import UserAttributes
from .wire import Installation

API_VERSION = "0.7"


def show(call: Call) -> Answer:
    python, system = platform.python_version(), platform.system()
    return Answer(Item(Installation(__version__, API_VERSION, python, system, call.db.dialect)))


def user(call: Call) -> Answer:
    return Answer(Item(caller_thing(call)))


ROUTES = (
    Route("GET", "/about", show, "Show what runs here", gives=Item[Installation]),
    Route("GET", "/about/user", user, "Show yourself", gives=Item[Thing[UserAttributes]]),
)
