-- How categories look. Both are words of a list in `books/categories/model.py`.
ALTER TABLE categories ADD COLUMN colour {text};
ALTER TABLE categories ADD COLUMN icon {text};

-- New preferences: the order of accounts and of their groups, and the cards of the dashboard. Every user has all preferences.
INSERT INTO preferences (user_id, name, data, created_at, updated_at)
SELECT id, 'accountOrder', '[]', created_at, created_at FROM users;
INSERT INTO preferences (user_id, name, data, created_at, updated_at)
SELECT id, 'accountGroupOrder', '[]', created_at, created_at FROM users;
INSERT INTO preferences (user_id, name, data, created_at, updated_at)
SELECT id, 'dashboardCards', '[]', created_at, created_at FROM users;
