"""Asked odd things for a while, the service answers what its document promises, never hangs, and keeps its books."""

from pathlib import Path

import pytest

from farthing.http.request.public_address import API
from farthing.identity.user import ApiVersion

from ..versions import ROUTES
from .campaign import ENDLESS, Tally, campaign, is_among, short
from .house import furnished

SEED = 20240515
# Of the operations, a third: `make fuzz` asks all of them, one after the other through links as well.
ONE_OF = 3


# On PostgreSQL, which refuses more than SQLite does: bytes that are no text, long numbers, wrong types.
# `make fuzz` asks both.
@pytest.mark.long
@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
# What schemathesis does with what it depends on is not ours to warn of.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("version", ApiVersion)
def test_odd_requests_are_answered_as_promised(tmp_path: Path, new_database_url: str, version: ApiVersion) -> None:
    tally = Tally()

    with furnished(tmp_path, new_database_url) as house:
        campaign(house, tally, short(SEED), version, one_of=ONE_OF)
        log = house.server.log.read_text()

    assert "\n\n".join(map(str, tally.failures.values())) == ""
    assert (tally.errors, tally.findings) == ([], [])
    assert "unexpected error" not in log
    operations = {f"{route.method} {API}{route.path}" for route in ROUTES[version]} - {f"GET {ENDLESS}"}
    chosen = {operation for operation in operations if is_among(operation, ONE_OF)}
    assert len(chosen) > len(operations) / 4
    assert chosen <= tally.answers.keys(), "each was asked for something"
    assert tally.refused < tally.requests / 3, "most of it was asked in vain, with a token that no longer counts"
