-- The last day on which a bill is expected, and the day by which it has to be renewed or cancelled. The smallest and the
-- largest amount may be the same.
ALTER TABLE bills ADD COLUMN end_on {text};
