"""What no command can use is one line: bytes that are no text, numbers beyond any that there are."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
import typer

from farthing.cli.main import app

from .conftest import Terminal

NO_TEXT = "a\udcff"  # as the byte 255 comes from the command line
BEYOND = "99999999999999999999999"


@pytest.mark.parametrize(
    "words",
    [
        ("user", "create", f"{NO_TEXT}@example.org"),
        ("user", "block", f"{NO_TEXT}@example.org"),
        ("token", "create", f"{NO_TEXT}@example.org"),
        ("token", "create", "ann@example.org", "--name", NO_TEXT),
        ("token", "create", "ann@example.org", f"--name={NO_TEXT}"),
        ("trash", "list", NO_TEXT),
        ("backup", f"{NO_TEXT}.zip"),
        ("backup", "verify", f"{NO_TEXT}.zip"),
        ("restore", f"{NO_TEXT}.zip"),
        ("copy", "--to", f"sqlite:///{NO_TEXT}"),
        ("serve", "--host", NO_TEXT),
        ("cron", "--date", NO_TEXT),
        ("demo", "--email", NO_TEXT),
        (NO_TEXT,),
    ],
)
def test_words_that_are_no_text_are_refused_before_anything_is_done(terminal: Terminal, words: tuple[str, ...]) -> None:
    line = terminal.fails(*words, code=2)

    assert "a\\xff" in line
    assert "is not UTF-8 text" in line
    assert not (terminal.folder / "data").exists()


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
@pytest.mark.parametrize("command", ["create", "set-password"])
def test_a_password_that_is_no_text_is_refused(owned: Terminal, command: str, errors: str) -> None:
    done = fed(owned, b"\xff\xfeaaaaaaaaaa\n", "user", command, "ann@example.org", "--password-stdin", errors=errors)

    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"farthing: the password is not UTF-8 text\n"


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_an_answer_that_is_no_text_is_no_yes(owned: Terminal, errors: str) -> None:
    done = fed(owned, b"\xff\n", "user", "delete", "ann@example.org", errors=errors)

    assert done.returncode == 1
    assert done.stderr.endswith(b"farthing: stopped; nothing was changed\n")


def fed(terminal: Terminal, typed: bytes, *words: str, errors: str) -> "subprocess.CompletedProcess[bytes]":
    """How Python takes bytes that are no text depends on the locale."""
    environment = terminal.environment | {"PYTHONIOENCODING": f"utf-8:{errors}"}
    command = [sys.executable, "-m", "farthing", *words]
    return subprocess.run(command, input=typed, capture_output=True, cwd=terminal.folder, env=environment, check=False)


def test_without_standard_input_there_is_no_password(owned: Terminal) -> None:
    done = closed(owned, "<&-", "user set-password ann@example.org --password-stdin")

    assert (done.returncode, done.stderr) == (1, "farthing: no password on standard input\n")


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-"])
def test_closed_streams_are_no_obstacle(owned: Terminal, stream: str) -> None:
    done = closed(owned, stream, "user list")

    assert (done.returncode, done.stderr) == (0, "")


def closed(terminal: Terminal, stream: str, words: str) -> "subprocess.CompletedProcess[str]":
    """As only a shell can close it."""
    command = ["sh", "-c", f"exec {sys.executable} -m farthing {words} {stream}"]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=terminal.folder, env=terminal.environment, check=False
    )


@pytest.mark.parametrize("name", ["FARTHING_DATA", "FARTHING_DATABASE_URL", "FARTHING_BASE_URL", "FARTHING_TIMEZONE"])
def test_a_setting_that_is_no_text_is_named(terminal: Terminal, name: str) -> None:
    values = {"FARTHING_DATABASE_URL": "sqlite:////tmp/{}", "FARTHING_BASE_URL": "http://{}"}

    line = terminal.fails("user", "list", **{name: values.get(name, "/tmp/{}").format(NO_TEXT)})

    assert line.startswith(f"farthing: {name} is '")
    assert line.endswith("is not UTF-8 text")


def test_a_home_that_is_no_text_is_told_as_the_data_folder_that_lies_in_it(terminal: Terminal) -> None:
    line = terminal.fails("user", "list", FARTHING_DATA="", XDG_DATA_HOME="", HOME=f"{terminal.folder}/{NO_TEXT}")

    assert line.startswith("farthing: FARTHING_DATA is '")


def test_a_place_to_copy_to_that_is_no_text_because_of_the_working_folder(owned: Terminal) -> None:
    inside = owned.folder / NO_TEXT
    inside.mkdir()
    elsewhere = Terminal(inside)

    line = elsewhere.fails("copy", "--to", "sqlite:///new", FARTHING_DATA=str(owned.folder / "data"))

    assert line == "farthing: --to points into a folder whose name is not UTF-8 text"


def test_a_host_that_can_have_no_such_name_is_one_line(terminal: Terminal) -> None:
    assert terminal.fails("serve", "--host", "a..b") == (
        "farthing: cannot listen on a..b:8000: that is not a valid host name"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("token", "revoke", BEYOND),
        ("trash", "restore", BEYOND),
        ("trash", "empty", "--yes", "--days", "99999999999999"),
        ("token", "create", "ann@example.org", "--expires", BEYOND),
        ("demo", "--years", BEYOND),
        ("welcome", "--port", BEYOND),
    ],
)
def test_a_number_beyond_all_that_there_are_is_one_line(terminal: Terminal, words: tuple[str, ...]) -> None:
    assert "less than or equal to" in terminal.fails(*words, code=2)


def test_every_number_of_every_command_has_a_lowest_and_a_highest() -> None:
    numbers = {
        f"{command.__module__}.{command.__name__} {name}": about
        for command in every_command(app)
        for name, (kind, about) in options_of(command).items()
        if kind in (int, int | None)
    }

    assert "farthing.cli.serve.serve workers" in numbers
    assert [name for name, about in numbers.items() if None in (about.min, about.max)] == []


def every_command(group: typer.Typer) -> Iterator[Callable[..., Any]]:
    yield from (command.callback for command in group.registered_commands if command.callback)
    for inner in group.registered_groups:
        yield from every_command(inner.typer_instance)


def options_of(command: Callable[..., Any]) -> dict[str, tuple[Any, Any]]:
    hints = get_type_hints(command, include_extras=True)
    return {name: get_args(hint)[:2] for name, hint in hints.items() if get_origin(hint) is Annotated}
