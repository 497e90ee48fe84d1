-- Revisions under which nothing was logged, such as those of a job that logs all it does under that of its request: no changes to people.
ALTER TABLE revisions ADD COLUMN hidden {int} NOT NULL DEFAULT 0;
CREATE INDEX revisions_hidden ON revisions (user_id, revision) WHERE hidden = 1;
