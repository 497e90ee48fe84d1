-- The number of entries, for lists by groups: an entry is counted in the row of its first split that has the label.
ALTER TABLE sums_of_accounts ADD COLUMN entries {int} NOT NULL DEFAULT 0;
ALTER TABLE sums_of_categories ADD COLUMN entries {int} NOT NULL DEFAULT 0;
ALTER TABLE sums_of_budgets ADD COLUMN entries {int} NOT NULL DEFAULT 0;
ALTER TABLE sums_of_tags ADD COLUMN entries {int} NOT NULL DEFAULT 0;
