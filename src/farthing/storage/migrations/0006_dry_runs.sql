-- What rules would change, kept for a day; and one index less for every write to keep.
-- A job finds it, and whoever asked for it looks at it page by page.
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

-- Nobody asks for a user's changes by their ids any more: those of a revision or of an object are asked for.
DROP INDEX changes_of_user;
