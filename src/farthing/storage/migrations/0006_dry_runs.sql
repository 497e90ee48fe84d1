-- What rules would change: found by a job, looked at by whoever asked for it, and put away after a day.
CREATE UNIQUE INDEX jobs_of_user ON jobs (user_id, id);

-- `told` is one transaction before and after, as JSON.
CREATE TABLE dry_run_changes (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    job_id {int} NOT NULL,
    told {text} NOT NULL,
    FOREIGN KEY (user_id, job_id) REFERENCES jobs (user_id, id) ON DELETE CASCADE
) {strict};
CREATE INDEX dry_run_changes_of_job ON dry_run_changes (user_id, job_id, id);
