"""The command that checks settings, database and port, and then runs the server."""

import errno
import logging
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from farthing.kernel.errors import Misconfigured, StorageRefused, Unavailable

from .basics import start
from .basics.addresses import first_run, public

if TYPE_CHECKING:
    from collections.abc import Callable

    from uvicorn import Server

    from farthing.kernel.config import Settings

# How long requests in progress may take to finish after the server is asked to stop.
GRACE_SECONDS = 30
# Far more than a household needs, and few enough to fit into memory.
WORKERS_MAX = 64
# A worker that does not respond for this long is replaced; on a busy machine, starting one takes seconds.
SILENT_SECONDS = 20


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all interfaces.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[
        int,
        typer.Option(
            help=f"Number of server processes, at most {WORKERS_MAX}. More processes than cores have no benefit.",
            min=1,
            max=WORKERS_MAX,
        ),
    ] = 1,
) -> None:
    """Run the server until Ctrl-C stops it. Requests in progress are finished first."""
    from farthing.care.backup import scratch
    from farthing.care.watch import presence
    from farthing.kernel import log
    from farthing.kernel.config import load

    from . import job_process, maintenance
    from .systemd import make_notifier

    settings = load()
    log.configure(settings)
    notifier = make_notifier(host, port)
    for sentence in start.list_warnings(settings):
        logging.getLogger("farthing").warning(sentence)
    _refuse_taken_port(host, port)
    _refuse_wrong_storage(settings)
    maintenance.refuse_migration_under_server(settings)
    maintenance.back_up_shared(settings)
    with start.open_with(settings, create=True, serve=True) as installation:  # creates and migrates the database first
        _offer_first_run(installation, host, port)
    scratch.sweep(settings)
    # Tests that set the clock wait for the job process, so it starts without a pause.
    first_answers_s = 0.0 if settings.testing else job_process.FIRST_ANSWERS_S
    with (
        presence.mark_server(settings.data, settings.database_file, presence.ServedAddress(host=host, port=port)),
        job_process.run_jobs(GRACE_SECONDS, lambda: _is_listening(host, port), first_answers_s),
    ):
        if notifier:
            notifier.start()
        _run(host, port, workers, settings, on_stop=notifier.stop if notifier else lambda: None)


def _refuse_wrong_storage(settings: "Settings") -> None:
    """Refuses a misconfigured storage. Only logs that a storage is unreachable, as books work without attachments."""
    from farthing.storage import blobs

    try:
        blobs.connect(settings).probe()
    except StorageRefused as error:
        raise Misconfigured(str(error).rstrip(".")) from None
    except Unavailable as error:
        logging.getLogger("farthing").error("attachments cannot be read or written yet: %s", error)


def _offer_first_run(at: start.LocalInstallation, host: str, port: int) -> None:
    """Shows a link to become the owner: on the terminal, or in a file that only the server's user can read."""
    from farthing.identity import links, users

    file = at.settings.data / links.FIRST_RUN_FILE
    with at.db.writing() as unit:
        if users.has_any(unit):
            links.remove_first_run_file(at.settings.data)
            return
        code = links.make_first_run(unit, at.now)
    link = first_run(public(at.settings, host, port), code)
    if sys.stdout.isatty():
        typer.echo("There are no users yet. This link makes you the owner; it works once, within 24 hours:\n")
        typer.echo(f"  {link}\n")
        return
    _write_secret(file, f"{link}\n")  # not logged, because logs are read by many people and kept for a long time
    logging.getLogger("farthing").warning(
        "there are no users yet: the link that makes you the owner is in %s; it works once, within 24 hours", file
    )


def _write_secret(file: Path, text: str) -> None:
    """Writes a file that only the user who runs Farthing can read, even if it existed with other permissions."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(text)


def _refuse_taken_port(host: str, port: int) -> None:
    """Checks the port before anything starts, so that the error is one line instead of a log."""
    import socket

    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:  # UnicodeError: a name that no host can have, such as a..b
        raise Misconfigured(f"cannot listen on {host}:{port}: {_describe_obstacle(error)}") from None


def _is_listening(host: str, port: int) -> bool:
    import socket

    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def _describe_obstacle(error: OSError | UnicodeError) -> str:
    if isinstance(error, UnicodeError):
        return "that is not a valid host name"
    if error.errno == errno.EADDRINUSE:
        return "the port is in use; stop the program that uses it, or choose another with --port"
    return error.strerror or str(error)


def _run(host: str, port: int, workers: int, settings: "Settings", *, on_stop: "Callable[[], object]") -> None:
    import uvicorn

    from farthing.http.request.proxies import Proxies
    from farthing.http.routing.allowed_hosts import is_loopback
    from farthing.http.server.connection import ConnectionFactory
    from farthing.http.server.open_connections import (
        RESERVED_DESCRIPTORS,
        WANTED_DESCRIPTORS,
        ConnectionLimits,
        fit_limits,
    )
    from farthing.http.server.uvicorn_internals import LoneServer, Workers

    descriptors = raise_descriptors(WANTED_DESCRIPTORS)
    limits = fit_limits(descriptors, RESERVED_DESCRIPTORS + settings.postgres_connections_max, ConnectionLimits())
    # After a graceful stop, uvicorn raises the signal again. Handled as an interrupt, it ends the process quietly.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = uvicorn.Config(
        "farthing.app:create_local_worker" if is_loopback(host) else "farthing.app:create_worker",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        loop="farthing.http.server.event_loop:ServerLoop",  # not uvloop, which loses wake-ups (ADR 24)
        http=ConnectionFactory(limits, Proxies(settings.trusted_proxies)),  # type: ignore[arg-type]  # uvicorn only calls it
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=limits.accepts_max,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_worker_healthcheck=SILENT_SECONDS,
    )
    if workers > 1:
        Workers(config, [config.bind_socket()], on_stop).run()
    else:
        _run_alone(LoneServer(config, on_stop))


def _run_alone(server: "Server") -> None:
    from farthing.http.server.uvicorn_internals import STARTUP_FAILURE

    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        raise typer.Exit(STARTUP_FAILURE)


def raise_descriptors(target: int) -> int:
    """Raises the limit of open files and connections as far as allowed, and returns it. Child processes inherit it."""
    try:
        import resource
    except ImportError:  # not a Unix system
        return target
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    ceiling = target if hard == resource.RLIM_INFINITY else min(target, hard)
    if soft == resource.RLIM_INFINITY or soft >= ceiling:
        return target if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (ceiling, hard))
    return ceiling
