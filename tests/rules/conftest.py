"""The accounts that rules are tried on."""

import pytest

from ..conftest import Client
from ..transactions.making import asset, made


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


@pytest.fixture
def savings(me: Client) -> str:
    return made(me, asset(name="Savings", account_role="savingAsset", iban="NL91ABNA0417164300"))
