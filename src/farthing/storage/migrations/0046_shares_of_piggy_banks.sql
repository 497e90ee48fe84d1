-- What a piggy bank holds in accounts besides its first one, `piggy_banks.account_id`. The first account holds the rest of
-- `current_units`, so a piggy bank with one account has no rows here.
CREATE TABLE piggy_bank_shares (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    piggy_bank_id {int} NOT NULL,
    account_id {int} NOT NULL,
    units {int} NOT NULL DEFAULT 0 CHECK (units >= 0),
    UNIQUE (user_id, id),
    UNIQUE (user_id, piggy_bank_id, account_id),
    FOREIGN KEY (user_id, piggy_bank_id) REFERENCES piggy_banks (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, account_id) REFERENCES accounts (user_id, id)
) {strict};
CREATE INDEX piggy_bank_shares_of_account ON piggy_bank_shares (user_id, account_id);
-- All accounts of each piggy bank with what they hold of it. `share_id` is 0 for the first one, which sorts it first.
CREATE VIEW piggy_bank_accounts AS
SELECT p.user_id, p.id AS piggy_bank_id, 0 AS share_id, p.account_id, p.current_units - CAST(COALESCE((
    SELECT SUM(s.units) FROM piggy_bank_shares s WHERE s.user_id = p.user_id AND s.piggy_bank_id = p.id
), 0) AS BIGINT) AS units
FROM piggy_banks p
UNION ALL
SELECT user_id, piggy_bank_id, id, account_id, units FROM piggy_bank_shares;
