"""Asked odd things for a while, the service answers what its document promises, never hangs, and keeps its books."""

from pathlib import Path

import pytest

from farthing.app import ROUTES
from farthing.http.openapi import API

from .campaign import Tally, campaign, short
from .house import furnished

SEED = 20240515


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
