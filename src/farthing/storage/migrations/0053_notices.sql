-- What people want to know without looking. `key` names the occasion, so that there is only one notice of it. `facts` is
-- JSON. A notice that is not `shown` is only sent. `ended_at` is set once an account is above its line again.
CREATE TABLE notices (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key {text} NOT NULL,
    kind {text} NOT NULL,
    object_kind {text},
    object_id {int},
    facts {text} NOT NULL,
    shown {int} NOT NULL CHECK (shown IN (0, 1)),
    read_at {text},
    ended_at {text},
    created_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, key)
) {strict};
CREATE INDEX notices_unread ON notices (user_id, id) WHERE read_at IS NULL AND shown = 1;
CREATE INDEX notices_by_time ON notices (created_at);

-- Up to where the job process has looked for occasions in the books of a user: the revision of the books and the last
-- entry of the audit log. It looks again when either has moved on, or at `next_at`.
CREATE TABLE notice_states (
    user_id {int} NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    since {text} NOT NULL,
    revision {int} NOT NULL,
    audit_id {int} NOT NULL,
    looked_at {text} NOT NULL,
    next_at {text} NOT NULL
) {keyed};

CREATE INDEX jobs_failed ON jobs (finished_at) WHERE failure IS NOT NULL AND finished_at IS NOT NULL;
