-- What banks and importers know about a transaction. Few transactions have such details, so they have a table of their own.
CREATE TABLE entry_details (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    entry_id {int} NOT NULL,
    external_id {text},
    external_url {text},
    original_source {text},
    import_hash {text},
    sepa_cc {text},
    sepa_ct_op {text},
    sepa_ct_id {text},
    sepa_db {text},
    sepa_country {text},
    sepa_ep {text},
    sepa_ci {text},
    sepa_batch_id {text},
    latitude {text},
    longitude {text},
    zoom_level {int},
    UNIQUE (user_id, entry_id),
    FOREIGN KEY (user_id, entry_id) REFERENCES entries (user_id, id) ON DELETE CASCADE
) {strict};
CREATE INDEX entry_details_by_external_id ON entry_details (user_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX entry_details_by_hash ON entry_details (user_id, import_hash) WHERE import_hash IS NOT NULL;
-- Importers look for transactions by their references.
CREATE INDEX entries_by_reference ON entries (user_id, internal_reference) WHERE internal_reference IS NOT NULL;
