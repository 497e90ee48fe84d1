"""How does chance get anywhere? Most of what is sent is near to what was accepted once, with ids that there are."""

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from hypothesis import strategies as st

from .house import Seeds

# The household has no more objects of a kind than this, and some fewer.
_ID_MAX = 25
_IDS = st.integers(1, _ID_MAX)
_FEW = 3
# Beyond the server's today, where it matters.
_DAYS_LATER = st.integers(40, 400)
# What must often be another one each time.
_OWN_NAMES = ("name", "title", "match", "tag")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def near(seeds: Seeds) -> dict[str, Callable[..., Any]]:
    """Hooks by their names; each gets what was drawn from the document, and says what may stand in for it."""

    def flatmap_body(context: Any, body: Any) -> st.SearchStrategy[Any]:
        known = _known(seeds, context.operation.label)
        if not known or not isinstance(body, dict):
            return st.just(body)
        return st.one_of(st.just(body), _altered(known, body), _altered(known, body))

    def flatmap_path_parameters(context: Any, given: Any) -> st.SearchStrategy[Any]:
        """What is deleted was found through a link: else the house would soon be empty, and nothing could be made."""
        if not isinstance(given, dict) or "id" not in given or context.operation.method.upper() == "DELETE":
            return st.just(given)
        return st.one_of(st.just(given), _IDS.map(lambda number: {**given, "id": str(number)}))

    return {
        "flatmap_body": flatmap_body,
        "flatmap_path_parameters": flatmap_path_parameters,
    }


def _known(seeds: Seeds, operation: str) -> list[dict[str, Any]]:
    """What makes a thing also changes it, or tries it out: `PUT /bills/{id}` takes what `POST /bills` takes."""
    above = operation.partition(" ")[2].rpartition("/")[0]
    return seeds.get(operation) or seeds.get(f"POST {above}", [])


@st.composite
def _altered(draw: st.DrawFn, known: list[dict[str, Any]], drawn: Mapping[str, Any]) -> dict[str, Any]:
    """An accepted body, later and under another name; with ids of what may be there, and a few fields as drawn."""
    days, number = draw(_DAYS_LATER), draw(st.integers(0, 10**6))
    body = {name: _later(value, days) for name, value in draw(st.sampled_from(known)).items()}
    for name in list(body):
        if name in _OWN_NAMES:
            body[name] = f"{body[name]} {number}"
        elif name.endswith("_id"):
            body[name] = draw(st.one_of(st.just(body[name]), _IDS))
    for name in draw(st.lists(st.sampled_from(sorted({*drawn, *body})), max_size=_FEW)):
        if name in drawn:
            body[name] = drawn[name]
        else:
            body.pop(name, None)
    return body


def _later(value: Any, days: int) -> Any:
    if isinstance(value, str) and _DAY.fullmatch(value):
        return (date.fromisoformat(value) + timedelta(days=days)).isoformat()
    if isinstance(value, list):
        return [_later(one, days) for one in value]
    if isinstance(value, dict):
        return {name: _later(one, days) for name, one in value.items()}
    return value
