-- Passkeys: what a browser is asked for, and what is kept of each one besides its key.

-- What an authenticator has to sign. Each works once, for a few minutes and for one purpose; nobody is known yet when somebody signs in with a passkey alone.
-- `handle` is the name under which an authenticator will keep a new passkey.
CREATE TABLE passkey_challenges (
    hash {text} NOT NULL PRIMARY KEY,
    purpose {text} NOT NULL,
    user_id {int} REFERENCES users (id) ON DELETE CASCADE,
    handle {text},
    expires_at {text} NOT NULL
) {keyed};
CREATE INDEX passkey_challenges_of_user ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);

-- `handle` is random, the same for all passkeys of a person, and moves with them when books are handed over. `transports` says, in words separated by spaces,
-- how a browser reaches the authenticator.
ALTER TABLE factors ADD COLUMN handle {text};
ALTER TABLE factors ADD COLUMN transports {text};
