"""Declares the resources of version 1."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.resources import resource
from farthing.http.resources.lists import Numbered
from farthing.http.route import Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import Id, RequestBody, described, parse_complete
from farthing.kernel.limits import ORDER_MAX
from farthing.kernel.parsed import ensure
from farthing.storage.unit import Unit

N = TypeVar("N", bound=Numbered)
D = TypeVar("D")


class OrderBody(RequestBody):
    ids: list[Id] | None = described("The ids in their new order. All others follow in the order they have.")


class Resource(resource.Resource[N, D], frozen=True, kw_only=True):
    package: str = "farthing.api.v1"

    def arrange(self, put_in_order: Callable[[Unit, int, Sequence[int]], list[int]], summary: str) -> Route:
        """Makes a route that puts the objects into an order, as one change."""

        @self.adopt
        def arrange(call: Call) -> Answer:
            ids = ensure(parse_complete(OrderBody, call.fields, "ids").ids)
            if len(ids) > ORDER_MAX or len(ids) > len(set(ids)):
                refuse_field("ids", f"The ids must be different, and at most {ORDER_MAX}.")
            if unknown := put_in_order(call.db, call.user_id, ids):
                number = ids.index(unknown[0]) + 1
                refuse_field("ids", f"The selected ids are invalid: number {number} of them does not exist.")
            return NOTHING

        return Route("PUT", f"{self.path}/order", arrange, summary, takes=OrderBody, requires=("ids",), gate=self.gate)
