-- SQLite cannot change a constraint: the table is made anew. Its ids go on where they were.
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
    UNIQUE (user_id, id),
    CHECK ((bill_id IS NOT NULL) + (entry_id IS NOT NULL) + (import_job_id IS NOT NULL) = 1),
    CHECK ((sha256 IS NULL) = (uploaded_at IS NULL) AND (md5 IS NULL) = (uploaded_at IS NULL)),
    CHECK ((mime IS NULL) = (uploaded_at IS NULL) AND (size IS NULL) = (uploaded_at IS NULL)),
    FOREIGN KEY (user_id, bill_id) REFERENCES bills (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, entry_id) REFERENCES entries (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, import_job_id) REFERENCES import_jobs (user_id, id) ON DELETE CASCADE
) {strict};
INSERT INTO new_attachments SELECT *, NULL FROM attachments;
INSERT INTO sqlite_sequence (name, seq)
SELECT 'new_attachments', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'new_attachments');
UPDATE sqlite_sequence SET seq = COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'attachments'), 0)
WHERE name = 'new_attachments';
DROP TABLE attachments;
ALTER TABLE new_attachments RENAME TO attachments;
CREATE INDEX attachments_by_bill ON attachments (user_id, bill_id, id) WHERE bill_id IS NOT NULL;
CREATE INDEX attachments_by_entry ON attachments (user_id, entry_id, id) WHERE entry_id IS NOT NULL;
CREATE INDEX attachments_by_import_job ON attachments (user_id, import_job_id, id) WHERE import_job_id IS NOT NULL;
CREATE INDEX attachments_uploaded ON attachments (user_id, id) WHERE uploaded_at IS NOT NULL;
