"""The command line, as a person meets it: a real database, what is printed and the exit code."""

import re
import stat
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from farthing import __version__
from farthing.care.backup import archive
from farthing.care.watch import presence
from farthing.cli.basics.output import show_table
from farthing.kernel.clock import stamp
from farthing.storage import installation, migrations
from farthing.storage.drivers import open as database

from ..backup.test_backup import rewritten
from ..conftest import settings_for
from .conftest import Terminal


def columns(printed: str) -> list[list[str]]:
    return [line.split("\t") for line in printed.splitlines()]


# Help, version, misuse


def test_help_names_every_command(terminal):
    printed = terminal.says("--help")

    for command in ("serve", "user", "token", "migrate", "doctor", "config", "version", "welcome"):
        assert command in printed


def test_help_and_version_load_nothing_heavy():
    code = "import sys, farthing.cli.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert not {"pydantic_settings", "apsw", "psycopg", "uvicorn", "starlette", "asyncio"} & set(loaded)


def test_a_process_of_its_own_prints_the_same_and_ends_with_the_same_code(owned):
    for words in (["user", "list"], ["user", "create", "ann@example.org"], ["fly"]):
        started, ran = owned.start(*words), owned.run(*words)
        assert (started.returncode, started.stdout, started.stderr) == (ran.returncode, ran.stdout, ran.stderr)


def test_version_is_printed(terminal):
    assert terminal.says("version") == f"farthing {__version__}\n"
    assert terminal.says("--version") == f"farthing {__version__}\n"


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["fly"], "farthing"),
        (["--loudly"], "farthing"),
        (["serve", "--port", "many"], "farthing serve"),
        (["serve", "--port", "70000"], "farthing serve"),
        (["serve", "--workers", "0"], "farthing serve"),
        (["serve", "--workers", "65"], "farthing serve"),
        (["serve", "--workers", "100000"], "farthing serve"),
        (["backup", "a.zip", "b.zip", "c.zip"], "farthing backup"),
        (["backup", "verify"], "farthing backup"),
        (["user", "fly"], "farthing user"),
        (["token", "create"], "farthing token create"),
        (["token", "create", "ann@example.org", "--expires", "0"], "farthing token create"),
        (["token", "revoke", "seven"], "farthing token revoke"),
        (["config", "--loudly"], "farthing config"),
    ],
)
def test_misuse_is_one_line_with_the_help_to_try_and_exit_code_2(terminal, words, command):
    assert terminal.fails(*words, code=2).endswith(f"; try {command} --help")


def test_without_words_the_help_is_shown(terminal):
    done = terminal.run()

    assert (done.returncode, done.stderr) == (2, "")
    assert "serve" in done.stdout


