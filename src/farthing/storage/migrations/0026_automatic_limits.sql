-- The limit that a budget gets in each period, such as 400 euros a month. The first day for which no limit was made yet
-- is not taken back by an undo, so that no period gets a limit twice.
ALTER TABLE budgets ADD COLUMN auto_units {int} CHECK (auto_units > 0);
ALTER TABLE budgets ADD COLUMN auto_currency_id {int} REFERENCES currencies (id);
ALTER TABLE budgets ADD COLUMN auto_period {text}
    CHECK (auto_period IN ('daily', 'weekly', 'monthly', 'quarterly', 'half-year', 'yearly'));
ALTER TABLE budgets ADD COLUMN auto_next_on {text} CHECK (
    (auto_next_on IS NULL) = (auto_units IS NULL) AND (auto_next_on IS NULL) = (auto_currency_id IS NULL)
    AND (auto_next_on IS NULL) = (auto_period IS NULL)
);
CREATE INDEX budgets_by_next_limit ON budgets (auto_next_on, user_id) WHERE auto_next_on IS NOT NULL;
