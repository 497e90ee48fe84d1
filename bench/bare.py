"""Floor (a), the cost of HTTP alone: a bare ASGI app under the same server, answering the same bytes."""

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

_ANSWERS = "BENCH_ANSWERS"
Answer = tuple[list[tuple[bytes, bytes]], bytes]


class Bare:
    """Has every answer ready, by method and path."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self._answers = answers

    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[dict[str, Any]]],
        send: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        if scope["method"] != "GET":
            while (await receive()).get("more_body"):
                pass
        headers, body = self._answers[f"{scope['method']} {scope['path']}?{scope['query_string'].decode()}"]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def answer_of(received: bytes) -> Answer:
    """A received answer in the form the app sends it; the server adds the date itself."""
    head, _, body = received.partition(b"\r\n\r\n")
    pairs = (line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
    return [(name, value) for name, value in pairs if name.lower() not in (b"date", b"connection")], body


def create() -> Bare:
    """In each worker."""
    return Bare(msgspec.msgpack.decode(Path(os.environ[_ANSWERS]).read_bytes(), type=dict[str, Answer]))


def serve(answers: Path, workers: int, port: int) -> None:
    import uvicorn

    os.environ[_ANSWERS] = str(answers)
    uvicorn.run(
        "bench.bare:create", factory=True, workers=workers, port=port, loop="asyncio", http="httptools", lifespan="off",
        log_config=None, access_log=False, server_header=False, proxy_headers=False,
    )  # fmt: skip


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