def test_the_help_lists_commands_by_what_they_are_for(terminal):
    said = terminal.says("--help")

    panels = [line.rstrip(":") for line in said.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert panels == ["Options", "Server", "Database", "Books", "People", "Machine"]
    assert said.index("Database:") < said.index("  trash ") < said.index("Books:")


@pytest.mark.parametrize(
    "words", [["--help"], ["backup", "--help"], ["user", "--help"]], ids=["the program", "a command", "a group"]
)
def test_help_loads_neither_the_books_nor_what_draws_tables(terminal, words):
    """They would take most of its time."""
    loads = f"import sys; sys.argv = ['farthing', *{words}]; from farthing.cli.main import run; run(sys.argv[1:])"
    heavy = "{'rich', 'apsw', 'farthing.storage', 'farthing.books', 'starlette'}"
    code = f"{loads}; print('loaded', {heavy} & set(sys.modules), file=sys.stderr)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stderr == "loaded set()\n"


# Settings


def test_config_shows_the_settings_in_force_without_secrets_and_touches_no_database(terminal):
    (terminal.folder / ".env").write_text("FARTHING_TIMEZONE=Europe/Berlin\n")

    printed = terminal.run("config", FARTHING_DATABASE_URL="postgresql://me:hunter2@db/money").stdout

    assert "FARTHING_TIMEZONE=Europe/Berlin\n" in printed
    assert "FARTHING_DATABASE_URL=postgresql://me:***@db/money\n" in printed
    assert not (terminal.folder / "data").exists()


def test_a_wrong_setting_stops_every_command_with_one_line(terminal):
    for words in (["config"], ["serve"], ["user", "list"], ["migrate"], ["welcome"]):
        line = terminal.fails(*words, FARTHING_TIMEZONE="Mars")

        assert line == "farthing: FARTHING_TIMEZONE is 'Mars', but must be an IANA time zone such as Europe/Berlin"


def test_an_unknown_setting_is_a_warning_with_the_name_that_was_perhaps_meant(terminal):
    done = terminal.run("config", FARTHING_TIMEZON="UTC")

    assert done.returncode == 0
    assert done.stderr == (
        "farthing: FARTHING_TIMEZON is not a setting of Farthing and is ignored; did you mean FARTHING_TIMEZONE?\n"
    )


def test_a_data_folder_that_cannot_be_made_is_one_line(terminal):
    (terminal.folder / "file").write_text("")

    assert "file" in terminal.fails("user", "list", FARTHING_DATA=str(terminal.folder / "file" / "data"))


def test_a_database_file_that_cannot_be_opened_is_named(terminal):
    (terminal.folder / "data/farthing.sqlite3").mkdir(parents=True)

    assert terminal.fails("user", "list") == (
        "farthing: The database cannot be used just now: unable to open database file "
        f"{terminal.folder}/data/farthing.sqlite3"
    )


# Users


def test_the_first_user_is_the_owner_and_gets_a_password_that_is_shown_once(terminal):
    first = terminal.says("user", "create", "ann@example.org")
    second = terminal.says("user", "create", "bob@example.org")

    assert first.startswith("Created user 1, ann@example.org, the owner.\nPassword (shown this once): ")
    assert second.startswith("Created user 2, bob@example.org.\nPassword (shown this once): ")
    assert len(first.split()[-1]) >= 16
    assert first.split()[-1] != second.split()[-1]


def test_a_password_may_come_from_standard_input_and_is_not_repeated(terminal):
    printed = terminal.says("user", "create", "ann@example.org", "--password-stdin", typed="correct horse battery\n")

    assert printed == "Created user 1, ann@example.org, the owner.\n"


def test_an_empty_password_is_refused_and_makes_nobody(terminal):
    line = terminal.fails("user", "create", "ann@example.org", "--password-stdin")

    assert line == "farthing: no password on standard input"
    assert "There is no database yet" in terminal.fails("user", "list")


def test_a_user_cannot_be_made_twice_or_without_an_address(owned):
    assert "already a user Ann@Example.org" in owned.fails("user", "create", "Ann@Example.org")
    assert "is not an e-mail address" in owned.fails("user", "create", "ann")


def test_users_are_listed_blocked_and_let_in_again(owned):
    owned.says("user", "create", "bob@example.org")

    assert owned.says("user", "block", "bob@example.org") == "bob@example.org is blocked.\n"
    rows = columns(owned.says("user", "list"))
    assert [row[:4] for row in rows] == [
        ["1", "ann@example.org", "owner", "active"],
        ["2", "bob@example.org", "", "blocked"],
    ]
    assert owned.says("user", "unblock", "bob@example.org") == "bob@example.org is no longer blocked.\n"
    assert columns(owned.says("user", "list"))[1][3] == "active"


def test_blocking_the_last_owner_says_what_that_means(owned):
    owned.says("user", "create", "bob@example.org")

    said = owned.says("user", "block", "ann@example.org")

    assert said == (
        "ann@example.org is blocked.\n"
        "They were the last owner: nobody can manage users and the server in the browser now; "
        "`farthing user unblock ann@example.org` lets them in again.\n"
    )
    assert owned.says("user", "unblock", "ann@example.org") == "ann@example.org is no longer blocked.\n"


def test_a_password_can_be_set(owned):
    assert "Password (shown this once): " in owned.says("user", "set-password", "ann@example.org")
    printed = owned.says("user", "set-password", "ann@example.org", "--password-stdin", typed="a new one\n")
    assert printed == "ann@example.org has a new password, and is signed out everywhere.\n"


def test_deleting_a_user_asks_first(owned):
    refused = owned.run("user", "delete", "ann@example.org", typed="n\n")
    silent = owned.run("user", "delete", "ann@example.org")

    assert (refused.returncode, silent.returncode) == (1, 1)
    assert "stopped; nothing was changed" in refused.stderr
    assert len(columns(owned.says("user", "list"))) == 1
    assert owned.says("user", "delete", "ann@example.org", "--yes") == "Deleted ann@example.org.\n"
    assert owned.says("user", "list") == ""


def test_nobody_by_that_name_is_one_line(owned):
    for words in (["block"], ["unblock"], ["set-password"], ["delete", "--yes"]):
        assert "there is no user eve@example.org" in owned.fails("user", *words, "eve@example.org")
    assert "there is no user eve@example.org" in owned.fails("token", "create", "eve@example.org")


# Tokens


def test_a_token_is_all_that_is_printed(owned):
    assert re.fullmatch(r"[\w.-]{40,}\n", owned.says("token", "create", "ann@example.org"))


def test_tokens_are_listed_without_the_secret_and_revoked_by_id(owned):
    token = owned.says("token", "create", "ann@example.org", "--name", "phone", "--expires", "30").strip()
    owned.says("token", "create", "ann@example.org")

    everyone, hers = owned.says("token", "list"), owned.says("token", "list", "ann@example.org")
    assert everyone == hers
    assert token not in everyone
    phone, other = columns(everyone)
    assert (phone[:3], other[:3]) == (["1", "ann@example.org", "phone"], ["2", "ann@example.org", "command line"])
    assert phone[4] > phone[3]
    assert other[4] == ""
    assert owned.says("token", "revoke", "1") == "Revoked token 1.\n"
    assert [row[0] for row in columns(owned.says("token", "list"))] == ["2"]
    assert "there is no token 1" in owned.fails("token", "revoke", "1")


def test_a_name_becomes_one_line_as_in_the_api(owned):
    owned.says("token", "create", "ann@example.org", "--name", "my\tphone\nand\x1b[2J é")

    [row] = columns(owned.says("token", "list"))
    assert row[2] == "my phone and [2J é"


def test_a_text_stays_in_its_column_whatever_is_in_it(capsys):
    show_table(("id", "name"), [(1, "my\tphone\nand\x1b[2J é")])

    assert columns(capsys.readouterr().out) == [["1", r"my\tphone\nand\x1b[2J é"]]


def test_a_token_may_be_made_that_only_reads(owned):
    owned.says("token", "create", "ann@example.org")
    owned.says("token", "create", "ann@example.org", "--read-only")

    assert [row[6] for row in columns(owned.says("token", "list"))] == ["full", "read"]


def test_a_blocked_user_gets_no_link(owned):
    owned.says("user", "block", "ann@example.org")

    assert "ann@example.org is blocked" in owned.fails("user", "sign-in-link", "ann@example.org")


def test_a_password_that_is_too_short_is_refused_and_makes_nobody(terminal):
    line = terminal.fails("user", "create", "ann@example.org", "--password-stdin", typed="short\n")

    assert line == "farthing: The password must have 8 to 1000 characters"
    assert "There is no database yet" in terminal.fails("user", "list")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("correct\0horse\n", "The password may not contain the NUL character"),
        ("correct horse\nbattery staple\n", "there is more than one line on standard input; a password is one line"),
    ],
)
def test_a_password_that_could_not_sign_in_is_refused(owned, typed, why):
    assert owned.fails("user", "set-password", "ann@example.org", "--password-stdin", typed=typed) == f"farthing: {why}"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "The name must contain at least one visible character"),
        ("x" * 300, "The name may not be greater than 255 characters"),
    ],
)
def test_a_token_has_a_name_that_the_api_would_take(owned, name, why):
    assert owned.fails("token", "create", "ann@example.org", "--name", name) == f"farthing: {why}"


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_a_link_to_an_address_of_ipv6_has_one_pair_of_brackets(owned, host):
    assert owned.says("user", "sign-in-link", "ann@example.org", "--host", host).startswith("http://[::1]:8000/")


