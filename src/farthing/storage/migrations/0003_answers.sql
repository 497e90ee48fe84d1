-- Answers that are given again, what everybody sees alike, and changes by the object they touched.

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

CREATE INDEX changes_of_object ON changes (user_id, kind, object_id, revision);
