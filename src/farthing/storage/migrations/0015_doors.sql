-- What a token is limited to, books that several people work in, and who did what.

-- Separated by spaces. Without scopes a token may do whatever its access allows; without networks it counts from anywhere.
ALTER TABLE tokens ADD COLUMN scopes {text};
ALTER TABLE tokens ADD COLUMN networks {text};
-- Whose books it works in, unless the request says. No reference: when sharing ends, the token must not fall back to its user's own.
ALTER TABLE tokens ADD COLUMN books_id {int};

-- Who did it; NULL for what the program did by itself, and for what was done before this was noted.
ALTER TABLE revisions ADD COLUMN by_id {int};
ALTER TABLE jobs ADD COLUMN by_id {int};

-- The people who work in the books of `user_id`, besides that user.
CREATE TABLE members (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    member_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role {text} NOT NULL CHECK (role IN ('viewer', 'bookkeeper', 'full')),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, member_id),
    CHECK (member_id <> user_id)
) {strict};
CREATE INDEX members_of_person ON members (member_id);

-- Each link works once. `owner` hands the books over.
CREATE TABLE invitations (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash {text} NOT NULL UNIQUE,
    role {text} NOT NULL CHECK (role IN ('viewer', 'bookkeeper', 'full', 'owner')),
    name {text} NOT NULL,
    invited_by_id {int} NOT NULL,
    created_at {text} NOT NULL,
    expires_at {text} NOT NULL,
    UNIQUE (user_id, id)
) {strict};

-- What happened at the doors of a user: sign-ins, refusals, tokens, shares, exports. `device` is the browser or program; `is_known` says whether
-- the user had signed in there before. `by_id` is who did it, where that is another person.
CREATE TABLE audit (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    at {text} NOT NULL,
    event {text} NOT NULL,
    by_id {int},
    address {text} NOT NULL,
    device {text} NOT NULL,
    is_known {int} NOT NULL,
    about {text} NOT NULL,
    UNIQUE (user_id, id)
) {strict};
CREATE INDEX audit_by_time ON audit (at);