# Database


def test_migrate_says_what_it_applied_and_then_that_nothing_is_left(terminal):
    assert "Applied 0001" in terminal.says("migrate")
    assert terminal.says("migrate") == "The database is up to date.\n"


def test_doctor_finds_nothing_wrong_with_new_books(owned):
    assert owned.says("doctor").startswith("No problems")


def test_what_doctor_finds_is_printed_and_fails(owned):
    connection = apsw.Connection(str(owned.folder / "data/farthing.sqlite3"))
    connection.execute("DELETE FROM preferences WHERE name = 'timezone'")
    connection.close()

    done = owned.run("doctor")

    assert done.returncode == 1
    assert "ann@example.org" in done.stdout
    assert done.stderr == "farthing: 1 problem found\n"


def test_a_backup_is_made_verified_and_restored(owned):
    made = owned.says("backup", "all.zip")
    assert re.fullmatch(r"all\.zip: \d+ rows, 0 attachments, \d+ bytes\.\n", made)
    assert owned.says("backup", "verify", "all.zip").startswith("all.zip is complete")

    elsewhere = Terminal(owned.folder / "elsewhere")
    elsewhere.folder.mkdir()
    assert elsewhere.says("restore", str(owned.folder / "all.zip")).startswith("Restored ")
    assert "ann@example.org" in elsewhere.says("user", "list")
    assert "must be empty" in elsewhere.fails("restore", str(owned.folder / "all.zip"))


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("nowhere/all.zip", "No such file or directory"),
        ("file/all.zip", "Not a directory"),
        ("/proc/all.zip", "No such file or directory"),
    ],
)
def test_a_backup_that_cannot_be_written_is_called_as_it_was_typed(owned, path, why):
    (owned.folder / "file").touch()

    assert owned.fails("backup", path) == f"farthing: {path} cannot be written: {why}"


