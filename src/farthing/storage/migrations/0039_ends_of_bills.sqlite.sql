-- SQLite cannot change a CHECK, and rebuilding the table would delete what refers to it. The ALTER TABLE below makes other
-- connections read the schema again.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (highest_units > lowest_units)', 'CHECK (highest_units >= lowest_units)')
WHERE type = 'table' AND name = 'bills';
PRAGMA writable_schema = OFF;
ALTER TABLE bills ADD COLUMN extension_on {text};
