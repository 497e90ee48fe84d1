"""Small archives of Actual: a zip with db.sqlite and metadata.json."""

import sqlite3
import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

SCHEMA = """
CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT, offbudget INTEGER DEFAULT 0, closed INTEGER DEFAULT 0,
  tombstone INTEGER DEFAULT 0, type TEXT, official_name TEXT, mask TEXT);
CREATE TABLE transactions (id TEXT PRIMARY KEY, isParent INTEGER DEFAULT 0, isChild INTEGER DEFAULT 0, acct TEXT,
  category TEXT, amount INTEGER, description TEXT, notes TEXT, date INTEGER, financial_id TEXT,
  imported_description TEXT, starting_balance_flag INTEGER DEFAULT 0, transferred_id TEXT, tombstone INTEGER DEFAULT 0,
  cleared INTEGER DEFAULT 1, reconciled INTEGER DEFAULT 0, pending INTEGER DEFAULT 0, parent_id TEXT);
CREATE TABLE payees (id TEXT PRIMARY KEY, name TEXT, tombstone INTEGER DEFAULT 0, transfer_acct TEXT);
CREATE TABLE payee_mapping (id TEXT PRIMARY KEY, targetId TEXT);
CREATE TABLE categories (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER, cat_group TEXT, tombstone INTEGER DEFAULT 0,
  goal_def TEXT, hidden INTEGER DEFAULT 0);
CREATE TABLE category_groups (id TEXT PRIMARY KEY, name TEXT, tombstone INTEGER DEFAULT 0);
CREATE TABLE category_mapping (id TEXT PRIMARY KEY, transferId TEXT);
CREATE TABLE notes (id TEXT PRIMARY KEY, note TEXT);
CREATE TABLE preferences (id TEXT PRIMARY KEY, value TEXT);
CREATE TABLE zero_budgets (id TEXT PRIMARY KEY, month INTEGER, category TEXT, amount INTEGER, carryover INTEGER);
CREATE TABLE reflect_budgets (id TEXT PRIMARY KEY, month INTEGER, category TEXT, amount INTEGER, carryover INTEGER);
CREATE TABLE schedules (id TEXT PRIMARY KEY, name TEXT, tombstone INTEGER DEFAULT 0, completed INTEGER);
CREATE TABLE rules (id TEXT PRIMARY KEY, tombstone INTEGER DEFAULT 0);
CREATE INDEX by_date ON transactions (date);
CREATE VIEW v_alive AS SELECT id, CASE WHEN isChild = 0 THEN id ELSE IFNULL(parent_id, COALESCE(id, 1, 2, 3, 4)) END
  AS p, UNKNOWN_FUNCTION(notes) AS n FROM transactions WHERE tombstone = 0 UNION SELECT 1, 2, 3 UNION SELECT 4, 5, 6;
CREATE TRIGGER tr AFTER INSERT ON rules BEGIN SELECT 1; END;
INSERT INTO accounts (id, name, offbudget, closed) VALUES ('bank', 'Bank', 0, 0), ('save', 'Savings', 1, 1);
INSERT INTO payees (id, name, transfer_acct) VALUES ('baker', 'Baker', NULL), ('old', 'Old baker', NULL),
  ('work', 'Work', NULL), ('start', 'Starting Balance', NULL), ('to-bank', '', 'bank'), ('to-save', '', 'save');
INSERT INTO payee_mapping VALUES ('baker', 'baker'), ('old', 'baker');
INSERT INTO category_groups (id, name) VALUES ('g', 'Usual'), ('i', 'Income');
INSERT INTO categories (id, name, is_income, cat_group) VALUES ('food', 'Food', 0, 'g'), ('fun', 'Fun', 0, 'g'),
  ('pay', 'Pay', 1, 'i');
INSERT INTO category_mapping VALUES ('eats', 'food'), ('food', 'food');
"""
Row = dict[str, Any]
# Each trait has its own ids, so that any two may stand in one file.
TRAITS: dict[str, list[Row]] = {
    "expense": [{"id": "e1", "amount": -310, "description": "baker", "category": "food", "date": 20240105}],
    "income": [{"id": "i1", "amount": 320000, "description": "work", "category": "pay", "date": 20240131}],
    "opening": [
        {"id": "o1", "amount": 10000, "description": "start", "date": 20240101, "starting_balance_flag": 1},
        {
            "id": "o2",
            "acct": "save",
            "amount": -500,
            "description": "start",
            "date": 20240101,
            "starting_balance_flag": 1,
        },
    ],
    "merged payee and category": [
        {"id": "m1", "amount": -100, "description": "old", "category": "eats", "date": 20240202}
    ],
    "no payee": [{"id": "n1", "amount": -222, "date": 20240203, "notes": "cash #trip at #sea"}],
    "refund": [{"id": "r1", "amount": 111, "description": "baker", "category": "food", "date": 20240204}],
    "transfer": [
        {"id": "t1", "amount": -5000, "description": "to-save", "transferred_id": "t2", "date": 20240205},
        {
            "id": "t2",
            "acct": "save",
            "amount": 5000,
            "description": "to-bank",
            "transferred_id": "t1",
            "date": 20240205,
        },
    ],
    "split": [
        {"id": "s1", "isParent": 1, "amount": -1000, "description": "baker", "date": 20240229},
        {"id": "s1a", "isChild": 1, "parent_id": "s1", "amount": -1300, "description": "baker", "category": "food"},
        {"id": "s1b", "isChild": 1, "parent_id": "s1", "amount": 300, "description": "baker", "category": "fun"},
    ],
    "split with a transfer": [
        {"id": "x1", "isParent": 1, "amount": -900, "description": "baker", "date": 20240301},
        {"id": "x1/a", "isChild": 1, "amount": -400, "description": "baker", "category": "food"},
        {"id": "x1/b", "isChild": 1, "amount": -500, "description": "to-save", "transferred_id": "x2"},
        {
            "id": "x2",
            "acct": "save",
            "amount": 500,
            "description": "to-bank",
            "transferred_id": "x1/b",
            "date": 20240301,
        },
    ],
    "split that does not add up": [
        {"id": "d1", "isParent": 1, "amount": -1000, "description": "baker", "date": 20240302},
        {"id": "d1a", "isChild": 1, "parent_id": "d1", "amount": -900, "category": "food"},
    ],
    "half a transfer": [
        {"id": "h1", "amount": -700, "description": "to-save", "transferred_id": "gone", "date": 20240303}
    ],
    "transfer on two days": [
        {"id": "w1", "amount": -800, "description": "to-save", "transferred_id": "w2", "date": 20240331},
        {"id": "w2", "acct": "save", "amount": 800, "description": "to-bank", "transferred_id": "w1", "date": 20240401},
    ],
    "deleted": [
        {"id": "z1", "amount": -1, "date": 20240304, "tombstone": 1},
        {"id": "z2", "isParent": 1, "amount": -5, "date": 20240304, "tombstone": 1},
        {"id": "z2a", "isChild": 1, "parent_id": "z2", "amount": -5},
    ],
    "reconciled": [{"id": "c1", "amount": -12, "description": "baker", "date": 20240305, "reconciled": 1}],
}


def database(rows: list[Row], *more: str, schema: str = SCHEMA) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "db.sqlite"
        db = sqlite3.connect(path)
        db.executescript(schema)
        for row in rows:
            whole = {"acct": "bank", "date": 20240301, **row}
            db.execute(
                f"INSERT INTO transactions ({', '.join(whole)}) VALUES ({', '.join('?' * len(whole))})",
                tuple(whole.values()),
            )
        for statement in more:
            db.execute(statement)
        db.commit()
        db.close()
        return path.read_bytes()


def archive(content: bytes, name: str = "db.sqlite") -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("metadata.json", '{"id": "My-Budget"}')
        opened.writestr(name, content)
    return packed.getvalue()
