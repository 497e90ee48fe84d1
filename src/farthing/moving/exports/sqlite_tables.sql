-- The tables and views of an exported SQLite file. Each amount is stored in two forms: as exact decimal text (amount) for
-- reading, and as a whole number of the currency's smallest unit (units) for adding up. currencies.decimal_places has the
-- number of decimals of each currency.
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) STRICT;

CREATE TABLE currencies (code TEXT PRIMARY KEY, name TEXT NOT NULL, symbol TEXT NOT NULL, decimal_places INTEGER NOT NULL) STRICT;

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, currency TEXT NOT NULL, active INTEGER NOT NULL,
    include_net_worth INTEGER NOT NULL, role TEXT, account_number TEXT, iban TEXT, bic TEXT, virtual_balance TEXT, notes TEXT
) STRICT;

-- One row for each split. Money moves from the source to the destination. A refund is a deposit that reduces the spending in
-- its category and its budget.
CREATE TABLE transactions (
    split_id INTEGER PRIMARY KEY, transaction_id INTEGER NOT NULL, date TEXT NOT NULL, type TEXT NOT NULL,
    description TEXT NOT NULL, split_description TEXT, amount TEXT NOT NULL, units INTEGER NOT NULL, currency TEXT NOT NULL,
    foreign_amount TEXT, foreign_units INTEGER, foreign_currency TEXT,
    source_id INTEGER NOT NULL, source TEXT NOT NULL, source_type TEXT NOT NULL,
    destination_id INTEGER NOT NULL, destination TEXT NOT NULL, destination_type TEXT NOT NULL,
    category TEXT, parent_category TEXT, budget TEXT, bill TEXT, tags TEXT, reconciled INTEGER NOT NULL, refund INTEGER NOT NULL,
    notes TEXT, internal_reference TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE transaction_tags (transaction_id INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (transaction_id, tag)) STRICT;

-- Two rows for each split: the amount that left the source, which is negative, and the amount that arrived at the
-- destination. Each is in the currency in which it was booked on that account.
CREATE TABLE postings (
    split_id INTEGER NOT NULL, date TEXT NOT NULL, account_id INTEGER NOT NULL, amount TEXT NOT NULL, units INTEGER NOT NULL,
    currency TEXT NOT NULL
) STRICT;

-- The balance of each account on the last day of the exported range, as Farthing computed it.
CREATE TABLE balances (
    account_id INTEGER NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, units INTEGER NOT NULL,
    PRIMARY KEY (account_id, currency)
) STRICT;

-- The balance of each account at the beginning of the exported range. Empty if the range has no start.
CREATE TABLE opening_balances (
    account_id INTEGER NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, units INTEGER NOT NULL,
    PRIMARY KEY (account_id, currency)
) STRICT;

-- `budget` is the default budget for new transactions in this category.
CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent TEXT, budget TEXT) STRICT;
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL, date TEXT, description TEXT) STRICT;
-- `carry` says what is carried over to the next month: nothing (no), what is left or overspent (yes), or only
-- what is overspent (overspent).
-- In each `auto_period`, a budget gets a limit of `auto_amount` automatically.
CREATE TABLE budgets (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, active INTEGER NOT NULL, carry TEXT, auto_amount TEXT,
    auto_currency TEXT, auto_period TEXT
) STRICT;
CREATE TABLE budget_limits (
    id INTEGER PRIMARY KEY, budget TEXT NOT NULL, start_date TEXT NOT NULL, end_date TEXT NOT NULL, amount TEXT NOT NULL,
    units INTEGER NOT NULL, currency TEXT NOT NULL
) STRICT;
-- One unit of `from_currency` buys `rate` units of `to_currency`. Rates are exact decimal text.
CREATE TABLE exchange_rates (
    date TEXT NOT NULL, from_currency TEXT NOT NULL, to_currency TEXT NOT NULL, rate TEXT NOT NULL,
    PRIMARY KEY (from_currency, to_currency, date)
) STRICT;
CREATE TABLE bills (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, match TEXT NOT NULL, amount_min TEXT NOT NULL, amount_max TEXT NOT NULL,
    currency TEXT NOT NULL, date TEXT NOT NULL, repeat_freq TEXT NOT NULL, skip INTEGER NOT NULL, active INTEGER NOT NULL,
    notes TEXT
) STRICT;
CREATE TABLE piggy_banks (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, account_id INTEGER NOT NULL, target_amount TEXT NOT NULL,
    current_amount TEXT NOT NULL, currency TEXT NOT NULL, start_date TEXT, target_date TEXT, active INTEGER NOT NULL, notes TEXT
) STRICT;
CREATE TABLE recurrences (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, first_date TEXT NOT NULL, repeat_until TEXT,
    active INTEGER NOT NULL
) STRICT;

-- Saved filters of the list of transactions. They refer to the ids in the tables above.
CREATE TABLE saved_filters (name TEXT NOT NULL, query TEXT NOT NULL) STRICT;

CREATE VIEW account_balances AS
SELECT a.id AS account_id, a.name AS account, a.type, b.currency, b.amount, b.units
FROM balances b JOIN accounts a ON a.id = b.account_id ORDER BY a.type, a.name;

-- The balance of each account at the end of each month in which the account has postings.
CREATE VIEW balances_per_month AS
SELECT account_id, account, month, currency,
    SUM(units) OVER (PARTITION BY account_id, currency ORDER BY month) + opening AS units, places AS decimal_places
FROM (
    SELECT p.account_id, a.name AS account, substr(p.date, 1, 7) AS month, p.currency, SUM(p.units) AS units,
        COALESCE(o.units, 0) AS opening, c.decimal_places AS places
    FROM postings p JOIN accounts a ON a.id = p.account_id JOIN currencies c ON c.code = p.currency
    LEFT JOIN opening_balances o ON o.account_id = p.account_id AND o.currency = p.currency
    GROUP BY p.account_id, p.currency, substr(p.date, 1, 7)
);

-- The money that was spent, less refunds.
CREATE VIEW spent AS
SELECT t.category, t.budget, substr(t.date, 1, 7) AS month, p.currency, -p.units AS units
FROM transactions t JOIN postings p ON p.split_id = t.split_id
WHERE t.type = 'withdrawal' AND p.units < 0 OR t.refund = 1 AND p.units > 0;

CREATE VIEW spent_per_category_and_month AS
SELECT COALESCE(s.category, '(none)') AS category, s.month, s.currency, SUM(s.units) AS units, c.decimal_places
FROM spent s JOIN currencies c ON c.code = s.currency GROUP BY 1, 2, 3;

CREATE VIEW spent_per_budget_and_month AS
SELECT COALESCE(s.budget, '(none)') AS budget, s.month, s.currency, SUM(s.units) AS units, c.decimal_places
FROM spent s JOIN currencies c ON c.code = s.currency GROUP BY 1, 2, 3;

CREATE VIEW earned_per_source_and_month AS
SELECT t.source, substr(t.date, 1, 7) AS month, p.currency, SUM(p.units) AS units, c.decimal_places
FROM transactions t JOIN postings p ON p.split_id = t.split_id AND p.units > 0 JOIN currencies c ON c.code = p.currency
WHERE t.type = 'deposit' AND t.refund = 0 GROUP BY t.source_id, 2, 3;
