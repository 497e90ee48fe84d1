ALTER TABLE attachments ADD COLUMN import_job_id {int};
ALTER TABLE attachments DROP CONSTRAINT attachments_check;
ALTER TABLE attachments ADD CHECK (num_nonnulls(bill_id, entry_id, import_job_id) = 1);
ALTER TABLE attachments ADD FOREIGN KEY (user_id, import_job_id) REFERENCES import_jobs (user_id, id) ON DELETE CASCADE;
CREATE INDEX attachments_by_import_job ON attachments (user_id, import_job_id, id) WHERE import_job_id IS NOT NULL;
