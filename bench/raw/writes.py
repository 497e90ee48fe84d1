"""Writes the same rows as Farthing does for a withdrawal without labels."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import msgspec

from farthing.storage.schema import TABLES

from .database import Raw, Row
from .reads import Reads

TAKE = "UPDATE users SET revision = revision + 1 WHERE id = :user_id RETURNING revision"
NOTE = """
INSERT INTO revisions (user_id, revision, at, token_id, doing) VALUES (:user_id, :revision, :now, :token_id, 'bench')
"""
_KNOWN = """
SELECT a.id, c.id, c.places FROM accounts a, currencies c
WHERE a.user_id = :user_id AND a.id IN (:source_id, :destination_id) AND c.code = :code AND a.currency_id = c.id
"""
_BILLS = """
SELECT id, words_key FROM bills WHERE user_id = :user_id AND active = 1 AND automatch = 1
    AND currency_id = :currency_id AND lowest_units <= :units AND highest_units >= :units
"""
ADD_ENTRY = """
INSERT INTO entries (user_id, type, on_day, description, created_at, updated_at)
VALUES (:user_id, 1, :day, :description, :now, :now) RETURNING id
"""
ADD_SPLIT = """
INSERT INTO splits (user_id, entry_id, position, type, on_day, source_id, destination_id, units, currency_id)
VALUES (:user_id, :entry_id, 0, 1, :day, :source_id, :destination_id, :units, :currency_id)
"""
_CHANGE_ENTRY = """
UPDATE entries SET on_day = :day, description = :description, updated_at = :now WHERE user_id = :user_id AND id = :entry_id
"""
_CHANGE_SPLIT = """
UPDATE splits SET on_day = :day, source_id = :source_id, destination_id = :destination_id, units = :units,
    currency_id = :currency_id WHERE user_id = :user_id AND entry_id = :entry_id AND position = 0
"""
_OLD = """
SELECT s.entry_id, s.on_day, s.source_id, s.destination_id, s.units, s.currency_id, e.description
FROM splits s JOIN entries e ON e.id = s.entry_id WHERE s.user_id = :user_id AND s.id = :split_id
"""
ADD_UNITS = """
INSERT INTO balances (user_id, account_id, currency_id, grain, period, units, reconciled)
VALUES (:user_id, :account_id, :currency_id, :grain, :period, :units, 0)
ON CONFLICT (user_id, account_id, currency_id, grain, period) DO UPDATE SET units = balances.units + excluded.units
"""
ADD_FLOWS = """
INSERT INTO flows (user_id, type, currency_id, grain, period, units)
VALUES (:user_id, 1, :currency_id, :grain, :period, :spent)
ON CONFLICT (user_id, type, currency_id, grain, period) DO UPDATE SET units = flows.units + excluded.units
"""
ADD_PAYMENT = """
INSERT INTO payments (user_id, currency_id, units, entry_id) VALUES (:user_id, :currency_id, :units, :entry_id)
"""
_REMOVE_PAYMENT = """
DELETE FROM payments
WHERE user_id = :user_id AND currency_id = :currency_id AND units = :units AND entry_id = :entry_id
"""
ADD_COUNTS = """
INSERT INTO counts (user_id, type, grain, period, entries, splits) VALUES (:user_id, 1, :grain, :period, :n, :n)
ON CONFLICT (user_id, type, grain, period)
DO UPDATE SET entries = counts.entries + excluded.entries, splits = counts.splits + excluded.splits
"""
ADD_NET_WORTH = """
INSERT INTO net_worth (user_id, currency_id, grain, period, units)
VALUES (:user_id, :currency_id, :grain, :period, :gained)
ON CONFLICT (user_id, currency_id, grain, period) DO UPDATE SET units = net_worth.units + excluded.units
"""
ADD_ACCOUNT_SUMS = """
INSERT INTO sums_of_accounts (user_id, label_id, type, currency_id, grain, period, units, splits, entries)
VALUES (:user_id, :account_id, 1, :currency_id, :grain, :period, :spent, :n, :n)
ON CONFLICT (user_id, label_id, grain, period, type, currency_id) DO UPDATE SET
    units = sums_of_accounts.units + excluded.units, splits = sums_of_accounts.splits + excluded.splits,
    entries = sums_of_accounts.entries + excluded.entries
