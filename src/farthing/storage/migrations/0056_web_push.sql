-- The pair of keys with which this installation signs what it sends to browsers. It is made when it is first needed.
CREATE TABLE push_keys (
    number {int} NOT NULL PRIMARY KEY CHECK (number = 1),
    public_key {text} NOT NULL,
    private_key {text} NOT NULL
) {keyed};

-- The browsers that show notices. Each ends with the session of its browser, so that the next person does not see them.
-- `hash` is that of the endpoint, the secret address at the push service.
CREATE UNIQUE INDEX sessions_by_user ON sessions (user_id, id);
CREATE TABLE push_subscriptions (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_id {int} NOT NULL,
    hash {text} NOT NULL UNIQUE,
    endpoint {text} NOT NULL,
    p256dh {text} NOT NULL,
    auth {text} NOT NULL,
    created_at {text} NOT NULL,
    last_used_at {text},
    UNIQUE (user_id, id),
    UNIQUE (user_id, session_id),
    FOREIGN KEY (user_id, session_id) REFERENCES sessions (user_id, id) ON DELETE CASCADE
) {strict};

-- The ids of the subscriptions that need no further attempt, separated by spaces.
ALTER TABLE notice_deliveries ADD COLUMN reached {text};
