-- Who is signed in, who tries to be, links that open the door once, and what a token may do.

ALTER TABLE tokens ADD COLUMN access {text} NOT NULL DEFAULT 'full' CHECK (access IN ('read', 'full'));

-- What the browser keeps is in here only as a hash.
CREATE TABLE sessions (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash {text} NOT NULL UNIQUE,
    device {text} NOT NULL,
    created_at {text} NOT NULL,
    last_used_at {text} NOT NULL,
    expires_at {text} NOT NULL
) {strict};
CREATE INDEX sessions_of_user ON sessions (user_id);

-- How often since when; a key is an address, or an account as a hash.
CREATE TABLE sign_in_attempts (
    key {text} NOT NULL PRIMARY KEY,
    tries {int} NOT NULL,
    since {text} NOT NULL
) {keyed};

-- Each is gone once it was used. One without a user makes the owner of an empty installation.
CREATE TABLE sign_in_links (
    hash {text} NOT NULL PRIMARY KEY,
    user_id {int} REFERENCES users (id) ON DELETE CASCADE,
    created_at {text} NOT NULL,
    expires_at {text} NOT NULL
) {keyed};
CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id);
