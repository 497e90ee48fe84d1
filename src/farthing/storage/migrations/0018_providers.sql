-- Signing in with a provider of OpenID Connect.

-- Under which name a provider knows a user. `email` is what the provider said last, for the user to recognise it.
CREATE TABLE identities (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    issuer {text} NOT NULL,
    subject {text} NOT NULL,
    email {text} NOT NULL,
    created_at {text} NOT NULL,
    last_used_at {text},
    UNIQUE (user_id, id),
    UNIQUE (issuer, subject)
) {strict};

-- Somebody has been sent to a provider, and may come back once, with the same browser. `user_id` is who wants to link it; without one, it is to
-- sign in. `used_at` is when they came back; `proof` is what the provider said then, while a second factor is still missing.
CREATE TABLE provider_states (
    hash {text} NOT NULL PRIMARY KEY,
    browser {text} NOT NULL,
    provider {text} NOT NULL,
    user_id {int} REFERENCES users (id) ON DELETE CASCADE,
    created_at {text} NOT NULL,
    expires_at {text} NOT NULL,
    used_at {text},
    proof {text}
) {keyed};
CREATE INDEX provider_states_of_user ON provider_states (user_id);

-- Which provider signed somebody in, under which name it knows that session, and where one signs out there.
ALTER TABLE sessions ADD COLUMN issuer {text};
ALTER TABLE sessions ADD COLUMN issuer_session {text};
ALTER TABLE sessions ADD COLUMN sign_out_url {text};
