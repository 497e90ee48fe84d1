-- A new preference: the named filters of the list of transactions. Every user has all preferences.
INSERT INTO preferences (user_id, name, data, created_at, updated_at)
SELECT id, 'savedFilters', '[]', created_at, created_at FROM users;
