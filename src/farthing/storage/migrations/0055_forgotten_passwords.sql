-- The addresses that people have typed because they forgot their password, whether or not they belong to a user. The job
-- process looks them up, so that the answer takes as long either way.
CREATE TABLE password_requests (
    id {id},
    email {text} NOT NULL,
    created_at {text} NOT NULL
) {strict};

-- Each link sets a new password once.
CREATE TABLE password_links (
    hash {text} NOT NULL PRIMARY KEY,
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at {text} NOT NULL,
    expires_at {text} NOT NULL
) {keyed};
CREATE INDEX password_links_of_user ON password_links (user_id);
