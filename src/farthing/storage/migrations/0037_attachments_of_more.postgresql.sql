ALTER TABLE attachments ADD COLUMN account_id {int}, ADD COLUMN budget_id {int}, ADD COLUMN category_id {int},
    ADD COLUMN piggy_bank_id {int}, ADD COLUMN tag_id {int}, ADD COLUMN split_id {int};
ALTER TABLE attachments DROP CONSTRAINT attachments_check;
ALTER TABLE attachments ADD CONSTRAINT attachments_check CHECK (
    num_nonnulls(bill_id, entry_id, import_job_id, account_id, budget_id, category_id, piggy_bank_id, tag_id) = 1
);
ALTER TABLE attachments
    ADD FOREIGN KEY (user_id, account_id) REFERENCES accounts (user_id, id) ON DELETE CASCADE,
    ADD FOREIGN KEY (user_id, budget_id) REFERENCES budgets (user_id, id) ON DELETE CASCADE,
    ADD FOREIGN KEY (user_id, category_id) REFERENCES categories (user_id, id) ON DELETE CASCADE,
    ADD FOREIGN KEY (user_id, piggy_bank_id) REFERENCES piggy_banks (user_id, id) ON DELETE CASCADE,
    ADD FOREIGN KEY (user_id, tag_id) REFERENCES tags (user_id, id) ON DELETE CASCADE;
CREATE INDEX attachments_by_account ON attachments (user_id, account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX attachments_by_budget ON attachments (user_id, budget_id, id) WHERE budget_id IS NOT NULL;
CREATE INDEX attachments_by_category ON attachments (user_id, category_id, id) WHERE category_id IS NOT NULL;
CREATE INDEX attachments_by_piggy_bank ON attachments (user_id, piggy_bank_id, id) WHERE piggy_bank_id IS NOT NULL;
CREATE INDEX attachments_by_tag ON attachments (user_id, tag_id, id) WHERE tag_id IS NOT NULL;
