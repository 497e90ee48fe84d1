-- What has to be sent about a notice. While the job process sends it, it holds the row until `held_until`; after a
-- failure, it tries again at `next_at`, until `given_up`. `secret` is in the link with which its reader ends such messages.
CREATE TABLE notice_deliveries (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    notice_id {int} NOT NULL,
    channel {text} NOT NULL,
    secret {text} NOT NULL UNIQUE,
    attempts {int} NOT NULL DEFAULT 0,
    next_at {text} NOT NULL,
    held_until {text},
    sent_at {text},
    given_up {int} NOT NULL DEFAULT 0 CHECK (given_up IN (0, 1)),
    failure {text},
    created_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, notice_id, channel),
    FOREIGN KEY (user_id, notice_id) REFERENCES notices (user_id, id) ON DELETE CASCADE
) {strict};
CREATE INDEX notice_deliveries_waiting ON notice_deliveries (next_at) WHERE sent_at IS NULL AND given_up = 0;
