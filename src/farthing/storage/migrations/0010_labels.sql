-- One level of sub-categories, the budget that a category brings along, and what a budget carries into the next month.

-- Null in a row that was restored from before this column: as 'no'.
ALTER TABLE budgets ADD COLUMN carry {text} DEFAULT 'no' CHECK (carry IN ('no', 'yes', 'overspent'));
