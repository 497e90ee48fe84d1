"""Links an answer to the operations on the object that it holds."""

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
    """Links each answer to the operations on the object that it shows: an account to the routes of accounts.

    `answer_of` returns the schema of a route's answer.
    """

    def __init__(self, routes: Sequence[Route], answer_of: "Callable[[Route], Schema]") -> None:
        self._routes = routes
        self._answer_of = answer_of
        self._homes = {_shown_type(answer_of(route)): route.path for route in routes if self._is_home(route)}

    def _is_home(self, route: Route) -> bool:
        """Tells whether the route lists all objects of one type, and each of these objects has its own address below
        the route.
        """
        is_list = route.method == "GET" and not names_in(route.path) and route.document is not None
        return is_list and not route.is_plain and any(_is_below(route.path, other.path) for other in self._routes)

    def of(self, route: Route) -> _Links:
        """Returns the links from the object in the answer or, if the answer is a list, from the first object in the
        list.
        """
        answer = self._answer_of(route)
        home = self._homes.get(_shown_type(answer))
        id_ = (
            "$response.body#/data/0/id"
            if answer["properties"]["data"].get("type") == "array"
            else "$response.body#/data/id"
        )
        links = {other.name: _link(other, [id_]) for other in self._routes if home and _is_below(home, other.path)}
        return links | self._link_inner(route)

    def _link_inner(self, route: Route) -> _Links:
        """Returns the links from a list below an object, such as a recurrence's days, to the operations on one item."""
        names = names_in(route.path)
        inner = [other for other in self._routes if names and _is_below(route.path, other.path, besides=len(names))]
        if not inner:
            return {}
        key = _PLANNED if names_in(inner[0].path)[-1] == "day" else "id"
        outer = [f"{_REQUEST_PATH}{name}" for name in names]
        return {other.name: _link(other, [*outer, f"$response.body#/data/0/{key}"]) for other in inner}


_PLANNED = "planned_date"


def _link(target: Route, expressions: list[str]) -> dict[str, Any]:
    return {"operationId": target.name, "parameters": dict(zip(names_in(target.path), expressions, strict=True))}


def _is_below(path: str, other: str, *, besides: int = 0) -> bool:
    return other.startswith(f"{path}/{{") and len(names_in(other)) == 1 + besides


def _shown_type(answer: "Schema") -> str | None:
    """Returns the name of the schema of the object in the answer, or of the objects in its list."""
    data = answer["properties"].get("data", {})
    reference = data.get("items", data).get("$ref")
    return reference.rpartition("/")[2] if reference else None
