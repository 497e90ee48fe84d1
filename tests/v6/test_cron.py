"""The address that asks for regular jobs exists only with a token, and guesses are counted."""

from farthing.identity.signing_in.attempts import TRIES_OF_ADDRESS

from ..conftest import running

TOKEN = "0123456789abcdef0123456789abcdef"


def test_without_a_token_there_is_no_such_address(world):
    assert world.http.get(f"/v6/api/v1/cron/{TOKEN}").status_code == 404


def test_the_token_is_guessed_only_so_often(new_database_url, tmp_path, check_answer):
    for world in running(new_database_url, tmp_path, check_answer, cron_token=TOKEN):
        right = world.http.get(f"/v6/api/v1/cron/{TOKEN}")

        rows = right.json()
        assert {*rows} == {"recurring_transactions", "auto_budgets", "telemetry"}
        assert all(row["job_fired"] is False and row["message"] for row in rows.values())
        wrong = [world.http.get(f"/v6/api/v1/cron/{TOKEN}x").status_code for _ in range(TRIES_OF_ADDRESS + 1)]
        assert wrong == [404] * TRIES_OF_ADDRESS + [429]
        assert world.http.get(f"/v6/api/v1/cron/{TOKEN}").status_code == 429
