-- The parts of an import are one change to people: that of the request that started it, named by its revision.
ALTER TABLE revisions ADD COLUMN part_of {int};
CREATE INDEX revisions_parts ON revisions (user_id, part_of) WHERE part_of IS NOT NULL;
-- An undo may undo several changes.
CREATE INDEX revisions_undone ON revisions (user_id, undone_by) WHERE undone_by IS NOT NULL;
