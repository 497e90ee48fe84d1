-- The feed of changes reads what was logged in the order of the log.
CREATE INDEX changes_in_order ON changes (user_id, id);

-- Names this database. No copy of it has the same name, so that cursors of the feed are valid only here.
CREATE TABLE lineage (name {text} NOT NULL) {strict};
INSERT INTO lineage (name) SELECT {random_name};
