"""Asked odd things for a while, the service answers what its document promises, never hangs, and keeps its books."""

from pathlib import Path

import pytest

from farthing.api.v1.routes import ROUTES
from farthing.http.request.public_address import API

from .campaign import Tally, campaign, short
from .house import furnished

SEED = 20240515


# On PostgreSQL, which refuses more than SQLite does: bytes that are no text, long numbers, wrong types.
# `make fuzz` asks both.
@pytest.mark.long
@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
# What schemathesis does with what it depends on is not ours to warn of.
@pytest.mark.filterwarnings("default")
def test_odd_requests_are_answered_as_promised(tmp_path: Path, new_database_url: str) -> None:
    tally = Tally()

    with furnished(tmp_path, new_database_url) as house:
        campaign(house, tally, short(SEED))
        log = house.server.log.read_text()

    assert "\n\n".join(map(str, tally.failures.values())) == ""
    assert (tally.errors, tally.findings) == ([], [])
    assert "unexpected error" not in log
    operations = {f"{route.method} {API}{route.path}" for route in ROUTES}
    assert operations <= tally.answers.keys(), "each was asked for something"
    assert tally.by_phase["stateful"] > 0
    assert tally.refused < tally.requests / 3, "most of it was asked in vain, with a token that no longer counts"
