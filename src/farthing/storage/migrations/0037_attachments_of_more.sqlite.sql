-- SQLite cannot change a constraint, so the table is made again. Nothing refers to it. Its ids continue where they were.
CREATE TABLE new_attachments (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    bill_id {int},
    entry_id {int},
    filename {text} NOT NULL,
    title {text},
    notes {text},
    sha256 {text} CHECK (length(sha256) = 64),
    md5 {text} CHECK (length(md5) = 32),
    mime {text},
    size {int} CHECK (size > 0),
    uploaded_at {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    import_job_id {int},
    account_id {int},
    budget_id {int},
    category_id {int},
    piggy_bank_id {int},
    tag_id {int},
    split_id {int},
    UNIQUE (user_id, id),
    CHECK (
        (bill_id IS NOT NULL) + (entry_id IS NOT NULL) + (import_job_id IS NOT NULL) + (account_id IS NOT NULL)
        + (budget_id IS NOT NULL) + (category_id IS NOT NULL) + (piggy_bank_id IS NOT NULL) + (tag_id IS NOT NULL) = 1
    ),
    CHECK ((sha256 IS NULL) = (uploaded_at IS NULL) AND (md5 IS NULL) = (uploaded_at IS NULL)),
    CHECK ((mime IS NULL) = (uploaded_at IS NULL) AND (size IS NULL) = (uploaded_at IS NULL)),
    FOREIGN KEY (user_id, bill_id) REFERENCES bills (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, entry_id) REFERENCES entries (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, import_job_id) REFERENCES import_jobs (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, account_id) REFERENCES accounts (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, budget_id) REFERENCES budgets (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, category_id) REFERENCES categories (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, piggy_bank_id) REFERENCES piggy_banks (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, tag_id) REFERENCES tags (user_id, id) ON DELETE CASCADE
) {strict};
INSERT INTO new_attachments SELECT *, NULL, NULL, NULL, NULL, NULL, NULL FROM attachments;
INSERT INTO sqlite_sequence (name, seq)
SELECT 'new_attachments', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'new_attachments');
UPDATE sqlite_sequence SET seq = COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'attachments'), 0)
WHERE name = 'new_attachments';
DROP TABLE attachments;
ALTER TABLE new_attachments RENAME TO attachments;
CREATE INDEX attachments_by_bill ON attachments (user_id, bill_id, id) WHERE bill_id IS NOT NULL;
CREATE INDEX attachments_by_entry ON attachments (user_id, entry_id, id) WHERE entry_id IS NOT NULL;
CREATE INDEX attachments_by_import_job ON attachments (user_id, import_job_id, id) WHERE import_job_id IS NOT NULL;
CREATE INDEX attachments_by_account ON attachments (user_id, account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX attachments_by_budget ON attachments (user_id, budget_id, id) WHERE budget_id IS NOT NULL;
CREATE INDEX attachments_by_category ON attachments (user_id, category_id, id) WHERE category_id IS NOT NULL;
CREATE INDEX attachments_by_piggy_bank ON attachments (user_id, piggy_bank_id, id) WHERE piggy_bank_id IS NOT NULL;
CREATE INDEX attachments_by_tag ON attachments (user_id, tag_id, id) WHERE tag_id IS NOT NULL;
CREATE INDEX attachments_uploaded ON attachments (user_id, id) WHERE uploaded_at IS NOT NULL;
