-- Types of links. Those without a user are built in, and the same for everybody.
CREATE TABLE link_types (
    id {id},
    user_id {int} REFERENCES users (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    name_fold {text} NOT NULL,
    inward {text} NOT NULL,
    outward {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, name_fold)
) {strict};
INSERT INTO link_types (name, name_fold, inward, outward, created_at, updated_at) VALUES
    ('Related', 'related', 'relates to', 'relates to', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00'),
    ('Refund', 'refund', 'is refunded by', 'refunds', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00'),
    ('Paid', 'paid', 'is paid for by', 'pays for', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00'),
    ('Reimbursement', 'reimbursement', 'is reimbursed by', 'reimburses', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00');
-- A link has a type of the user, or one that is built in. It belongs to both transactions. The splits are those for
-- which it was made; they may be gone.
CREATE TABLE entry_links (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    link_type_id {int},
    built_in {int} REFERENCES link_types (id),
    from_entry_id {int} NOT NULL,
    to_entry_id {int} NOT NULL,
    from_split_id {int},
    to_split_id {int},
    notes {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    CHECK ((link_type_id IS NULL) <> (built_in IS NULL)),
    CHECK (from_entry_id <> to_entry_id),
    FOREIGN KEY (user_id, link_type_id) REFERENCES link_types (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, from_entry_id) REFERENCES entries (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, to_entry_id) REFERENCES entries (user_id, id) ON DELETE CASCADE
) {strict};
CREATE INDEX entry_links_from ON entry_links (user_id, from_entry_id, id);
CREATE INDEX entry_links_to ON entry_links (user_id, to_entry_id, id);
CREATE INDEX entry_links_by_type ON entry_links (user_id, link_type_id) WHERE link_type_id IS NOT NULL;
