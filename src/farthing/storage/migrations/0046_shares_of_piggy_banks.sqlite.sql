-- The account that an event is about, if that is not the first one of its piggy bank. The program checks that it belongs to
-- the same user, because SQLite cannot add such a reference to a table.
ALTER TABLE piggy_bank_events ADD COLUMN account_id {int} REFERENCES accounts (id);
CREATE INDEX piggy_bank_events_of_account ON piggy_bank_events (user_id, account_id) WHERE account_id IS NOT NULL;
