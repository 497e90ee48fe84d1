-- Answers that are given again, what everybody sees alike, and what is needed to undo.

-- What is not any user's own (currencies, users) has a revision, too.
CREATE TABLE house (
    number {int} PRIMARY KEY CHECK (number = 1),
    revision {int} NOT NULL
) {strict};
INSERT INTO house (number, revision) VALUES (1, 0);

-- The body comes last: what forgets old answers need not read it.
CREATE TABLE answers (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key {text} NOT NULL,
    at {text} NOT NULL,
    request {text} NOT NULL,
    status {int} NOT NULL,
    headers {text} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (user_id, key)
) {strict};

-- Each unit of work of a user: `doing` is what was asked for, such as accounts.remove. Revisions have no gaps.
CREATE TABLE revisions (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    revision {int} NOT NULL,
    at {text} NOT NULL,
    token_id {int},
    doing {text} NOT NULL,
    undoes {int},
    undone_by {int},
    UNIQUE (user_id, revision)
) {strict};

CREATE INDEX changes_of_object ON changes (user_id, kind, object_id, revision);
CREATE INDEX changes_of_revision ON changes (user_id, revision, id);