"""
COUNT_WORD = """
INSERT INTO words (user_id, word, entries) VALUES (:user_id, :word, :n)
ON CONFLICT (user_id, word) DO UPDATE SET entries = words.entries + excluded.entries RETURNING id
"""
ADD_MENTION = """
INSERT INTO mentions (user_id, word_id, on_day, entry_id) VALUES (:user_id, :word_id, :day, :entry_id)
"""
_REMOVE_MENTION = """
DELETE FROM mentions WHERE user_id = :user_id AND word_id = :word_id AND on_day = :day AND entry_id = :entry_id
"""
CREATED = """
INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action)
VALUES (:user_id, :revision, :token_id, :now, 'entries', :entry_id, 'created')
"""
Sum = tuple[Any, ...]
_AT = ("user_id", "currency_id", "grain", "period", "account_id")
_WORD = re.compile(r"\w+")


class Writes:
    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._db: Raw = reads.db
        self._keep_entry = _kept("entries", "id = :entry_id", sqlite=reads.db.sqlite)
        self._keep_split = _kept("splits", "entry_id = :entry_id", sqlite=reads.db.sqlite)

    def create(self, body: bytes) -> bytes:
        self._db.begin(writing=True)
        facts = self._begin(body)
        facts["entry_id"] = self._db.rows(ADD_ENTRY, facts)[0][0]
        self._db.run(ADD_SPLIT, facts)
        self._sum([(facts, 1)])
        self._mention(facts, ADD_MENTION, 1, facts["description"])
        self._db.run(ADD_PAYMENT, facts)
        self._db.run(CREATED, facts)
        answer = self._reads.entry(facts["user_id"], facts["entry_id"])
        self._db.commit()
        return answer

    def update(self, split_id: int, body: bytes) -> bytes:
        self._db.begin(writing=True)
        facts = self._begin(body)
        old = self._old(self._db.rows(_OLD, {**facts, "split_id": split_id})[0], facts)
        facts["entry_id"] = old["entry_id"]
        self._mention(old, _REMOVE_MENTION, -1, old["description"])
        self._db.run(_REMOVE_PAYMENT, old)
        self._db.run(self._keep_entry, facts)
        self._db.run(self._keep_split, facts)
        self._db.run(_CHANGE_ENTRY, facts)
        self._db.run(_CHANGE_SPLIT, facts)
        self._sum([(old, -1), (facts, 1)])
        self._mention(facts, ADD_MENTION, 1, facts["description"])
        self._db.run(ADD_PAYMENT, facts)
        answer = self._reads.entry(facts["user_id"], facts["entry_id"])
        self._db.commit()
        return answer

    def _begin(self, body: bytes) -> dict[str, Any]:
        """Checks the token, the accounts and the currency."""
        sent = msgspec.json.decode(body)
        split = sent["transactions"][0]
        caller = self._reads.caller()
        facts: dict[str, Any] = {
            "user_id": caller[0],
            "token_id": caller[1],
            "day": sent["date"],
            "description": sent["description"],
            "source_id": split["source_id"],
            "destination_id": split["destination_id"],
            "code": split["currency_code"],
            "now": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        facts["revision"] = self._db.rows(TAKE, facts)[0][0]
        self._db.run(NOTE, facts)
        (_, facts["currency_id"], places), _other = self._db.rows(_KNOWN, facts)
        facts["units"] = int(Decimal(split["amount"]).scaleb(places))
        assert not self._db.rows(_BILLS, facts), "the books of the benchmark have no bills"
        return facts

    def _old(self, row: Row, facts: dict[str, Any]) -> dict[str, Any]:
        names = ("entry_id", "day", "source_id", "destination_id", "units", "currency_id", "description")
        return {**dict(zip(names, row, strict=True)), "user_id": facts["user_id"]}

    def _sum(self, effects: list[tuple[dict[str, Any], int]]) -> None:
        """Adds up first: each row of a sum is written once."""
        units: dict[Sum, dict[str, Any]] = {}
        counts: dict[Sum, dict[str, Any]] = {}
        for facts, n in effects:
            day, spent = facts["day"], n * facts["units"]
            for grain, period in (("all", ""), ("month", day[:7]), ("day", day)):
                at = (facts["user_id"], facts["currency_id"], grain, period)
                _add(counts, at, units=0, spent=spent, gained=-spent, n=n)
                _add(units, (*at, facts["source_id"]), units=-spent, spent=spent, n=n)
                _add(units, (*at, facts["destination_id"]), units=spent, spent=spent, n=n)
        by_account, by_period = list(units.values()), list(counts.values())
        self._db.many(ADD_UNITS, by_account)
        self._db.many(ADD_NET_WORTH, by_period)
        self._db.many(ADD_FLOWS, by_period)
        self._db.many(ADD_COUNTS, by_period)
        self._db.many(ADD_ACCOUNT_SUMS, by_account)

    def _mention(self, facts: dict[str, Any], statement: str, n: int, text: str) -> None:
        at = {"user_id": facts["user_id"], "day": facts["day"], "entry_id": facts["entry_id"]}
        for word in set(_WORD.findall(text.casefold())):
            word_id = self._db.rows(COUNT_WORD, {"user_id": at["user_id"], "word": word, "n": n})[0][0]
            self._db.run(statement, {**at, "word_id": word_id})


def _add(sums: dict[Sum, dict[str, Any]], at: Sum, **amounts: int) -> None:
    row = sums.setdefault(at, {**dict(zip(_AT, at, strict=False)), **dict.fromkeys(amounts, 0)})
    for name, amount in amounts.items():
        row[name] += amount


def _kept(table: str, condition: str, *, sqlite: bool) -> str:
    columns = ", ".join(f"'{column}', {column}" for column in TABLES[table])
    image = f"json_object({columns})" if sqlite else f"row_to_json({table})::text"
    return f"""
    INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action, before)
    SELECT :user_id, :revision, :token_id, :now, '{table}', id, 'changed', {image}
    FROM {table} WHERE user_id = :user_id AND {condition}
    """
