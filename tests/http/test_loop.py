"""The event loop of a server process."""

import asyncio
import socket

from farthing.http.server.event_loop import ServerLoop


def test_answers_are_sent_without_delay_on_a_socket_that_another_process_made():
    async def accept() -> int:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        class Accepting(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                ours = transport.get_extra_info("socket")
                accepted.set_result(ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0)  # without a protocol, as uvicorn hands it on
        bound.bind(("127.0.0.1", 0))
        async with await asyncio.get_running_loop().create_server(Accepting, sock=bound):
            with socket.create_connection(bound.getsockname()):
                return await asyncio.wait_for(accepted, 30)

    with asyncio.Runner(loop_factory=ServerLoop) as runner:
        assert runner.run(accept()) == 1
