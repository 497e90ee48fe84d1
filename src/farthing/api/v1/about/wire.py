"""Shows the installation."""

from msgspec import Struct


class Installation(Struct, gc=False):
    """`php_version` is a name that clients know and read as a version: it is the one of our language, Python."""

    version: str
    api_version: str
    php_version: str
    os: str
    driver: str
