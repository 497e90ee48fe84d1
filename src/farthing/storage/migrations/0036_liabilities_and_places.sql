-- Who owes a liability: 'debit' if the user does, 'credit' if somebody owes it to the user. Null means 'debit'.
ALTER TABLE accounts ADD COLUMN direction {text};
-- Where a map shows an account: exact decimals, kept as text, and how far out.
ALTER TABLE accounts ADD COLUMN latitude {text};
ALTER TABLE accounts ADD COLUMN longitude {text};
ALTER TABLE accounts ADD COLUMN zoom_level {int};
