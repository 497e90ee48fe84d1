ALTER TABLE categories ADD COLUMN parent_id {int};
ALTER TABLE categories ADD COLUMN budget_id {int};
ALTER TABLE categories ADD FOREIGN KEY (user_id, parent_id) REFERENCES categories (user_id, id);
ALTER TABLE categories ADD FOREIGN KEY (user_id, budget_id) REFERENCES budgets (user_id, id);
CREATE INDEX categories_of_parent ON categories (user_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX categories_of_budget ON categories (user_id, budget_id) WHERE budget_id IS NOT NULL;
