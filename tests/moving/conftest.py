"""Processes that read files stay for the next test: to start one takes longer than most of what tests let it read."""

from collections import defaultdict
from typing import Any

import pytest

from farthing.kernel.apart.reader import Reader

_idle: dict[int, list[tuple[Any, float]]] = defaultdict(list)


@pytest.fixture(autouse=True)
def _readers_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    awake, close = Reader._awake, Reader.close

    def awake_with_another(self: Reader) -> Any:
        idle = _idle[self._limits.memory_bytes]
        if self._child is None and not self._is_ended and idle:
            self._child, self._idle_since = idle.pop()
        return awake(self)

    def close_and_keep(self: Reader) -> None:
        if self._child and not self._is_at_work and not self._is_ended:
            _idle[self._limits.memory_bytes].append((self._child, self._idle_since))
            self._child = None
        close(self)

    monkeypatch.setattr(Reader, "_awake", awake_with_another)
    monkeypatch.setattr(Reader, "close", close_and_keep)
