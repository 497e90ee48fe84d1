"""Nobody has tried to sign in before: these tests do so often, and all from one address."""

from ..sessions.conftest import world

__all__ = ["world"]
