-- Browsers in which somebody has signed in before: strangers who guess do not lock them out.

-- What the browser keeps is in here only as a hash. `tries` counts attempts since the last that succeeded.
CREATE TABLE devices (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash {text} NOT NULL,
    tries {int} NOT NULL,
    seen_at {text} NOT NULL,
    UNIQUE (hash, user_id)
) {strict};
CREATE INDEX devices_of_user ON devices (user_id);
