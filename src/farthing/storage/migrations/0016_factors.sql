-- Second factors: what somebody has besides the password.

-- `secret` is the key of an authenticator app, or the public key of a passkey; `counter` the last step or signature that was used, so that none
-- works twice. `credential` is the id by which a passkey is found. One that is not confirmed is being set up, and does not count.
CREATE TABLE factors (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind {text} NOT NULL CHECK (kind IN ('totp', 'passkey')),
    name {text} NOT NULL,
    credential {text} UNIQUE,
    secret {text} NOT NULL,
    counter {int} NOT NULL,
    created_at {text} NOT NULL,
    confirmed_at {text},
    last_used_at {text},
    UNIQUE (user_id, id)
) {strict};

-- Each works once, instead of a second factor.
CREATE TABLE recovery_codes (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash {text} NOT NULL,
    PRIMARY KEY (user_id, hash)
) {keyed};
