"""`farthing demo` as a newcomer types it."""

import re
from pathlib import Path

from ..cli.conftest import Terminal


def at(folder: Path, moment: str) -> dict[str, str]:
    clock = folder / "clock"
    clock.write_text(moment)
    return {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(clock)}


def test_it_makes_its_user_fills_the_books_and_doctor_finds_nothing(anywhere: Terminal) -> None:
    done = anywhere.run("demo", "--years", "1", **at(anywhere.folder, "2024-05-15T12:00:00+00:00"))

    assert (done.returncode, done.stderr) == (0, "")
    assert "Created user 1, demo@localhost, the owner.\nPassword (shown this once): " in done.stdout
    assert re.search(r"demo@localhost now has the books of a household: \d+ transactions", done.stdout)
    assert "from 2023-05-01 to 2024-05-15" in done.stdout
    assert "No problems" in anywhere.says("doctor")


def test_its_token_opens_the_books(terminal: Terminal) -> None:
    with terminal.serving() as server:
        said = terminal.says("demo", "--years", "1")

        token = re.search(r"Token \(shown this once\): (\S+)", said)
        assert token
        answer = server.ask("GET", "/api/v1/accounts?type=asset", headers={"Authorization": f"Bearer {token[1]}"})
        assert [one["attributes"]["name"] for one in answer.json()["data"]] == [
            "Credit card", "Current account", "Dollar account", "Holiday fund", "Savings",
        ]  # fmt: skip


def test_a_user_who_exists_keeps_password_and_tokens(terminal: Terminal) -> None:
    terminal.says("user", "create", "ann@example.org")

    said = terminal.says("demo", "--years", "1", "--email", "ann@example.org")

    assert "shown this once" not in said
    assert said.splitlines()[0].startswith("ann@example.org now has the books of a household")
    assert said.splitlines()[-1].endswith("token create ann@example.org")
    assert terminal.says("token", "list") == ""


def test_it_refuses_a_user_with_data_in_one_line(terminal: Terminal) -> None:
    terminal.says("demo", "--years", "1")

    assert re.fullmatch(
        r"farthing: demo@localhost already has data \(\d+ accounts\), but the demo needs a user without data: "
        "choose another user with --email",
        terminal.fails("demo"),
    )


def test_years_are_one_to_twenty_and_an_email_is_an_email(terminal: Terminal) -> None:
    for years in ("0", "21"):
        assert "--years" in terminal.fails("demo", "--years", years, code=2)
    assert "is not an e-mail address" in terminal.fails("demo", "--email", "nobody")


def test_the_day_is_that_of_the_users_zone(terminal: Terminal) -> None:
    settings = at(terminal.folder, "2024-05-14T20:00:00+00:00") | {"FARTHING_TIMEZONE": "Pacific/Auckland"}

    done = terminal.run("demo", "--years", "1", **settings)

    assert "to 2024-05-15" in done.stdout


def test_the_welcome_offers_the_demo(terminal: Terminal) -> None:
    first, again = terminal.says("welcome"), terminal.says("welcome")

    assert re.search(r"two years of a household's books:\n\n  .*demo\n", first)
    assert "demo" not in again


def test_the_demo_that_is_offered_knows_where_the_server_is(terminal: Terminal) -> None:
    assert "demo --port 8622\n" in terminal.says("welcome", "--port", "8622")

    said = terminal.says("demo", "--years", "1", "--port", "8622")

    assert "Look at the books while the server runs, signed in as demo@localhost: http://127.0.0.1:8622\n" in said
    assert re.search(r"opens the books without a password.*\n\n  http://127.0.0.1:8622/#/sign-in\?code=\S+\n", said)


def test_behind_a_public_address_the_port_does_not_matter(terminal: Terminal) -> None:
    said = terminal.run("welcome", "--port", "8622", FARTHING_BASE_URL="https://home.example").stdout

    assert "demo\n" in said
