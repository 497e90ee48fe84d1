ALTER TABLE piggy_bank_events ADD COLUMN account_id {int};
ALTER TABLE piggy_bank_events ADD FOREIGN KEY (user_id, account_id) REFERENCES accounts (user_id, id);
CREATE INDEX piggy_bank_events_of_account ON piggy_bank_events (user_id, account_id) WHERE account_id IS NOT NULL;
