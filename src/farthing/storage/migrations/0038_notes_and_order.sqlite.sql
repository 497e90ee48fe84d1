-- The program checks that the group belongs to the same user, because SQLite cannot add such a reference to a table.
ALTER TABLE bills ADD COLUMN object_group_id {int} REFERENCES object_groups (id);
ALTER TABLE piggy_banks ADD COLUMN object_group_id {int} REFERENCES object_groups (id);
CREATE INDEX bills_of_group ON bills (user_id, object_group_id) WHERE object_group_id IS NOT NULL;
CREATE INDEX piggy_banks_of_group ON piggy_banks (user_id, object_group_id) WHERE object_group_id IS NOT NULL;
