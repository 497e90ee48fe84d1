"""Answers health checks of monitoring, which need no token.

/livez    the process answers
/readyz   it can do its work: the database answers, is not damaged, and has the schema that this version needs
/health   like /readyz, but without a check of the schema
"""

import asyncio
from collections.abc import Callable
from functools import partial

from msgspec import Struct
from starlette.routing import Route as Address
from starlette.types import Scope

from farthing.kernel.errors import FarthingError, FileGone, SchemaMismatch, Unavailable
from farthing.storage import migrations
from farthing.storage.unit import Unit

from ..answer import problems
from ..answer.reply import GetEndpoint
from ..handling.runtime import Runtime
from ..request.call import Answer

LIVE, READY, HEALTH, METRICS = PATHS = ("/livez", "/readyz", "/health", "/metrics")
# These reveal only whether the server works, so they answer to any host, and also when the server is overloaded.
PROBES = (LIVE.encode(), READY.encode(), HEALTH.encode())
# Monitoring does not wait long.
_ANSWER_WITHIN_S = 0.7


class Healthy(Struct):
    status: str


def addresses(runtime: Runtime) -> list[Address]:
    questions = {READY: migrations.refuse_outdated, HEALTH: migrations.probe}
    checks = [Address(path, GetEndpoint(partial(_check, runtime, question))) for path, question in questions.items()]
    return [Address(LIVE, GetEndpoint(lambda _scope: _HEALTHY)), *checks]


_HEALTHY = Answer(Healthy("ok"), media_type="application/json")


async def _check(runtime: Runtime, question: Callable[[Unit], None], _scope: Scope) -> Answer:
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
