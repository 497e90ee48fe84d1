"""The server as a process: it starts on nothing, answers, stops gently; and the first steps we promise work."""

import os
import re
import shlex
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import httpx2 as httpx
import pytest

from ..storage.test_migrations import planted
from .conftest import EMAIL, Server, kept_port

README = Path(__file__).parents[2] / "README.md"


def test_a_taken_port_is_one_line(terminal):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])

        line = terminal.fails("serve", "--port", port)

    assert line == (
        f"farthing: cannot listen on 127.0.0.1:{port}: "
        "the port is in use; stop the program that uses it, or choose another with --port"
    )


def test_serve_makes_the_database_itself_and_the_other_commands_work_beside_it(anywhere):
    with anywhere.serving() as server:
        anywhere.says("user", "create", "ann@example.org")
        token = anywhere.says("token", "create", "ann@example.org").strip()

        assert asked(server, token).json()["data"]["attributes"]["email"] == "ann@example.org"
        assert asked(server, "another").status_code == 401
        anywhere.says("user", "block", "ann@example.org")
        assert asked(server, token).status_code == 401
        anywhere.says("user", "unblock", "ann@example.org")
        assert asked(server, token).status_code == 200
        anywhere.says("token", "revoke", "1")
        assert asked(server, token).status_code == 401
        assert anywhere.says("doctor").startswith("No problems")
        anywhere.says("user", "delete", "ann@example.org", "--yes")
        assert anywhere.says("user", "list") == ""
        assert server.stop() == 0


def asked(server: Server, token: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return server.ask("GET", "/api/v1/about/user", headers=headers)


def test_a_request_in_flight_is_finished_before_the_server_stops(owned):
    token = owned.says("token", "create", "ann@example.org").strip()
    with owned.serving() as server, socket.create_connection(("127.0.0.1", server.port)) as line:
        head = f"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        line.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{".encode())
        server.ask("GET", "/health")  # by now the server has seen the first half
        server.process.terminate()
        while server.process.poll() is None and not refuses(server.port):
            time.sleep(0.02)

        line.sendall(b"}")

        assert line.recv(4096).startswith(b"HTTP/1.1 422")
        assert server.stopped() == 0


