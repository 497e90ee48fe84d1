-- What the inbox lists: withdrawals (type 1) and deposits (type 2) without a category, newest first.
CREATE INDEX splits_without_category ON splits (user_id, on_day DESC, entry_id DESC, position)
    WHERE category_id IS NULL AND type < 3;
