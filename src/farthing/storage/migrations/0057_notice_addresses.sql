-- What was sent lately is counted for monitoring. `next_at` of a notice that was sent or given up is when that happened.
CREATE INDEX notice_deliveries_settled ON notice_deliveries (next_at) WHERE sent_at IS NOT NULL OR given_up = 1;
CREATE INDEX webhook_attempts_by_time ON webhook_attempts (created_at);
