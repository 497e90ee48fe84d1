-- Notes of what had none, the position of budgets and bills in lists, and groups of bills and piggy banks. A group is made
-- with its first member and removed with its last.
ALTER TABLE categories ADD COLUMN notes {text};
ALTER TABLE budgets ADD COLUMN notes {text};
ALTER TABLE budgets ADD COLUMN position {int} NOT NULL DEFAULT 0;
ALTER TABLE budget_limits ADD COLUMN notes {text};
ALTER TABLE bills ADD COLUMN position {int} NOT NULL DEFAULT 0;
CREATE TABLE object_groups (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title {text} NOT NULL,
    title_fold {text} NOT NULL,
    position {int} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, title_fold)
) {strict};
UPDATE budgets SET position = (
    SELECT COUNT(*) FROM budgets b WHERE b.user_id = budgets.user_id AND b.name_fold <= budgets.name_fold
);
UPDATE bills SET position = (SELECT COUNT(*) FROM bills b WHERE b.user_id = bills.user_id AND b.id <= bills.id);
