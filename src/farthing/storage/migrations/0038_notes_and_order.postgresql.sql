ALTER TABLE bills ADD COLUMN object_group_id {int};
ALTER TABLE piggy_banks ADD COLUMN object_group_id {int};
ALTER TABLE bills ADD FOREIGN KEY (user_id, object_group_id) REFERENCES object_groups (user_id, id);
ALTER TABLE piggy_banks ADD FOREIGN KEY (user_id, object_group_id) REFERENCES object_groups (user_id, id);
CREATE INDEX bills_of_group ON bills (user_id, object_group_id) WHERE object_group_id IS NOT NULL;
CREATE INDEX piggy_banks_of_group ON piggy_banks (user_id, object_group_id) WHERE object_group_id IS NOT NULL;
