"""Some of what is watched are processes."""

from ..cli.conftest import anywhere, owned, terminal

__all__ = ["anywhere", "owned", "terminal"]