def test_what_is_written_anywhere_is_for_its_owner_alone(owned):
    owned.says("backup", "all.zip")
    owned.says("copy", "--to", "sqlite:///moved.sqlite3")
    owned.run("migrate", FARTHING_DATABASE_URL="sqlite:///another.sqlite3")

    for name in ("all.zip", "moved.sqlite3", "another.sqlite3", "data/farthing.sqlite3", "data/farthing.made"):
        assert mode_of(owned.folder / name) == 0o600, name


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("words", [("verify",), ("all.zip", "more.zip")])
def test_a_backup_is_either_made_or_verified(owned, words):
    assert "either a FILE to write" in owned.fails("backup", *words, code=2)


def test_a_backup_that_is_none(owned):
    (owned.folder / "other.zip").write_text("something else")

    assert "damaged zip archive" in owned.fails("backup", "verify", "other.zip")
    assert "does not exist" in owned.fails("restore", "nowhere.zip")


@pytest.mark.parametrize("damage", ["absent", "no zip", "a changed row", "a newer version"])
def test_a_restore_that_is_refused_makes_nothing(owned, damage):
    file, elsewhere = owned.folder / "all.zip", Terminal(owned.folder / "elsewhere")
    elsewhere.folder.mkdir()
    owned.says("backup", "all.zip")
    match damage:
        case "absent":
            file.unlink()
        case "no zip":
            file.write_text("something else")
        case "a changed row":
            rewritten(file, archive.DATABASE, lambda content: content[:-1] + b"?")
        case "a newer version":
            newest = migrations.known()[-1].encode()
            rewritten(file, archive.MANIFEST, lambda content: content.replace(newest, b"9999_later"))

    elsewhere.fails("restore", str(file))

    assert list(elsewhere.folder.iterdir()) == []


