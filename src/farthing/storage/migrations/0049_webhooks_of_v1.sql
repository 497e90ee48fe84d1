-- Webhooks of version 1 of the API. Their `triggers` are kinds of events, and they have no `responses`.
ALTER TABLE webhooks ADD COLUMN api_version {text} NOT NULL DEFAULT 'v6';
-- The shares of a budget, as a list in JSON, that a webhook tells of once they are spent.
ALTER TABLE webhooks ADD COLUMN budget_percentages {text} NOT NULL DEFAULT '[]';

-- How far the job process has read for a webhook of version 1, and whether its receiver fails. It is not part of the log
-- of changes: an undo must neither send events again nor hide a pause.
CREATE TABLE webhook_progress (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    webhook_id {int} NOT NULL,
    started_at {text} NOT NULL,
    seen_revision {int} NOT NULL,
    seen_change {int} NOT NULL DEFAULT 0,
    seen_note {int} NOT NULL DEFAULT 0,
    look_at {text} NOT NULL,
    failing_since {text},
    paused_at {text},
    PRIMARY KEY (user_id, webhook_id),
    FOREIGN KEY (user_id, webhook_id) REFERENCES webhooks (user_id, id) ON DELETE CASCADE
) {keyed};

-- What a webhook has told of and must not tell of again, such as a bill that is overdue.
CREATE TABLE webhook_occasions (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    webhook_id {int} NOT NULL,
    occasion {text} NOT NULL,
    forget_on {text} NOT NULL,
    UNIQUE (user_id, webhook_id, occasion),
    FOREIGN KEY (user_id, webhook_id) REFERENCES webhooks (user_id, id) ON DELETE CASCADE
) {strict};
CREATE INDEX webhook_occasions_old ON webhook_occasions (forget_on);
