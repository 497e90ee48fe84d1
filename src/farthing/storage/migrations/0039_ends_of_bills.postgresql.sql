ALTER TABLE bills DROP CONSTRAINT bills_check;
ALTER TABLE bills ADD COLUMN extension_on {text} CHECK (highest_units >= lowest_units);
