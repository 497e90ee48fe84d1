-- A trigger can demand that something does not hold, parts can be switched off, and rules can run only when asked to.
ALTER TABLE rules ADD COLUMN manual {int} NOT NULL DEFAULT 0 CHECK (manual IN (0, 1));
ALTER TABLE rule_triggers ADD COLUMN prohibited {int} NOT NULL DEFAULT 0 CHECK (prohibited IN (0, 1));
ALTER TABLE rule_triggers ADD COLUMN active {int} NOT NULL DEFAULT 1 CHECK (active IN (0, 1));
ALTER TABLE rule_actions ADD COLUMN active {int} NOT NULL DEFAULT 1 CHECK (active IN (0, 1));
ALTER TABLE recurrences ADD COLUMN notes {text};
