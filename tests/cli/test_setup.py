"""What sets Farthing up on a machine: completions, manual pages, the service, and the look before an upgrade."""

import re
import subprocess
import sys
from contextlib import closing

import pytest

from farthing.care.doctor.upgrade import check_upgrade
from farthing.storage import migrations
from farthing.storage.drivers import open as database

from ..conftest import settings_for

# Completions


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_completion_script(terminal, shell):
    assert f"_FARTHING_COMPLETE=complete_{shell}" in terminal.says("completion", shell)


def test_bash_completes_commands_and_options(terminal, tmp_path):
    (tmp_path / "farthing").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m farthing "$@"\n')
    (tmp_path / "farthing").chmod(0o755)
    asking = f"""
        {terminal.says("completion", "bash")}
        PATH="{tmp_path}:$PATH"
        COMP_WORDS=(farthing upg) COMP_CWORD=1; _farthing_completion farthing; echo "${{COMPREPLY[@]}}"
        COMP_WORDS=(farthing serve --wo) COMP_CWORD=2; _farthing_completion farthing; echo "${{COMPREPLY[@]}}"
        COMP_WORDS=(farthing serve --port 80 --wo) COMP_CWORD=4; _farthing_completion farthing; echo "${{COMPREPLY[@]}}"
    """

    completed = subprocess.run(["bash", "-c", asking], capture_output=True, text=True, check=True).stdout

    assert completed.split() == ["upgrade-check", "--workers", "--workers"]


def test_a_completion_does_not_load_what_checks_values(monkeypatch):
    asked = {"_FARTHING_COMPLETE": "complete_bash", "COMP_WORDS": "farthing serve --port 80 --wo", "COMP_CWORD": "4"}
    for name, text in asked.items():
        monkeypatch.setenv(name, text)
    words = [sys.executable, "-X", "importtime", "-m", "farthing"]

    loaded = subprocess.run(words, capture_output=True, text=True, check=True).stderr

    assert "typer.core" in loaded
    assert not re.search(r"\| +(pydantic|rich)$", loaded, re.MULTILINE)


# Manual pages


def test_every_command_has_a_manual_page(terminal):
    terminal.says("man", "pages")
    pages = {page.stem: page.read_text() for page in (terminal.folder / "pages").iterdir()}

    assert {"farthing", "farthing-serve", "farthing-user", "farthing-user-create"} <= pages.keys()
    assert "\\fBfarthing\\-token\\-create\\fR(1)" in pages["farthing"]
    assert "\\fBFARTHING_DATABASE_URL\\fR" in pages["farthing"]
    assert re.search(r"\\fB\\-\\-port <int range>\\fR\nPort to listen on\.", pages["farthing-serve"])
    assert all(page.startswith(".TH ") for page in pages.values())


# The service


# As if it were terminal in a place that the service can read: the tests may run from a home folder.
INSTALL = ("install-service", "--folder", "units", "--program", "/usr/bin/env")


def test_the_service_is_written_only_after_asking(terminal):
    refused = terminal.run(*INSTALL, typed="n\n")

    assert refused.returncode == 1
    assert "ExecStart=/usr/bin/env serve" in refused.stdout
    assert not (terminal.folder / "units").exists()


def test_the_service_is_written_once_and_a_changed_one_is_kept(terminal):
    words = (*INSTALL, "--yes")
    unit = terminal.folder / "units" / "farthing.service"

    assert "Wrote units/farthing.service" in terminal.says(*words)
    assert unit.read_text() == terminal.says(*INSTALL, "--show")
    assert terminal.says(*words) == "units/farthing.service is up to date.\n"

    unit.write_text("[Service]\nNice=5\n")
    assert "differs from what would be written" in terminal.fails(*words)
    assert unit.read_text() == "[Service]\nNice=5\n"
    assert "Wrote" in terminal.says(*words, "--replace")


def test_the_service_is_not_written_for_a_program_that_it_could_not_start(terminal):
    assert "There is no /opt/nothing/farthing" in terminal.fails(
        "install-service", "--program", "/opt/nothing/farthing"
    )


# Before an upgrade


def test_upgrade_check_names_every_step_and_changes_nothing(anywhere, empty_database_url, tmp_path):
    settings = settings_for(empty_database_url, tmp_path / "data")
    with closing(database.connect(settings)) as opened:
        migrations.migrate(opened, until=migrations.known()[-3])

    printed = anywhere.says("upgrade-check")

    assert f"2 steps: {', '.join(migrations.known()[-2:])}" in printed
    assert re.search(r"^well +room +.* free in ", printed, re.MULTILINE)
    with closing(database.connect(settings)) as opened:
        assert migrations.status(opened).pending == migrations.known()[-2:]


def test_upgrade_check_of_a_current_database_finds_nothing_to_do(owned):
    done = owned.run("upgrade-check", FARTHING_COLOUR="green")

    assert (done.returncode, done.stderr) == (0, "")
    assert "up to date; this version changes nothing" in done.stdout
    assert "look   settings     FARTHING_COLOUR is not a setting of this version; remove it" in done.stdout


def test_upgrade_check_makes_no_database(terminal):
    assert "there is no database yet" in terminal.says("upgrade-check")
    assert not (terminal.folder / "data" / "farthing.sqlite3").exists()


def test_upgrade_check_says_where_no_database_can_be_made(terminal):
    (terminal.folder / "disk").write_text("")

    done = terminal.run("upgrade-check", FARTHING_DATA=str(terminal.folder / "disk" / "data"))

    assert done.returncode == 1
    assert "wrong  data folder  cannot be written to" in done.stdout


def test_upgrade_check_refuses_a_newer_database(owned):
    with closing(database.connect(settings_for("", owned.folder / "data"))) as opened, opened.writing() as db:
        db.run("INSERT INTO migrations (name) VALUES ('9999_later')")

    done = owned.run("upgrade-check")

    assert done.returncode == 1
    assert "made by a newer Farthing: it has 9999_later" in done.stdout
    assert done.stderr == "farthing: 1 problem found; do not upgrade yet\n"


def test_upgrade_check_names_deprecated_settings_in_use(tmp_path):
    settings = settings_for("", tmp_path)

    lines = list(check_upgrade(settings, None, deprecated={"FARTHING_DATA": "use FARTHING_FOLDER"}))

    assert ("FARTHING_DATA will be removed", "use FARTHING_FOLDER") in [(line.says, line.do) for line in lines]
