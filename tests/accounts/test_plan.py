"""How PostgreSQL reads a page of accounts in books of some thousand transactions."""

import contextlib

import pytest

from farthing.books.accounts import store
from farthing.ledger.kinds import Kind

ACCOUNTS, DAYS = 300, 50
MAKE_ACCOUNTS = """
INSERT INTO accounts (user_id, kind, name, name_fold, active, include_net_worth, currency_id, virtual_units,
    created_at, updated_at)
SELECT :user_id, CASE WHEN number > 50 THEN 'Expense account' ELSE 'Asset account' END, number, number,
    1, 1, 1, 0, '', ''
FROM generate_series(1, :accounts) AS number
"""
MAKE_BALANCES = """
INSERT INTO balances (user_id, account_id, currency_id, grain, period, units, reconciled)
SELECT user_id, id, 1, CASE day WHEN 0 THEN 'all' ELSE 'day' END, CASE day WHEN 0 THEN '' ELSE day::text END, id, 0
FROM accounts, generate_series(0, :days) AS day WHERE user_id = :user_id
"""


class Enough(Exception):
    """Takes back what was made."""


def test_a_page_of_accounts_reads_their_balances_alone(world, me):
    if world.books.dialect == "sqlite":
        pytest.skip("SQLite's statistics are fixed: tests/storage/test_statistics.py")

    accounts, read = [], 0
    with contextlib.suppress(Enough), world.books.writing() as db:
        db.run(MAKE_ACCOUNTS, user_id=me.user.id, accounts=ACCOUNTS)
        db.run(MAKE_BALANCES, user_id=me.user.id, days=DAYS)
        db.run("ANALYZE")
        _, accounts = store.page(db, me.user.id, frozenset({Kind.ASSET, Kind.DEFAULT}), limit=50, offset=0)
        read = db.value("SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'balances'")
        raise Enough

    assert [account.total_units for account in accounts] == [account.id for account in accounts]
    assert len(accounts) == 50
    assert 0 < read <= 2 * len(accounts)
