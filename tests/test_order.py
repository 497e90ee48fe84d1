"""The order of the tests: each process begins with long ones."""

from types import SimpleNamespace
from typing import Any

import pytest

from .conftest import put_long_first


def items_named(names: str) -> Any:
    """Long ones in capitals."""
    return [SimpleNamespace(name=name, get_closest_marker=lambda _, name=name: name.isupper()) for name in names]


@pytest.mark.parametrize(
    ("names", "processes", "order"),
    [
        ("abCdE", 1, "CEabd"),
        ("abcdefXYZg", 3, "Xab Ycd Zefg"),
        ("aXbcdYefg", 3, "Xab Ycd efg"),
        ("WXYZab", 2, "WYa XZb"),
        ("WXYZV", 4, "WV X Y Z"),
        ("", 3, ""),
    ],
)
def test_each_process_begins_with_its_share_of_the_long_tests(names: str, processes: int, order: str) -> None:
    ordered = put_long_first(items_named(names), processes=processes)

    assert "".join(one.name for one in ordered) == order.replace(" ", "")
