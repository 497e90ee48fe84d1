-- What was sent lately is counted for monitoring. `next_at` of a notice that was sent or given up is when that happened.
CREATE INDEX notice_deliveries_settled ON notice_deliveries (next_at) WHERE sent_at IS NOT NULL OR given_up = 1;
CREATE INDEX webhook_attempts_by_time ON webhook_attempts (created_at);

-- Where a person gets notices in chats and push services. The addresses contain secrets, so they are not in the log of
-- changes. `sent_at` and `failure` say what came of the last message.
CREATE TABLE notice_addresses (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title {text} NOT NULL,
    url {text} NOT NULL,
    sent_at {text},
    failure {text},
    created_at {text} NOT NULL,
    UNIQUE (user_id, id)
) {strict};
