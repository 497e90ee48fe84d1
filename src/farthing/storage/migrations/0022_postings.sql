-- What the splits of transactions book and post: the ledger's rule, once for every query. `farthing.ledger.entry` has
-- the same rule for transactions that are not stored yet.
CREATE VIEW booked_splits AS
SELECT id, user_id, entry_id, position, type, on_day, description, units, currency_id, foreign_units,
    foreign_currency_id, reconciled, category_id, budget_id, refund, source_id,
    CASE source_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END AS left_currency_id,
    CASE source_foreign WHEN 1 THEN foreign_units ELSE units END AS left_units,
    destination_id,
    CASE destination_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END AS arrived_currency_id,
    CASE destination_foreign WHEN 1 THEN foreign_units ELSE units END AS arrived_units,
    -- Opening balances (type 4) count as reconciled without being marked.
    CASE WHEN reconciled = 1 OR type = 4 THEN 1 ELSE 0 END AS settled
FROM splits;

-- Currencies are converted only through the user's exchange account, so each currency sums to zero.
CREATE VIEW postings AS
SELECT user_id, entry_id, id AS split_id, position, on_day, settled,
    source_id AS account_id, left_currency_id AS currency_id, -left_units AS units
FROM booked_splits
UNION ALL
SELECT user_id, entry_id, id, position, on_day, settled, destination_id, arrived_currency_id, arrived_units
FROM booked_splits
UNION ALL
SELECT b.user_id, b.entry_id, b.id, b.position, b.on_day, b.settled, x.id, b.left_currency_id, b.left_units
FROM booked_splits b JOIN accounts x ON x.user_id = b.user_id AND x.kind = 'Exchange account'
WHERE b.left_currency_id <> b.arrived_currency_id
UNION ALL
SELECT b.user_id, b.entry_id, b.id, b.position, b.on_day, b.settled, x.id, b.arrived_currency_id, -b.arrived_units
FROM booked_splits b JOIN accounts x ON x.user_id = b.user_id AND x.kind = 'Exchange account'
WHERE b.left_currency_id <> b.arrived_currency_id;
