-- Import jobs, and what became of each row of their files.

-- The account may be deleted while the job stays, so it is not a reference; nor are the transactions of its rows.
CREATE TABLE import_jobs (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    state {text} NOT NULL CHECK (state IN ('uploaded', 'ready', 'running', 'done', 'failed', 'undone')),
    format {text},
    account_id {int},
    mapping {text} NOT NULL,
    options {text} NOT NULL,
    file_ids {text} NOT NULL,
    layout {text},
    detected {text} NOT NULL,
    rows_total {int},
    rows_read {int} NOT NULL DEFAULT 0,
    rows_new {int} NOT NULL DEFAULT 0,
    rows_duplicate {int} NOT NULL DEFAULT 0,
    rows_linked {int} NOT NULL DEFAULT 0,
    rows_rejected {int} NOT NULL DEFAULT 0,
    findings {text} NOT NULL,
    report {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    started_at {text},
    finished_at {text},
    UNIQUE (user_id, id)
) {strict};
CREATE INDEX import_jobs_by_layout ON import_jobs (user_id, layout, id) WHERE layout IS NOT NULL;

-- By its key a row is recognized when it comes again, whatever became of its transaction. It outlives its job.
CREATE TABLE import_rows (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    job_id {int} NOT NULL,
    account_id {int} NOT NULL,
    row_number {int} NOT NULL,
    on_day {text} NOT NULL,
    key {text} NOT NULL,
    outcome {text} NOT NULL CHECK (outcome IN ('new', 'linked', 'paired')),
    entry_id {int},
    before {text},
    UNIQUE (user_id, id)
) {strict};
CREATE INDEX import_rows_by_key ON import_rows (user_id, account_id, key);
CREATE INDEX import_rows_by_job ON import_rows (user_id, job_id, id);
CREATE INDEX import_rows_by_entry ON import_rows (user_id, entry_id);

-- Accounts, labels and all else that a job made besides transactions; `source_key` is the name of it in the file.
CREATE TABLE import_objects (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    job_id {int} NOT NULL,
    kind {text} NOT NULL,
    source_key {text} NOT NULL,
    target_id {int} NOT NULL,
    is_made {int} NOT NULL CHECK (is_made IN (0, 1)),
    UNIQUE (user_id, id),
    UNIQUE (user_id, job_id, kind, source_key)
) {strict};

-- Finds what has the same amount around the same day, however much there is.
CREATE INDEX splits_by_units ON splits (user_id, units, on_day);
CREATE INDEX splits_by_foreign_units ON splits (user_id, foreign_units, on_day) WHERE foreign_units IS NOT NULL;
