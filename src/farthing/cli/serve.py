"""The command that checks settings, database and port, and then runs the server."""

import errno
import logging
import signal
import socket
from typing import TYPE_CHECKING, Annotated

import typer

from farthing.kernel.errors import Misconfigured

if TYPE_CHECKING:
    from .basics.start import House

# How long requests in flight may take to finish once the server is told to stop.
GRACE_SECONDS = 30
# Far more than a household needs, and few enough to fit into memory.
WORKERS_MAX = 64
# A worker that does not respond for this long is replaced; on a busy machine, starting one takes seconds.
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
    from farthing.care.backup import scratch
    from farthing.care.watch import presence
    from farthing.kernel import log
    from farthing.kernel.config import load

    from . import beside
    from .basics import start

    settings = load()
    log.configure(settings)
    for sentence in start.list_warnings(settings):
        logging.getLogger("farthing").warning(sentence)
    _refuse_taken_port(host, port)
    with start.open_with(settings, create=True) as house:  # creates and migrates the database before the workers start
        _offer_first_run(house, host, port)
    scratch.sweep(settings)
    with presence.mark_server(settings.data, settings.database_file), beside.run_jobs(GRACE_SECONDS):
        _run(host, port, workers)


def _offer_first_run(at: "House", host: str, port: int) -> None:
    """Only someone who can read this terminal can become the owner."""
    from farthing.identity import links, users

    from .basics.addresses import first_run, public

    with at.db.writing() as unit:
        if users.has_any(unit):
            return
        code = links.make_first_run(unit, at.now)
    typer.echo("There are no users yet. This link makes you the owner; it works once, within 24 hours:\n")
    typer.echo(f"  {first_run(public(at.settings, host, port), code)}\n")


def _refuse_taken_port(host: str, port: int) -> None:
    """Checked before anything starts, so that the error is one line instead of a log."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:  # UnicodeError: a name that no host can have, such as a..b
        raise Misconfigured(f"cannot listen on {host}:{port}: {_describe_obstacle(error)}") from None


def _describe_obstacle(error: OSError | UnicodeError) -> str:
    if isinstance(error, UnicodeError):
        return "that is not a valid host name"
    if error.errno == errno.EADDRINUSE:
        return "the port is in use; stop the program that uses it, or choose another with --port"
    return error.strerror or str(error)


def _run(host: str, port: int, workers: int) -> None:
    import uvicorn

    # After a graceful stop uvicorn raises the signal once more; as an interrupt it ends quietly instead of killing us.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    uvicorn.run(
        "farthing.app:create_worker",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        loop="asyncio",  # uvloop loses wake-ups (ADR 26)
        http="httptools",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_worker_healthcheck=SILENT_SECONDS,
    )
