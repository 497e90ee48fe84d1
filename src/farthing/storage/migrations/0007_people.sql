-- Browsers in which somebody has signed in before, and how much each user has stored and may store.

-- Strangers who guess do not lock these browsers out. What they keep is in here only as a hash. `tries` counts attempts since the last that succeeded.
CREATE TABLE devices (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash {text} NOT NULL,
    tries {int} NOT NULL,
    seen_at {text} NOT NULL,
    UNIQUE (hash, user_id)
) {strict};
CREATE INDEX devices_of_user ON devices (user_id);

-- What a user has stored, and how much they may: without a limit, as much as there is room.
ALTER TABLE users ADD COLUMN content_bytes {int} NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN answer_bytes {int} NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN content_bytes_max {int};
ALTER TABLE users ADD COLUMN answer_bytes_max {int};
ALTER TABLE users ADD COLUMN requests_max {int};

-- Each content on disk, from the moment before it is stored until it is swept. `at` is when it last arrived.
CREATE TABLE contents (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    sha256 {text} NOT NULL,
    size {int} NOT NULL,
    at {text} NOT NULL,
    PRIMARY KEY (user_id, sha256)
) {keyed};
-- Contents of deleted attachments are added by the next sweep, which finds them on disk.
INSERT INTO contents (user_id, sha256, size, at)
SELECT user_id, sha256, MAX(size), MAX(uploaded_at) FROM attachments WHERE sha256 IS NOT NULL GROUP BY user_id, sha256;

UPDATE users SET
    content_bytes = (SELECT COALESCE(SUM(size), 0) FROM contents WHERE user_id = users.id),
    answer_bytes = (
        SELECT COALESCE(SUM(octet_length(headers) + octet_length(body)), 0) FROM answers WHERE user_id = users.id
    );
