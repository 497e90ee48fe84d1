-- What was last looked at, and how it was found: one row for each thing that is examined again and again.
CREATE TABLE checkups (
    name {text} PRIMARY KEY,
    at {text} NOT NULL,
    problems {int} NOT NULL,
    note {text}
) {strict};
