"""How is the server run? Settings, database and port are checked first; then it is handed to uvicorn."""

import errno
import logging
import signal
import socket
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import Misconfigured

if TYPE_CHECKING:
    from .start import House

# How long requests in flight may take to finish once the server is told to stop.
GRACE_SECONDS = 30
# Far more than a household needs, and still far from where starting them takes all memory.
WORKERS_MAX = 64
# A worker that shows no sign of life for so long is replaced. On a busy machine it takes seconds to begin at all.
SILENT_SECONDS = 20


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all of this machine's.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[
        int,
        typer.Option(
            help=f"Server processes; more than processor cores gain nothing, more than {WORKERS_MAX} are refused.",
            min=1,
            max=WORKERS_MAX,
        ),
    ] = 1,
) -> None:
    """Run the server until Ctrl-C; requests in flight are finished first."""
    from .. import log
    from ..config import load
    from ..watch import presence
    from . import beside, start

    settings = load()
    log.configure(settings)
    for sentence in start.warnings(settings):
        logging.getLogger("farthing").warning(sentence)
    _refuse_taken_port(host, port)
    with start.opened(settings) as house:  # one process makes and migrates the database; the workers find it ready
        _offer_first_run(house, host, port)
    with presence.serving(settings.data), beside.jobs(GRACE_SECONDS):
        _run(host, port, workers)


def _offer_first_run(at: "House", host: str, port: int) -> None:
    """Whoever reads this terminal, and nobody else, may become the owner."""
    from ..sessions import links
    from ..users import store as users
    from .addresses import first_run, public

    with at.db.writing() as unit:
        if users.is_anyone(unit):
            return
        code = links.make_first_run(unit, at.now)
    typer.echo("Nobody uses Farthing here yet. This link makes you its owner; it works once, for 24 hours:\n")
    typer.echo(f"  {first_run(public(at.settings, host, port), code)}\n")


def _refuse_taken_port(host: str, port: int) -> None:
    """Asked before anything is started, because the answer is then one line instead of a log."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:  # the latter of a name that no host can have, such as a..b
        raise Misconfigured(f"cannot listen on {host}:{port}: {_obstacle(error)}") from None


def _obstacle(error: OSError | UnicodeError) -> str:
    if isinstance(error, UnicodeError):
        return "that is no name of a host"
    if error.errno == errno.EADDRINUSE:
        return "the port is in use; stop what uses it or give another with --port"
    return error.strerror or str(error)


def _run(host: str, port: int, workers: int) -> None:
    import uvicorn

    # After a graceful stop uvicorn raises the signal once more; as an interrupt it ends quietly instead of killing us.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    uvicorn.run(
        "farthing.cli.worker:create",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        http="httptools",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_worker_healthcheck=SILENT_SECONDS,
    )
