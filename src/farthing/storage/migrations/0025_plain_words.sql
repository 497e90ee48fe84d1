-- Words as the search compares them: without accents. Null means that the word is plain already. `plain_words.py` fills
-- the column for earlier words.
ALTER TABLE words ADD COLUMN plain {text};
CREATE INDEX words_by_plain ON words (user_id, COALESCE(plain, word));
