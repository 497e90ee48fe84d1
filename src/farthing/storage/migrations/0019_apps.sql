-- Apps of others that people let into their books (OAuth 2.0).

-- Registered by `user_id`, who alone may use it unless it is for everybody. `redirects` are the addresses that it may be answered at, separated by
-- spaces. Without a secret, of which this is the hash, it is public.
CREATE TABLE apps (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    redirects {text} NOT NULL,
    hash {text},
    for_everybody {int} NOT NULL,
    created_at {text} NOT NULL,
    UNIQUE (user_id, id)
) {strict};

-- The token of an app is the access that somebody gave it: whatever ends the token ends that access, and the refresh tokens with it.
ALTER TABLE tokens ADD COLUMN app_id {int} REFERENCES apps (id) ON DELETE CASCADE;
-- For how many seconds each new access token of the app counts.
ALTER TABLE tokens ADD COLUMN app_seconds {int};
CREATE INDEX tokens_of_app ON tokens (app_id) WHERE app_id IS NOT NULL;
CREATE UNIQUE INDEX tokens_by_user ON tokens (user_id, id);

-- What the browser carries to the app, which exchanges it for tokens once. Kept for a while after that: using it again takes away what it gave.
-- `redirect` is the address that the request named; `challenge` is that of PKCE.
CREATE TABLE app_codes (
    hash {text} NOT NULL PRIMARY KEY,
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    app_id {int} NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    redirect {text},
    challenge {text},
    access {text} NOT NULL CHECK (access IN ('read', 'full')),
    scopes {text} NOT NULL,
    books_id {int},
    created_at {text} NOT NULL,
    expires_at {text} NOT NULL,
    used_at {text},
    token_id {int}
) {keyed};
CREATE INDEX app_codes_of_user ON app_codes (user_id);
CREATE INDEX app_codes_of_app ON app_codes (app_id);

-- Each is exchanged for the next. `repeatable_until` is set when that happens: until then the same one may come again, because an answer can get lost;
-- later, somebody else has it.
CREATE TABLE app_refresh_tokens (
    hash {text} NOT NULL PRIMARY KEY,
    user_id {int} NOT NULL,
    token_id {int} NOT NULL,
    created_at {text} NOT NULL,
    expires_at {text} NOT NULL,
    repeatable_until {text},
    FOREIGN KEY (user_id, token_id) REFERENCES tokens (user_id, id) ON DELETE CASCADE ON UPDATE CASCADE
) {keyed};
CREATE INDEX app_refresh_tokens_of_token ON app_refresh_tokens (user_id, token_id);
