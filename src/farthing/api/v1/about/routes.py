"""Serves the running version and the current user."""

import platform

from msgspec import Struct

from farthing import __version__
from farthing.http.answer.document import Item, Thing
from farthing.http.request.call import Answer, Call
from farthing.http.route import Gate, Route
from farthing.storage.drivers import dialects

from ..serializers.users import UserAttributes, user_thing


class Installation(Struct, gc=False):
    """`php_version` holds the Python version, because clients expect a version under this name."""

    version: str
    api_version: str
    php_version: str
    os: str
    driver: str


API_VERSION = "0.7"


def show(call: Call) -> Answer:
    installation = Installation(
        version=__version__,
        api_version=API_VERSION,
        php_version=platform.python_version(),
        os=platform.system(),
        driver=dialects.name(call.db),
    )
    return Answer(Item(installation))


def user(call: Call) -> Answer:
    return Answer(Item(user_thing(call, call.caller.user)))


ROUTES = (
    Route("GET", "/about", show, "Show the running version", gives=Item[Installation], gate=Gate.SELF),
    Route("GET", "/about/user", user, "Show the current user", gives=Item[Thing[UserAttributes]], gate=Gate.SELF),
)