def test_a_proxy_of_the_old_machine_is_not_reported_after_a_restore(owned, tmp_path):
    with closing(database.connect(settings_for("", owned.folder / "data"))) as books, books.writing() as db:
        installation.note_unknown_proxy(db, "10.9.9.9", stamp(datetime.now(UTC)))
    owned.says("backup", "all.zip")
    elsewhere = Terminal(tmp_path / "elsewhere")
    elsewhere.folder.mkdir()

    elsewhere.says("restore", str(owned.folder / "all.zip"))

    assert "10.9.9.9" in owned.run("doctor").stdout
    assert "10.9.9.9" not in elsewhere.run("doctor").stdout


def test_copying_to_another_database(owned):
    said = owned.says("copy", "--to", "sqlite:///moved.sqlite3")

    assert said.startswith(f"Copied into {owned.folder}/moved.sqlite3.\n")
    assert "users: 1 row here, 1 row there\n" in said
    assert said.endswith("Both sides are equal.\n")
    assert "must be empty" in owned.fails("copy", "--to", "sqlite:///moved.sqlite3")
    assert "already in use" in owned.fails("copy", "--to", "sqlite:///data/farthing.sqlite3")


def test_copying_beside_a_server_is_warned_of_first(owned):
    with presence.mark_server(owned.folder / "data"):
        done = owned.run("copy", "--to", "sqlite:///moved.sqlite3")

    assert done.returncode == 0
    assert done.stderr.startswith("farthing: a server is running on this data folder; stop it first, ")


@pytest.mark.parametrize("to", ["nonsense", "mysql://db/x", "me:hunter2@db", ""])
def test_a_place_to_copy_to_that_is_none_is_blamed_on_the_option(owned, to):
    assert owned.fails("copy", "--to", to) == (
        "farthing: --to must be sqlite:///path/to/file or postgresql://user:password@host:5432/name "
        "(with %40 for @, %2F for /, %3F for ? and %25 for % in the password)"
    )


def test_where_to_copy_has_nothing_to_do_with_where_the_url_of_the_settings_lies(owned):
    (owned.folder / "url").write_text(f"sqlite:///{owned.folder}/data/farthing.sqlite3")
    lies_there = {"FARTHING_DATABASE_URL": "", "FARTHING_DATABASE_URL_FILE": "url"}

    assert owned.run("copy", "--to", "sqlite:///moved.sqlite3", **lies_there).returncode == 0


@pytest.mark.parametrize("words", [("backup", "all.zip"), ("copy", "--to", "sqlite:///moved.sqlite3")])
def test_whatever_a_database_says_is_one_line(anywhere, words):
    """Here it was damaged by hand."""
    anywhere.says("user", "create", "ann@example.org")
    settings = settings_for(anywhere.database_url, anywhere.folder)
    with closing(database.connect(settings)) as books, books.writing() as db:
        for table in ("balances", "accounts"):
            db.script(f"ALTER TABLE {table} RENAME COLUMN currency_id TO coin")

    assert re.match(r"farthing: the database reported an error: \w+: .*(coin|currency_id)", anywhere.fails(*words))


def clock_at(terminal: Terminal, moment: str) -> dict[str, str]:
    """Only what is at least a second old can be forgotten."""
    (terminal.folder / "clock").write_text(moment)
    return {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(terminal.folder / "clock")}


def test_what_was_deleted_is_listed_and_restored(owned):
    token = owned.says("token", "create", "ann@example.org").strip()
    with owned.serving() as server:
        headers = {"Authorization": f"Bearer {token}"}
        assert server.ask("POST", "/api/v1/tags", headers=headers, json={"tag": "holiday"}).is_success
        assert server.ask("DELETE", "/api/v1/tags/holiday", headers=headers).is_success

    change_id, _, summary = owned.says("trash", "list", "ann@example.org").strip().split("\t")
    assert summary == "Deleted 1 tag: holiday"
    assert owned.says("trash", "restore", change_id) == "Restored. This change was undone: deleted 1 tag.\n"
    assert "already undone" in owned.fails("trash", "restore", change_id)
    emptied = owned.run("trash", "empty", "--yes", **clock_at(owned, "2100-01-01T00:00:00+00:00"))
    assert emptied.stdout.endswith("changes were deleted from the log.\n")
    assert "no change" in owned.fails("trash", "restore", change_id)
    for command in ("list", "empty"):
        assert "no user" in owned.fails("trash", command, "nobody@example.org", typed="y\n")


