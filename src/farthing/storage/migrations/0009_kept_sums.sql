-- Sums that overviews ask for: of each account, and the net worth by day. Refunds: deposits that lower what was spent.

ALTER TABLE splits ADD COLUMN refund {int} NOT NULL DEFAULT 0 CHECK (refund = 0 OR (refund = 1 AND type = 2));
CREATE INDEX splits_refunded ON splits (user_id, on_day) WHERE refund = 1;

-- An account is summed like a label: each split counts for its source and for its destination.
CREATE TABLE sums_of_accounts (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    label_id {int} NOT NULL,
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    type {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    units {int} NOT NULL,
    splits {int} NOT NULL,
    PRIMARY KEY (user_id, label_id, grain, period, type, currency_id),
    FOREIGN KEY (user_id, label_id) REFERENCES accounts (user_id, id) ON DELETE CASCADE
) {keyed};
INSERT INTO sums_of_accounts (user_id, label_id, grain, period, type, currency_id, units, splits)
WITH flowed AS MATERIALIZED (
    SELECT user_id, source_id, destination_id, on_day, type,
        CASE type
            WHEN 2 THEN CASE destination_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END
            ELSE CASE source_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END
        END AS currency_id,
        CASE type
            WHEN 1 THEN CASE source_foreign WHEN 1 THEN foreign_units ELSE units END
            WHEN 2 THEN CASE destination_foreign WHEN 1 THEN foreign_units ELSE units END
            ELSE 0
        END AS units
    FROM splits
),
days AS MATERIALIZED (
    SELECT user_id, label_id, on_day, type, currency_id, SUM(units) AS units, COUNT(*) AS splits FROM (
        SELECT user_id, source_id AS label_id, on_day, type, currency_id, units FROM flowed
        UNION ALL
        SELECT user_id, destination_id, on_day, type, currency_id, units FROM flowed
    ) AS touched
    GROUP BY user_id, label_id, on_day, type, currency_id
)
SELECT user_id, label_id, 'day', on_day, type, currency_id, units, splits FROM days
UNION ALL
SELECT user_id, label_id, 'month', substr(on_day, 1, 7), type, currency_id, SUM(units), SUM(splits) FROM days
GROUP BY user_id, label_id, substr(on_day, 1, 7), type, currency_id
UNION ALL
SELECT user_id, label_id, 'all', '', type, currency_id, SUM(units), SUM(splits) FROM days
GROUP BY user_id, label_id, type, currency_id;
DROP TABLE account_counts;

-- What moved in the accounts that count: assets and liabilities, unless their owner leaves them out.
CREATE TABLE net_worth (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    units {int} NOT NULL,
    PRIMARY KEY (user_id, currency_id, grain, period)
) {keyed};
INSERT INTO net_worth (user_id, currency_id, grain, period, units)
SELECT b.user_id, b.currency_id, b.grain, b.period, SUM(b.units)
FROM balances b JOIN accounts a ON a.user_id = b.user_id AND a.id = b.account_id
WHERE a.include_net_worth = 1
    AND a.kind IN ('Asset account', 'Default account', 'Loan', 'Debt', 'Mortgage', 'Credit card')
GROUP BY b.user_id, b.currency_id, b.grain, b.period;
