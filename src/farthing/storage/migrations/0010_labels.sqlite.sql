-- SQLite cannot add a reference of two columns to a table; that both are of one user, the program checks.
ALTER TABLE categories ADD COLUMN parent_id {int} REFERENCES categories (id);
ALTER TABLE categories ADD COLUMN budget_id {int} REFERENCES budgets (id);
CREATE INDEX categories_of_parent ON categories (user_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX categories_of_budget ON categories (user_id, budget_id) WHERE budget_id IS NOT NULL;