# Quotas


def test_quotas_are_shown_of_everybody_and_set_for_one(owned):
    owned.says("user", "create", "bob@example.org")
    free = "0\tnone\t0\tnone\tnone"
    assert owned.says("user", "quota") == f"ann@example.org\t{free}\nbob@example.org\t{free}\n"

    set_to = owned.says("user", "quota", "bob@example.org", "--attachments", "2MiB", "--requests", "60")

    assert set_to == "bob@example.org\t0\t2097152\t0\tnone\t60\n"
    assert owned.says("user", "quota", "bob@example.org", "--attachments", "none", "--answers", "1kB") == (
        "bob@example.org\t0\tnone\t0\t1000\t60\n"
    )
    for words in (["--attachments", "much"], ["--requests", "0"], ["--answers", "-1"]):
        assert "is neither a" in owned.fails("user", "quota", "bob@example.org", *words, code=2)
    assert "an EMAIL is missing" in owned.fails("user", "quota", "--requests", "5", code=2)


@pytest.mark.parametrize(
    ("option", "number", "most"),
    [
        ("--attachments", "99999999999999999999TB", "9007199254740992 bytes"),
        ("--attachments", "9007199254740993", "9007199254740992 bytes"),
        ("--answers", "9999999TiB", "9007199254740992 bytes"),
        ("--requests", "99999999999999999999999", "1000000"),
    ],
)
def test_a_quota_is_at_most_what_the_api_allows(owned, option, number, most):
    line = owned.fails("user", "quota", "ann@example.org", option, number, code=2)

    assert f"'{number}' is too much: at most {most}" in line
    assert owned.says("user", "quota", "ann@example.org").split("\t")[1:] == ["0", "none", "0", "none", "none\n"]


# Secrets


def test_a_new_password_revokes_tokens_if_it_is_asked_to(owned):
    owned.says("token", "create", "ann@example.org")
    new = ("user", "set-password", "ann@example.org", "--password-stdin")

    kept = owned.says(*new, typed="a new password\n")
    assert kept.endswith("1 token stays valid; --end-tokens revokes them.\n")
    assert len(columns(owned.says("token", "list"))) == 1

    assert owned.says(*new, "--end-tokens", typed="a new password\n").endswith("1 token was revoked.\n")
    assert owned.says("token", "list") == ""


def test_the_target_of_a_copy_may_come_from_a_variable_or_a_file(owned):
    """The options of a command are visible to others on the machine, and a URL may hold a password."""
    assert "FARTHING_COPY_TO_FILE" in owned.fails("copy", code=2)

    assert owned.run("copy", FARTHING_COPY_TO="sqlite:///one.sqlite3").returncode == 0
    (owned.folder / "target").write_text("sqlite:///two.sqlite3\n")
    assert owned.run("copy", FARTHING_COPY_TO_FILE="target").returncode == 0
    owned.run("copy", "--to", "sqlite:///three.sqlite3", FARTHING_COPY_TO="sqlite:///four.sqlite3")

    made = {path.name for path in owned.folder.glob("*.sqlite3")}
    assert made == {"one.sqlite3", "two.sqlite3", "three.sqlite3"}
    assert "hunter2" not in owned.fails("copy", FARTHING_COPY_TO="mysql://me:hunter2@db/x")


def test_an_address_that_looks_like_another_is_refused(owned):
    assert "may not mix Cyrillic and Latin letters in 'p\u0430ul'" in owned.fails(
        "user", "create", "p\u0430ul@example.org"
    )
