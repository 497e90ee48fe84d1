"""Tells monitoring whether the service works, without a token.

/livez    the process answers
/readyz   it can do its work: the database answers, is not damaged, and has the schema that this version needs
/health   as /readyz, but does not look at the schema
"""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct
from starlette.routing import Route as Address
from starlette.types import Receive, Scope, Send

from farthing.kernel.errors import FarthingError, FileGone, SchemaMismatch, Unavailable
from farthing.storage import migrations
from farthing.storage.unit import Unit

from ..answer import problems
from ..answer.reply import make_reply, send_reply
from ..handling.runtime import Runtime
from ..request.call import Answer

LIVE, READY, HEALTH, METRICS = PATHS = ("/livez", "/readyz", "/health", "/metrics")
METHODS = ["GET", "HEAD"]
# These reveal only whether the server works, so they answer to any host, and also when the server is overloaded.
PROBES = (LIVE.encode(), READY.encode(), HEALTH.encode())
# Monitoring does not wait long.
_ANSWER_WITHIN_S = 0.7


class Healthy(Struct):
    status: str


class Probe:
    """Serves a path that needs no user and ignores the body of the request."""

    def __init__(self, answer: Callable[[], Awaitable[Answer]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 -- ASGI's signature
        method = scope["method"]
        answer = await self._answer() if method in METHODS else problems.wrong_method(METHODS)
        await send_reply(make_reply(answer), send, head=method == "HEAD")


def addresses(runtime: Runtime) -> list[Address]:
    async def live() -> Answer:
        return _HEALTHY

    async def ready() -> Answer:
        return await _check(runtime, migrations.refuse_outdated)

    async def healthy() -> Answer:
        return await _check(runtime, migrations.probe)

    return [Address(path, Probe(answer)) for path, answer in ((LIVE, live), (READY, ready), (HEALTH, healthy))]


_HEALTHY = Answer(Healthy("ok"), media_type="application/json")


async def _check(runtime: Runtime, question: Callable[[Unit], None]) -> Answer:
    answer = await _ask(runtime, question)
    damage = runtime.outages.damage  # SQLite may answer the query from undamaged pages
    return problems.answer_to(damage) if damage else answer


async def _ask(runtime: Runtime, question: Callable[[Unit], None]) -> Answer:
    try:
        async with asyncio.timeout(_ANSWER_WITHIN_S):
            await runtime.ask(question)
    except TimeoutError:
        return problems.answer_to(Unavailable("The database does not answer in time."))
    except SchemaMismatch as error:
        return problems.not_ready(str(error))
    except FileGone as error:
        return problems.answer_to(error)
    except FarthingError as error:
        return problems.answer_to(Unavailable(str(error)))
    return _HEALTHY
