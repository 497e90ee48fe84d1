"""Commands that share books, limit tokens, and list what happened at the doors."""

import csv
import io

import pytest

from .test_commands import columns

ANN, BEN = "ann@example.org", "ben@example.org"


@pytest.fixture
def both(owned):
    """Ann, the owner, and Ben."""
    owned.says("user", "create", BEN)
    return owned


def share(terminal, role="bookkeeper"):
    """As if Ben had accepted."""
    from farthing.identity import users
    from farthing.identity.sharing import members
    from farthing.identity.user import Share

    from ..conftest import migrated

    with migrated("", terminal.folder / "data") as books, books.writing() as db:
        ann, ben = users.find_by_email(db, ANN), users.find_by_email(db, BEN)
        members.add(db, ann.id, ben.id, Share(role), "2024-05-15T12:00:00+00:00")


def test_an_invitation_is_a_link_of_the_web_app(both):
    printed = both.says("share", "invite", ANN, "--role", "bookkeeper", "--name", "Ben", "--port", "8080")

    assert printed.startswith("http://127.0.0.1:8080/#/invitation?code=")
    [[books, name, role, until]] = columns(both.says("share", "list"))
    assert (books, name, role) == (ANN, "(invited) Ben", "bookkeeper")
    assert until > "2024"


def test_the_address_of_the_settings_is_in_the_link(both):
    done = both.run("share", "invite", ANN, FARTHING_BASE_URL="https://money.example/books")

    assert done.stdout.startswith("https://money.example/books/#/invitation?code=")


def test_members_are_listed_get_other_roles_and_are_removed(both):
    share(both)
    assert [row[:3] for row in columns(both.says("share", "list", ANN))] == [[ANN, BEN, "bookkeeper"]]
    assert both.says("share", "list", BEN) == ""

    assert both.says("share", "role", ANN, BEN, "viewer") == f"{BEN} is now viewer in the books of {ANN}.\n"
    assert [row[2] for row in columns(both.says("share", "list"))] == ["viewer"]
    assert both.says("share", "remove", ANN, BEN) == f"{BEN} no longer works in the books of {ANN}.\n"
    assert both.says("share", "list") == ""
    assert f"{BEN} does not work in the books of {ANN}" in both.fails("share", "remove", ANN, BEN)
    assert "there is no user eve@example.org" in both.fails("share", "role", ANN, "eve@example.org", "full")
    assert "'king'" in both.fails("share", "role", ANN, BEN, "king", code=2)


def test_a_token_is_limited_to_scopes_networks_and_books(both):
    share(both)
    both.says(
        "token", "create", BEN, "--scope", "bills:write", "--scope", "accounts:read", "--scope", "bills:read",
        "--network", "192.168.1.0/24", "--network", "2001:db8::/32", "--books", ANN,
    )  # fmt: skip

    [row] = columns(both.says("token", "list", BEN))

    assert row[6:] == ["full", "accounts:read bills:write", "192.168.1.0/24 2001:db8::/32", ANN, "v1"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--scope", "everything"), "there is no scope everything; the scopes are accounts:read"),
        (("--read-only", "--scope", "bills:write"), "cannot have the scope bills:write"),
        (("--network", "here"), "here is no network"),
        (("--books", ANN), f"the books of {ANN} are not shared with {BEN}"),
    ],
)
def test_limits_that_cannot_be_are_refused(words, complaint, both):
    assert complaint in both.fails("token", "create", BEN, *words)
    assert both.says("token", "list") == ""


def test_what_commands_do_is_in_the_audit(both):
    share(both)
    both.says("token", "create", ANN, "--name", "phone")
    both.says("share", "invite", ANN, "--name", "Kim")
    both.says("share", "role", ANN, BEN, "full")
    both.says("share", "remove", ANN, BEN)

    kept = [(row[1], row[3], row[5]) for row in columns(both.says("audit", ANN))]

    assert kept == [
        ("sharing_ended", BEN, "command line"),
        ("role_changed", f"{BEN}: full", "command line"),
        ("invited", "Kim: viewer", "command line"),
        ("token_made", "phone", "command line"),
    ]
    assert both.says("audit", BEN) == ""
    assert len(columns(both.says("audit", "--event", "invited", "--event", "token_made"))) == 2
    assert len(columns(both.says("audit", "--limit", "1"))) == 1


def test_the_audit_can_be_written_as_csv(both):
    both.says("token", "create", ANN, "--name", "=1+1")

    head, row = csv.reader(io.StringIO(both.says("audit", "--csv")))

    shown = dict(zip(head, row, strict=True))
    assert (shown["event"], shown["user"], shown["known device"]) == ("token_made", ANN, "yes")
    assert shown["about"] == "'=1+1", "no spreadsheet takes it for a formula"


def test_an_event_that_there_is_not_is_refused(both):
    assert "there is no event burgled" in both.fails("audit", "--event", "burgled", code=2)
