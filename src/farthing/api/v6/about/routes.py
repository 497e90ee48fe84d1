"""Serves the running version and the current user."""

import platform

from msgspec import Struct

from farthing import __version__
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import Gate, Route
from farthing.storage.drivers import dialects

from ..objects.users import UserThing, make_user
from ..parts.documents import answer_one

# The version of the API description that we follow. Clients refuse servers whose version is too low.
DESCRIBED = "6.6.2"


class Installation(Struct, gc=False):
    """`version` and `api_version` are the version of the API description that this server follows. `php_version` holds
    the Python version, because clients expect a version under this name.
    """

    version: str
    api_version: str
    php_version: str
    os: str
    driver: str
    farthing_version: str


def show(call: Call) -> Answer:
    installation = Installation(
        version=DESCRIBED,
        api_version=DESCRIBED,
        php_version=platform.python_version(),
        os=platform.system(),
        driver=dialects.name(call.db),
        farthing_version=__version__,
    )
    return Answer(Item(installation))


def user(call: Call) -> Answer:
    return answer_one(make_user(call, call.caller.user))


ROUTES = (
    Route("GET", "/about", show, "Show the running version", gives=Item[Installation], gate=Gate.SELF),
    Route("GET", "/about/user", user, "Show the current user", gives=Item[UserThing], gate=Gate.SELF),
)
