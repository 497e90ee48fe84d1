"""Does the service work? `/health` asks the database, and needs no token."""

from msgspec import Struct
from starlette.routing import Route as Address
from starlette.types import Receive, Scope, Send

from ..errors import FarthingError, Unavailable
from ..storage.unit import Busy, Unit
from . import problems
from .call import Answer
from .endpoint import Kernel
from .reply import encoded, send_reply

_METHODS = ["GET", "HEAD"]


class Healthy(Struct):
    status: str


class Health:
    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 -- ASGI's signature
        method = scope["method"]
        answer = await self._answer() if method in _METHODS else problems.wrong_method(_METHODS)
        await send_reply(encoded(answer), send, head=method == "HEAD")

    async def _answer(self) -> Answer:
        try:
            await self._kernel.read(_ask)
        except Busy:
            pass  # someone is writing: it answers
        except FarthingError as error:
            return problems.answer_to(Unavailable(str(error)))
        return Answer(Healthy("ok"), media_type="application/json")


def addresses(kernel: Kernel) -> list[Address]:
    return [Address("/health", Health(kernel))]


def _ask(db: Unit) -> None:
    db.value("SELECT name FROM migrations LIMIT 1")