def refuses(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except (ConnectionRefusedError, ConnectionResetError):  # reset if it stops listening in that very moment
        return True
    return False


def test_welcome_makes_the_owner_once_and_its_curl_line_works(terminal):
    with terminal.serving() as server:
        first = terminal.says("welcome", "--port", str(server.port))
        again = terminal.says("welcome", "--port", str(server.port))

        curl = shlex.split(next(line for line in first.splitlines() if line.strip().startswith("curl")))
        header, url = curl[curl.index("-H") + 1], curl[-1]
        answer = server.ask("GET", url.removeprefix(server.address), headers=dict([header.split(": ", 1)]))

        assert answer.json()["data"]["attributes"]["email"] == "owner@localhost"
        assert "Bearer" not in again
        assert f"Farthing is at {server.address}\n" in again
        assert "token create owner@localhost" in again


def code_in(printed: str, page: str, address: str) -> str:
    """Behind the `#`, which browsers keep to themselves."""
    [code] = re.findall(rf"{re.escape(address)}/#/{page}\?code=([\w-]{{43}})$", printed, re.MULTILINE)
    return code


def test_without_anybody_serve_leaves_a_link_that_makes_the_owner_where_nobody_else_can_read_it(terminal):
    file = terminal.folder / "data" / "first-run-link.txt"
    with terminal.serving() as server:
        code = code_in(file.read_text(), "first-run", server.address)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert str(file) in server.log.read_text()
        assert server.printed == ""
        body = {"code": code, "email": "ann@example.org", "password": "correct horse battery"}

        made = server.ask("POST", "/api/v1/first_run", json=body)

        assert made.json()["data"]["attributes"]["role"] == "owner"
        cookie = made.headers["set-cookie"].partition(";")[0]
        who = server.ask("GET", "/api/v1/about/user", headers={"Cookie": cookie})
        assert who.json()["data"]["attributes"]["email"] == "ann@example.org"
        assert not file.exists()
        assert server.ask("POST", "/api/v1/first_run", json=body).status_code == 409
        assert code not in server.log.read_text()
        assert server.stop() == 0
    file.write_text("left by a server that was killed in between")
    with terminal.serving() as server:
        assert not file.exists(), "there is somebody now"
        assert server.stop() == 0


def test_the_link_for_the_first_run_goes_when_somebody_is_made_on_the_command_line(terminal):
    file = terminal.folder / "data" / "first-run-link.txt"
    with terminal.serving() as server:
        assert file.exists()

        terminal.says("user", "create", EMAIL, "--password-stdin", typed="correct horse battery\n")

        assert not file.exists()
        assert server.stop() == 0


def test_nothing_but_serve_and_migrate_changes_the_schema_and_nothing_under_a_running_server(owned, monkeypatch):
    """A newer version beside a server of an older one."""
    with owned.serving() as server:
        with monkeypatch.context() as newer:
            planted(newer, "CREATE TABLE later (id TEXT)")
            for words in ("user list", "user create x@y.example --password-stdin", "cron", "backup x.zip"):
                said = owned.run(*words.split(), typed="p" * 20).stderr
                assert "lacks 9998_planted: stop the server if one is running" in said
            assert "lacks 9998_planted" in owned.run("doctor").stdout
            for data in (owned.folder / "data", owned.folder / "other"):
                file = f"sqlite:///{owned.folder / 'data' / 'farthing.sqlite3'}"
                done = owned.run("migrate", FARTHING_DATA=str(data), FARTHING_DATABASE_URL=file)
                assert "A server of an older version is running on" in done.stderr
        assert server.ask("GET", "/readyz").status_code == 200
        assert server.stop() == 0

    planted(monkeypatch, "CREATE TABLE later (id TEXT)")
    assert "Applied 9998_planted." in owned.says("migrate")
    assert EMAIL in owned.says("user", "list")


def test_links_begin_with_the_public_address(terminal):
    with terminal.serving(FARTHING_BASE_URL="https://home.example/money") as server:
        link = (terminal.folder / "data" / "first-run-link.txt").read_text()
        assert server.process.poll() is None
        assert code_in(link, "first-run", "https://home.example/money")


def test_on_a_terminal_serve_prints_the_link(terminal):
    ours, theirs = os.openpty()
    with os.fdopen(ours, "rb", 0) as screen, kept_port() as keeper:
        port = keeper.getsockname()[1]
        process = subprocess.Popen(
            [sys.executable, "-m", "farthing", "serve", "--port", str(port)],
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            cwd=terminal.folder,
            env=terminal.environment,
            start_new_session=True,
            pass_fds=[keeper.fileno()],
        )
        os.close(theirs)
        try:
            seen = b""
            while b"code=" not in seen or not seen.endswith(b"\n"):
                seen += screen.read(4096)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    assert code_in(seen.decode().replace("\r", ""), "first-run", f"http://127.0.0.1:{port}")
    assert not (terminal.folder / "data" / "first-run-link.txt").exists()


def test_welcome_and_the_command_line_print_links_that_sign_in_once(terminal):
    printed = [terminal.says("welcome"), terminal.says("welcome")]
    printed.append(terminal.says("user", "sign-in-link", "owner@localhost"))
    codes = [code_in(text, "sign-in", "http://127.0.0.1:8000") for text in printed]
    assert terminal.says("user", "sign-in-link", "owner@localhost", "--host", "0.0.0.0", "--port", "81").startswith(
        "http://127.0.0.1:81/#/sign-in?code="
    )

    with terminal.serving() as server:
        assert server.printed == ""
        link = terminal.says("user", "sign-in-link", "owner@localhost")
        assert link.startswith(f"{server.address}/#/sign-in?code="), "the port that serves"
        for code in codes:
            signed = [signed_in(server, code=code) for _ in range(2)]
            assert [answer.status_code for answer in signed] == [200, 422]


def signed_in(server: Server, **body: str) -> httpx.Response:
    return server.ask("POST", "/api/v1/session", json=body)


def test_a_new_password_from_the_command_line_ends_sessions_and_links(owned):
    with owned.serving() as server:
        link = owned.says("user", "sign-in-link", "ann@example.org")
        cookie = signed_in(server, code=code_in(link, "sign-in", server.address)).headers["set-cookie"]
        later = owned.says("user", "sign-in-link", "ann@example.org")

        owned.says("user", "set-password", "ann@example.org", "--password-stdin", typed="a new password\n")

        headers = {"Cookie": cookie.partition(";")[0]}
        assert server.ask("GET", "/api/v1/session", headers=headers).status_code == 401
        assert signed_in(server, code=code_in(later, "sign-in", server.address)).status_code == 422
        assert signed_in(server, email="ann@example.org", password="a new password").status_code == 200


# Where several servers are at home.
@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_two_servers_count_attempts_together(anywhere):
    anywhere.says("user", "create", "ann@example.org")
    with anywhere.serving() as one, anywhere.serving() as other:
        servers = [one, other] * 6
        statuses = [signed_in(server, email="ann@example.org", password="wrong").status_code for server in servers]

        assert statuses == [422] * 10 + [429] * 2


def test_every_call_of_the_readme_works(owned):
    token = owned.says("token", "create", "ann@example.org").strip()
    shown = "\n".join(re.findall(r"```sh\n(.*?)```", README.read_text(), re.DOTALL))
    calls = [words for words in commands(shown.replace("$TOKEN", token)) if words[0] == "curl"]

    with owned.serving() as server:
        answers = [curled(call, server) for call in calls]

    assert [answer.status_code for answer in answers] == [200] * len(calls)
    assert len(calls) >= 5


def commands(script: str) -> list[list[str]]:
    """Commands end with their line, unless it ends in a backslash or within quotes."""
    found, pending = [], ""
    for line in script.splitlines():
        pending += line.removesuffix("\\") + "\n"
        if not line.endswith("\\") and pending.count("'") % 2 == 0:
            found.append(shlex.split(pending))
            pending = ""
    return [words for words in found if words]


def curled(words: list[str], server: Server) -> httpx.Response:
    """As much of curl as the page uses."""
    given: dict[str, list[str]] = {"-H": [], "-d": [], "-X": [], "": []}
    for option, word in pairs(words[1:]):
        given[option].append(word)
    headers = dict(header.split(": ", 1) for header in given["-H"])
    if given["-d"]:
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
    method = (given["-X"] or ["POST" if given["-d"] else "GET"])[0]
    path = given[""][0].removeprefix("http://127.0.0.1:8000")
    return server.ask(method, path, headers=headers, content="&".join(given["-d"]))


def pairs(words: list[str]) -> list[tuple[str, str]]:
    found, option = [], ""
    for word in words:
        if word in ("-H", "-d", "-X"):
            option = word
            continue
        found.append((option, word))
        option = ""
    return found
