-- The version of the API that a token works with: 'v1', or 'v6' if the text of the token says so.
ALTER TABLE tokens ADD COLUMN api_version {text} NOT NULL DEFAULT 'v1';
-- The version for which an app was registered. An app for 'v6' gets tokens for it, at whichever address it asks.
ALTER TABLE apps ADD COLUMN api_version {text} NOT NULL DEFAULT 'v1';
