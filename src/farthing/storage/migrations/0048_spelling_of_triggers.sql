-- The name by which a client of version 6 sent a trigger, if it is not the usual one.
ALTER TABLE rule_triggers ADD COLUMN spelling {text};
