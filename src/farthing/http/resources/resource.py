"""Declares and serves the standard routes of a resource: list, create, show, change and delete."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct
from pydantic import BaseModel

from farthing.storage.unit import Unit

from ..answer.document import All, Item, Page
from ..answer.includes import Include, answer, include
from ..request.call import NOTHING, Answer, Call, or_404
from ..route import PAGED, Gate, Parameter, Route
from .lists import Numbered, Things, answer_page

N = TypeVar("N", bound=Numbered)
D = TypeVar("D")
Handler = Callable[[Call], Answer]
_ITEM: Any = Item
_PAGE: Any = Page


def _not_served(*_: Any, **__: Any) -> Any:
    raise NotImplementedError("the noun has a handler of its own for this, or no such route")


class Resource(Struct, Generic[N, D], frozen=True, kw_only=True):
    """Serves a resource, and makes its routes. Each method from `index` on makes one route.

    `shows` is the type of an object in an answer, and `things` turns stored objects into this type. `get` finds an
    object by id; `finds` replaces `get` if the path can name an object in another way. `draft` reads and checks a body;
    its second argument is the object to change, or None for a new object. `add`, `update` and `delete` store the
    result. `filters` returns arguments for `page`, and `links` the query parameters that the links of a page repeat. If
    a link has no parameters, its query begins with `quirk`.

    `package` is the package of the version, which has a folder for each resource.

    A route can have its own `handler` if the standard one does not suffice. `more` overrides options that the routes
    share. `names` describes the id in the path. `includes_of_one` are the includes of a single object, if they differ
    from the includes of a list.
    """

    path: str
    shows: Any
    package: str
    things: Things[N] = _not_served
    get: Callable[[Unit, int, int], N | None] = _not_served
    finds: Callable[[Call], N] | None = None
    page: Callable[..., tuple[int, Sequence[N]]] = _not_served
    filters: Callable[[Call], dict[str, Any]] = lambda _: {}
    links: Callable[[Call], dict[str, str]] = lambda _: {}
    draft: Callable[[Call, N | None], D] = _not_served
    add: Callable[[Call, D], int] = _not_served
    update: Callable[[Call, N, D], object] = _not_served
    delete: Callable[[Call, N], object] = _not_served
    takes: type[BaseModel] | None = None
    requires: tuple[str, ...] = ()
    names: tuple[Parameter, ...] = ()
    includes: Mapping[str, Include] = {}
    includes_of_one: Mapping[str, Include] | None = None
    gate: Gate = Gate.BOOKS
    quirk: str = "&"

    def find(self, call: Call) -> N:
        """Finds the object that the path names, or answers 404."""
        return self.finds(call) if self.finds else self.read(call, call.id)

    def read(self, call: Call, object_id: int) -> N:
        return or_404(self.get(call.db, call.user_id, object_id))

    def answer(self, call: Call, stored: N) -> Answer:
        return answer(call, Item(self.things(call, [stored])[0]), [stored], self._includes_of_one)

    def show_all(self, call: Call, objects: Sequence[N]) -> All[Any]:
        """Shows objects as the answers for single ones do, with the relations that these always include."""
        document: All[Any] = All(self.things(call, objects))
        include(call, document, objects, self._includes_of_one)
        return document

    def answer_with(self, call: Call, object_id: int) -> Answer:
        """Answers with the object as it is stored now."""
        return self.answer(call, self.read(call, object_id))

    def list_page(self, call: Call) -> Answer:
        filters, links = self.filters(call), self.links(call)
        return answer_page(call, self.path, self.page, self.things, self.includes, links, quirk=self.quirk, **filters)

    def create_one(self, call: Call) -> Answer:
        return self.answer_with(call, self.add(call, self.draft(call, None)))

    def change_one(self, call: Call) -> Answer:
        stored = self.find(call)
        self.update(call, stored, self.draft(call, stored))
        return self.answer_with(call, stored.id)

    def adopt(self, handler: Handler) -> Handler:
        """Marks a function as a handler of this resource. The name of a route is made of both their names."""
        handler.__module__ = f"{self.package}.{self.path.split('/')[1].replace('-', '_')}.routes"
        return handler

    def index(self, summary: str, *filters: Parameter, handler: Handler | None = None, **more: Any) -> Route:
        @self.adopt
        def index(call: Call) -> Answer:
            return self.list_page(call)

        usual = {"gives": _PAGE[self.shows], "parameters": (*filters, *PAGED), "includes": self.includes}
        return Route("GET", self.path, handler or index, summary, **{"gate": self.gate, **usual, **more})

    def create(self, summary: str, *, handler: Handler | None = None, **more: Any) -> Route:
        @self.adopt
        def create(call: Call) -> Answer:
            return self.create_one(call)

        return Route("POST", self.path, handler or create, summary, **{**self._of_one(), **self._body(), **more})

    def show(self, summary: str, *parameters: Parameter, handler: Handler | None = None, **more: Any) -> Route:
        @self.adopt
        def show(call: Call) -> Answer:
            return self.answer(call, self.find(call))

        return self.own("GET", "", handler or show, summary, *parameters, **{**self._of_one(), **more})

    def change(self, summary: str, *, handler: Handler | None = None, **more: Any) -> Route:
        @self.adopt
        def change(call: Call) -> Answer:
            return self.change_one(call)

        return self.own("PUT", "", handler or change, summary, **{**self._of_one(), **self._body(), **more})

    def remove(self, summary: str, *, handler: Handler | None = None, **more: Any) -> Route:
        @self.adopt
        def remove(call: Call) -> Answer:
            self.delete(call, self.find(call))
            return NOTHING

        return self.own("DELETE", "", handler or remove, summary, **more)

    def act(self, tail: str, handler: Handler, summary: str, **more: Any) -> Route:
        """Makes a route that acts on one object and shows the result."""
        return self.own("POST", tail, handler, summary, **{**self._of_one(), **more})

    def listing(self, tail: str, handler: Handler, summary: str, of: Any, *filters: Parameter, **more: Any) -> Route:
        """Makes a route that lists what belongs to one object, page by page."""
        return self.own("GET", tail, handler, summary, *filters, *PAGED, gives=_PAGE[of], **more)

    def own(self, method: str, tail: str, handler: Handler, summary: str, *parameters: Parameter, **more: Any) -> Route:
        """Makes a route below the address of one object."""
        path = f"{self.path}/{{id}}/{tail}" if tail else f"{self.path}/{{id}}"
        return Route(
            method, path, handler, summary, **{"gate": self.gate, "parameters": (*self.names, *parameters), **more}
        )

    @property
    def _includes_of_one(self) -> Mapping[str, Include]:
        return self.includes if self.includes_of_one is None else self.includes_of_one

    def _of_one(self) -> dict[str, Any]:
        return {"gives": _ITEM[self.shows], "includes": self._includes_of_one, "gate": self.gate}

    def _body(self) -> dict[str, Any]:
        return {"takes": self.takes, "requires": self.requires}
