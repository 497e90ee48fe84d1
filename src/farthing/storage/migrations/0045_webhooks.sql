-- Webhooks send changes to other programs. `triggers` and `responses` are lists in JSON.
CREATE TABLE webhooks (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title {text} NOT NULL,
    title_fold {text} NOT NULL,
    active {int} NOT NULL CHECK (active IN (0, 1)),
    secret {text} NOT NULL,
    triggers {text} NOT NULL,
    responses {text} NOT NULL,
    url {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, title_fold)
) {strict};

-- What webhooks have to send, written in the same unit of work as the change that it tells of. The job process sends it;
-- while it does, it holds the message until `held_until`. After a failure, it tries again at `next_at`.
CREATE TABLE webhook_messages (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    webhook_id {int} NOT NULL,
    uuid {text} NOT NULL,
    content {text} NOT NULL,
    sent {int} NOT NULL DEFAULT 0 CHECK (sent IN (0, 1)),
    errored {int} NOT NULL DEFAULT 0 CHECK (errored IN (0, 1)),
    attempts {int} NOT NULL DEFAULT 0,
    next_at {text} NOT NULL,
    held_until {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    FOREIGN KEY (user_id, webhook_id) REFERENCES webhooks (user_id, id) ON DELETE CASCADE
) {strict};
CREATE INDEX webhook_messages_of_webhook ON webhook_messages (user_id, webhook_id, id);
CREATE INDEX webhook_messages_waiting ON webhook_messages (webhook_id, id) WHERE sent = 0 AND errored = 0;
CREATE INDEX webhook_messages_settled ON webhook_messages (created_at) WHERE sent = 1 OR errored = 1;

-- What the receiver answered. Bodies are cut to their beginning.
CREATE TABLE webhook_attempts (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    message_id {int} NOT NULL,
    status_code {int},
    logs {text},
    response {text},
    created_at {text} NOT NULL,
    UNIQUE (user_id, id),
    FOREIGN KEY (user_id, message_id) REFERENCES webhook_messages (user_id, id) ON DELETE CASCADE
) {strict};
CREATE INDEX webhook_attempts_of_message ON webhook_attempts (user_id, message_id, id);

-- Which triggers a user's active webhooks wait for, as bits, so that a write of other users asks no further.
ALTER TABLE users ADD COLUMN hooks {int} NOT NULL DEFAULT 0;
