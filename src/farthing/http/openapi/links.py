"""Links from an answer to the operations on the object that it holds."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..route import Route

if TYPE_CHECKING:
    from .schemas import Schema

_Links = dict[str, Any]
_REQUEST_PATH = "$request.path."


def names_in(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)


class Links:
    """An answer that shows an account links to the routes of accounts. `answer_of` returns the schema of an answer."""

    def __init__(self, routes: Sequence[Route], answer_of: "Callable[[Route], Schema]") -> None:
        self._routes = routes
        self._answer_of = answer_of
        self._homes = {_shown(answer_of(route)): route.path for route in routes if self._is_home(route)}

    def _is_home(self, route: Route) -> bool:
        """The list of all objects of a kind, each of which has an address below it."""
        is_list = route.method == "GET" and not names_in(route.path) and route.document is not None
        return is_list and not route.is_plain and any(_is_below(route.path, one.path) for one in self._routes)

    def of(self, route: Route) -> _Links:
        """From one object, or from the first of a list."""
        answer = self._answer_of(route)
        home = self._homes.get(_shown(answer))
        found = "$response.body#/data/0/id" if _is_list(answer) else "$response.body#/data/id"
        links = {one.name: _link(one, [found]) for one in self._routes if home and _is_below(home, one.path)}
        return links | self._inside(route)

    def _inside(self, route: Route) -> _Links:
        """From the days of a recurrence to one of them."""
        given = [f"{_REQUEST_PATH}{name}" for name in names_in(route.path)]
        inside = [one for one in self._routes if given and one.path.startswith(f"{route.path}/{{")]
        return {one.name: _link(one, [*given, f"$response.body#/data/0/{_PLANNED}"]) for one in inside}


_PLANNED = "planned_date"


def _link(target: Route, found: list[str]) -> dict[str, Any]:
    return {"operationId": target.name, "parameters": dict(zip(names_in(target.path), found, strict=True))}


def _is_below(path: str, other: str) -> bool:
    return other.startswith(f"{path}/{{") and len(names_in(other)) == 1


def _is_list(answer: "Schema") -> bool:
    return bool(answer["properties"]["data"].get("type") == "array")


def _shown(answer: "Schema") -> str | None:
    """The name of the schema of the object, or of those in the list."""
    data = answer["properties"].get("data", {})
    reference = data.get("items", data).get("$ref")
    return reference.rpartition("/")[2] if reference else None
