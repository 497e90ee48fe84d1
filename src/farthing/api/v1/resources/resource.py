"""Declares the usual routes of a noun: list, create, show, change and delete."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from pydantic import BaseModel

from farthing.http.answer.document import Item, Page
from farthing.http.answer.includes import Include
from farthing.http.request.call import Answer, Call
from farthing.http.route import PAGED, Gate, Parameter, Route

Handler = Callable[[Call], Answer]
_ITEM: Any = Item
_PAGE: Any = Page


class Resource(Struct, frozen=True, kw_only=True):
    """Holds what the usual routes of a noun share. Each method makes one route; `more` overrides what they share.

    `shows` is the type of one object. `names` are parameters that describe the id in the path. `includes_of_one` are
    the includes of a single object, if they differ from those of the list.
    """

    path: str
    shows: Any
    takes: type[BaseModel] | None = None
    requires: tuple[str, ...] = ()
    names: tuple[Parameter, ...] = ()
    includes: Mapping[str, Include] = {}
    includes_of_one: Mapping[str, Include] | None = None
    gate: Gate = Gate.BOOKS

    def index(self, handler: Handler, summary: str, *filters: Parameter, **more: Any) -> Route:
        usual = {"gives": _PAGE[self.shows], "parameters": (*filters, *PAGED), "includes": self.includes}
        return Route("GET", self.path, handler, summary, **{"gate": self.gate, **usual, **more})

    def create(self, handler: Handler, summary: str, **more: Any) -> Route:
        return Route("POST", self.path, handler, summary, **{**self._of_one(), **self._body(), **more})

    def show(self, handler: Handler, summary: str, *parameters: Parameter, **more: Any) -> Route:
        return self.own("GET", "", handler, summary, *parameters, **{**self._of_one(), **more})

    def change(self, handler: Handler, summary: str, **more: Any) -> Route:
        return self.own("PUT", "", handler, summary, **{**self._of_one(), **self._body(), **more})

    def remove(self, handler: Handler, summary: str, **more: Any) -> Route:
        return self.own("DELETE", "", handler, summary, **more)

    def act(self, tail: str, handler: Handler, summary: str, **more: Any) -> Route:
        """Does something to one object and shows it."""
        return self.own("POST", tail, handler, summary, **{**self._of_one(), **more})

    def listing(self, tail: str, handler: Handler, summary: str, of: Any, *filters: Parameter, **more: Any) -> Route:
        """Lists what belongs to one object, page by page."""
        return self.own("GET", tail, handler, summary, *filters, *PAGED, gives=_PAGE[of], **more)

    def own(self, method: str, tail: str, handler: Handler, summary: str, *parameters: Parameter, **more: Any) -> Route:
        """A route below the address of one object."""
        path = f"{self.path}/{{id}}/{tail}" if tail else f"{self.path}/{{id}}"
        return Route(
            method, path, handler, summary, **{"gate": self.gate, "parameters": (*self.names, *parameters), **more}
        )

    def _of_one(self) -> dict[str, Any]:
        includes = self.includes if self.includes_of_one is None else self.includes_of_one
        return {"gives": _ITEM[self.shows], "includes": includes, "gate": self.gate}

    def _body(self) -> dict[str, Any]:
        return {"takes": self.takes, "requires": self.requires}
