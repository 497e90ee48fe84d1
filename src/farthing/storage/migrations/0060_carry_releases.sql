-- Money that was taken out of what a budget carried into a month, to be given to another budget or to no budget.
CREATE TABLE carry_releases (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    budget_id {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    month_on {text} NOT NULL CHECK (month_on LIKE '____-__-01'),
    units {int} NOT NULL CHECK (units > 0),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, budget_id, currency_id, month_on),
    FOREIGN KEY (user_id, budget_id) REFERENCES budgets (user_id, id)
) {strict};
CREATE INDEX carry_releases_by_month ON carry_releases (user_id, currency_id, month_on);
