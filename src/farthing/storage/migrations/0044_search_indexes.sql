-- What the operators of searches list: transfers without a category (other splits have `splits_without_category`), splits
-- with a foreign currency, and what was made on some days.
CREATE INDEX transfers_without_category ON splits (user_id, on_day DESC, entry_id DESC, position)
    WHERE category_id IS NULL AND type >= 3;
CREATE INDEX splits_in_foreign_currency ON splits (user_id, on_day DESC, entry_id DESC, position)
    WHERE foreign_currency_id IS NOT NULL;
CREATE INDEX entries_by_creation ON entries (user_id, created_at);
-- Importers ask whether a transaction was deleted before.
CREATE INDEX changes_of_removed_entries ON changes (user_id, kind, id)
    WHERE action = 'removed' AND kind IN ('entries', 'splits', 'entry_details');
