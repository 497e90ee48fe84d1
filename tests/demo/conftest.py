"""The terminal of the command line's tests, here as well."""

from ..cli.conftest import anywhere, terminal

__all__ = ["anywhere", "terminal"]
