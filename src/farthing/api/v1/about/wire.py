"""Describes the installation."""

from msgspec import Struct


class Installation(Struct, gc=False):
    """`php_version` holds the Python version, because clients expect a version under this name."""

    version: str
    api_version: str
    php_version: str
    os: str
    driver: str
