-- Users, tokens, currencies, preferences, accounts, labels, the ledger and the log of changes.
-- Words in braces differ between the databases and are filled in by storage/migrations/__init__.py.
-- Days and instants are text in ISO form: they sort as they read, and leave as they are.

CREATE TABLE users (
    id {id},
    email {text} NOT NULL,
    email_fold {text} NOT NULL UNIQUE,
    password_hash {text} NOT NULL,
    role {text},
    blocked {int} NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
    blocked_code {text},
    revision {int} NOT NULL DEFAULT 0,
    rules_version {int} NOT NULL DEFAULT 0,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL
) {strict};

CREATE TABLE tokens (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    hash {text} NOT NULL UNIQUE,
    created_at {text} NOT NULL,
    expires_at {text},
    last_used_at {text}
) {strict};
CREATE INDEX tokens_of_user ON tokens (user_id);

-- Shared by all users; the owner of the installation makes custom ones.
CREATE TABLE currencies (
    id {id},
    code {text} NOT NULL UNIQUE,
    name {text} NOT NULL,
    symbol {text} NOT NULL,
    places {int} NOT NULL CHECK (places BETWEEN 0 AND 12),
    custom {int} NOT NULL DEFAULT 0 CHECK (custom IN (0, 1)),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL
) {strict};

CREATE TABLE preferences (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    data {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, name)
) {strict};

CREATE TABLE accounts (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind {text} NOT NULL,
    name {text} NOT NULL,
    name_fold {text} NOT NULL,
    active {int} NOT NULL CHECK (active IN (0, 1)),
    include_net_worth {int} NOT NULL CHECK (include_net_worth IN (0, 1)),
    currency_id {int} NOT NULL REFERENCES currencies (id),
    virtual_units {int} NOT NULL DEFAULT 0,
    role {text},
    card_type {text},
    card_payment_on {text},
    interest {text},
    interest_period {text},
    account_number {text},
    iban {text},
    bic {text},
    notes {text},
    helps_id {int},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, iban),
    UNIQUE (user_id, account_number),
    UNIQUE (user_id, kind, helps_id),
    FOREIGN KEY (user_id, helps_id) REFERENCES accounts (user_id, id)
) {strict};
CREATE INDEX accounts_by_name ON accounts (user_id, name_fold, id);
CREATE INDEX accounts_helped ON accounts (user_id, helps_id);

-- Labels: names that transactions carry, made by naming them; a name is one name in any case.
CREATE TABLE categories (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    name_fold {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, name_fold)
) {strict};

CREATE TABLE budgets (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    name_fold {text} NOT NULL,
    active {int} NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, name_fold)
) {strict};

-- Where and how far out a map shows it: `latitude` and `longitude` are exact decimals, kept as text.
CREATE TABLE tags (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    name_fold {text} NOT NULL,
    on_day {text},
    description {text},
    latitude {text},
    longitude {text},
    zoom_level {int},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, name_fold)
) {strict};

-- How much may be spent from a budget in a period; those of one budget and currency do not overlap.
CREATE TABLE budget_limits (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    budget_id {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    units {int} NOT NULL CHECK (units > 0),
    start_on {text} NOT NULL,
    end_on {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, budget_id, currency_id, start_on),
    CHECK (end_on >= start_on),
    FOREIGN KEY (user_id, budget_id) REFERENCES budgets (user_id, id)
) {strict};
CREATE INDEX budget_limits_by_start ON budget_limits (user_id, start_on, id);
CREATE INDEX budget_limits_of_budget ON budget_limits (user_id, budget_id, start_on, id);

-- `words_key` is the set of words without order and case: no two bills of a user have the same. `longest_word` is one of
-- them: where it does not occur, nothing more is looked at.
CREATE TABLE bills (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    name_fold {text} NOT NULL,
    words {text} NOT NULL,
    words_key {text} NOT NULL,
    longest_word {text} NOT NULL,
    lowest_units {int} NOT NULL CHECK (lowest_units > 0),
    highest_units {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    first_on {text} NOT NULL,
    frequency {text} NOT NULL,
    skip {int} NOT NULL CHECK (skip BETWEEN 0 AND 31),
    automatch {int} NOT NULL CHECK (automatch IN (0, 1)),
    active {int} NOT NULL CHECK (active IN (0, 1)),
    notes {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, name_fold),
    UNIQUE (user_id, words_key),
    CHECK (highest_units > lowest_units)
) {strict};
CREATE INDEX bills_looking ON bills (user_id, currency_id, lowest_units, highest_units, longest_word, words_key, id)
    WHERE active = 1 AND automatch = 1;

CREATE TABLE available_budgets (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    units {int} NOT NULL CHECK (units > 0),
    start_on {text} NOT NULL,
    end_on {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    CHECK (end_on >= start_on)
) {strict};

CREATE TABLE piggy_banks (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    account_id {int} NOT NULL,
    name {text} NOT NULL,
    name_fold {text} NOT NULL,
    target_units {int} NOT NULL CHECK (target_units > 0),
    current_units {int} NOT NULL DEFAULT 0 CHECK (current_units BETWEEN 0 AND target_units),
    start_on {text},
    target_on {text},
    position {int} NOT NULL,
    active {int} NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    notes {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, name_fold),
    FOREIGN KEY (user_id, account_id) REFERENCES accounts (user_id, id)
) {strict};
CREATE INDEX piggy_banks_of_account ON piggy_banks (user_id, account_id, position, id);

-- `count_max` is how often it may fire in all, `fired` how often it has; nothing that lands on or before
-- `settled_until` fires any more. `failure` says why the last firing did not work.
CREATE TABLE recurrences (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type {int} NOT NULL CHECK (type BETWEEN 1 AND 3),
    title {text} NOT NULL,
    title_fold {text} NOT NULL,
    description {text} NOT NULL,
    first_on {text} NOT NULL,
    until_on {text},
    count_max {int} CHECK (count_max > 0),
    apply_rules {int} NOT NULL CHECK (apply_rules IN (0, 1)),
    active {int} NOT NULL CHECK (active IN (0, 1)),
    tags {text} NOT NULL,
    piggy_bank_id {int},
    fired {int} NOT NULL DEFAULT 0,
    latest_on {text},
    settled_until {text} NOT NULL,
    due_on {text},
    failure {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    FOREIGN KEY (user_id, piggy_bank_id) REFERENCES piggy_banks (user_id, id)
) {strict};
CREATE INDEX recurrences_by_title ON recurrences (user_id, active DESC, title_fold, id);
CREATE INDEX recurrences_due ON recurrences (due_on, user_id) WHERE due_on IS NOT NULL;
CREATE INDEX recurrences_by_piggy_bank ON recurrences (user_id, piggy_bank_id) WHERE piggy_bank_id IS NOT NULL;

CREATE TABLE recurrence_repetitions (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    recurrence_id {int} NOT NULL,
    place {int} NOT NULL,
    type {text} NOT NULL,
    moment {text} NOT NULL,
    skip {int} NOT NULL CHECK (skip BETWEEN 0 AND 999),
    weekend {int} NOT NULL CHECK (weekend BETWEEN 1 AND 4),
    holidays {int} NOT NULL CHECK (holidays IN (0, 1)),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, recurrence_id, place),
    FOREIGN KEY (user_id, recurrence_id) REFERENCES recurrences (user_id, id) ON DELETE CASCADE
) {strict};

CREATE TABLE recurrence_splits (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    recurrence_id {int} NOT NULL,
    place {int} NOT NULL,
    description {text} NOT NULL,
    units {int} NOT NULL CHECK (units > 0),
    currency_id {int} NOT NULL REFERENCES currencies (id),
    foreign_units {int} CHECK (foreign_units > 0),
    foreign_currency_id {int} REFERENCES currencies (id),
    source_id {int} NOT NULL,
    destination_id {int} NOT NULL,
    category_id {int},
    budget_id {int},
    UNIQUE (user_id, recurrence_id, place),
    FOREIGN KEY (user_id, recurrence_id) REFERENCES recurrences (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, source_id) REFERENCES accounts (user_id, id),
    FOREIGN KEY (user_id, destination_id) REFERENCES accounts (user_id, id),
    FOREIGN KEY (user_id, category_id) REFERENCES categories (user_id, id),
    FOREIGN KEY (user_id, budget_id) REFERENCES budgets (user_id, id)
) {strict};
CREATE INDEX recurrence_splits_by_source ON recurrence_splits (user_id, source_id);
CREATE INDEX recurrence_splits_by_destination ON recurrence_splits (user_id, destination_id);

-- A planned day that was changed by hand: it lands on another day, or on none.
CREATE TABLE recurrence_exceptions (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    recurrence_id {int} NOT NULL,
    planned_on {text} NOT NULL,
    lands_on {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, recurrence_id, planned_on),
    FOREIGN KEY (user_id, recurrence_id) REFERENCES recurrences (user_id, id) ON DELETE CASCADE
) {strict};

-- A firing is its planned day. It outlives edits of the recurrence and deletion of the transaction it made.
CREATE TABLE firings (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    recurrence_id {int} NOT NULL,
    place {int} NOT NULL,
    planned_on {text} NOT NULL,
    landed_on {text} NOT NULL,
    entry_id {int},
    UNIQUE (user_id, recurrence_id, planned_on, place),
    FOREIGN KEY (user_id, recurrence_id) REFERENCES recurrences (user_id, id) ON DELETE CASCADE
) {strict};

CREATE TABLE entries (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type {int} NOT NULL CHECK (type BETWEEN 1 AND 5),
    on_day {text} NOT NULL CHECK (length(on_day) = 10),
    description {text} NOT NULL,
    notes {text},
    internal_reference {text},
    interest_on {text},
    book_on {text},
    process_on {text},
    due_on {text},
    payment_on {text},
    invoice_on {text},
    opening_account_id {int},
    bill_id {int},
    bill_by_hand {int} NOT NULL DEFAULT 0 CHECK (bill_by_hand IN (0, 1)),
    recurrence_id {int},
    piggy_bank_id {int} CHECK (piggy_bank_id IS NULL OR type = 3),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, opening_account_id),
    FOREIGN KEY (user_id, opening_account_id) REFERENCES accounts (user_id, id),
    FOREIGN KEY (user_id, bill_id) REFERENCES bills (user_id, id),
    FOREIGN KEY (user_id, recurrence_id) REFERENCES recurrences (user_id, id),
    FOREIGN KEY (user_id, piggy_bank_id) REFERENCES piggy_banks (user_id, id)
) {strict};
CREATE INDEX entries_by_recurrence ON entries (user_id, recurrence_id, on_day DESC, id DESC)
    WHERE recurrence_id IS NOT NULL;
CREATE INDEX entries_by_bill ON entries (user_id, bill_id, on_day DESC, id DESC) WHERE bill_id IS NOT NULL;
CREATE INDEX entries_by_piggy_bank ON entries (user_id, piggy_bank_id) WHERE piggy_bank_id IS NOT NULL;

-- Money that was put into a piggy bank, or taken out: by a transfer, or by hand. Together they are what is in it.
CREATE TABLE piggy_bank_events (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    piggy_bank_id {int} NOT NULL,
    entry_id {int},
    units {int} NOT NULL CHECK (units <> 0),
    on_day {text} NOT NULL,
    created_at {text} NOT NULL,
    UNIQUE (user_id, id),
    FOREIGN KEY (user_id, piggy_bank_id) REFERENCES piggy_banks (user_id, id),
    FOREIGN KEY (user_id, entry_id) REFERENCES entries (user_id, id)
) {strict};
CREATE INDEX piggy_bank_events_by_day ON piggy_bank_events (user_id, piggy_bank_id, on_day DESC, id DESC);
CREATE INDEX piggy_bank_events_of_entry ON piggy_bank_events (user_id, entry_id) WHERE entry_id IS NOT NULL;

-- A file that belongs to a bill or to an entry. Until its content is uploaded, it is a promise that only its id opens.
CREATE TABLE attachments (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    bill_id {int},
    entry_id {int},
    filename {text} NOT NULL,
    title {text},
    notes {text},
    sha256 {text} CHECK (length(sha256) = 64),
    md5 {text} CHECK (length(md5) = 32),
    mime {text},
    size {int} CHECK (size > 0),
    uploaded_at {text},
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    CHECK ((bill_id IS NULL) <> (entry_id IS NULL)),
    CHECK ((sha256 IS NULL) = (uploaded_at IS NULL) AND (md5 IS NULL) = (uploaded_at IS NULL)),
    CHECK ((mime IS NULL) = (uploaded_at IS NULL) AND (size IS NULL) = (uploaded_at IS NULL)),
    FOREIGN KEY (user_id, bill_id) REFERENCES bills (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, entry_id) REFERENCES entries (user_id, id) ON DELETE CASCADE
) {strict};
CREATE INDEX attachments_by_bill ON attachments (user_id, bill_id, id) WHERE bill_id IS NOT NULL;
CREATE INDEX attachments_by_entry ON attachments (user_id, entry_id, id) WHERE entry_id IS NOT NULL;
CREATE INDEX attachments_uploaded ON attachments (user_id, id) WHERE uploaded_at IS NOT NULL;

-- Money moves from a source to a destination as a positive whole number, so an unbalanced entry cannot be written.
-- `source_foreign` and `destination_foreign` say which of the two amounts that side is booked with.
-- The day and the type are copied from the entry: an account's page is then two ordered index scans.
CREATE TABLE splits (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    entry_id {int} NOT NULL,
    position {int} NOT NULL,
    type {int} NOT NULL,
    on_day {text} NOT NULL,
    source_id {int} NOT NULL,
    destination_id {int} NOT NULL,
    units {int} NOT NULL CHECK (units > 0),
    currency_id {int} NOT NULL REFERENCES currencies (id),
    foreign_units {int} CHECK (foreign_units > 0),
    foreign_currency_id {int} REFERENCES currencies (id),
    source_foreign {int} NOT NULL DEFAULT 0 CHECK (source_foreign IN (0, 1)),
    destination_foreign {int} NOT NULL DEFAULT 0 CHECK (destination_foreign IN (0, 1)),
    description {text},
    reconciled {int} NOT NULL DEFAULT 0 CHECK (reconciled IN (0, 1)),
    category_id {int},
    budget_id {int},
    UNIQUE (user_id, entry_id, position),
    CHECK (source_id <> destination_id),
    CHECK ((foreign_units IS NULL) = (foreign_currency_id IS NULL)),
    CHECK (source_foreign + destination_foreign = 0 OR foreign_units IS NOT NULL),
    FOREIGN KEY (user_id, entry_id) REFERENCES entries (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, source_id) REFERENCES accounts (user_id, id),
    FOREIGN KEY (user_id, destination_id) REFERENCES accounts (user_id, id),
    FOREIGN KEY (user_id, category_id) REFERENCES categories (user_id, id),
    FOREIGN KEY (user_id, budget_id) REFERENCES budgets (user_id, id)
) {strict};
CREATE INDEX splits_by_type ON splits (user_id, type, on_day DESC, entry_id DESC, position);
CREATE INDEX splits_by_source ON splits (user_id, source_id, on_day DESC, entry_id DESC, position);
CREATE INDEX splits_by_destination ON splits (user_id, destination_id, on_day DESC, entry_id DESC, position);
CREATE INDEX splits_by_category ON splits (user_id, category_id, on_day DESC, entry_id DESC, position, type)
    WHERE category_id IS NOT NULL;
CREATE INDEX splits_by_budget ON splits (user_id, budget_id, on_day DESC, entry_id DESC, position, type)
    WHERE budget_id IS NOT NULL;

CREATE TABLE entry_tags (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    entry_id {int} NOT NULL,
    tag_id {int} NOT NULL,
    on_day {text} NOT NULL,
    UNIQUE (user_id, entry_id, tag_id),
    FOREIGN KEY (user_id, entry_id) REFERENCES entries (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, tag_id) REFERENCES tags (user_id, id)
) {strict};
CREATE INDEX entry_tags_by_tag ON entry_tags (user_id, tag_id, on_day DESC, entry_id DESC);

-- Kept sums. `grain` is all, month or day; `period` is '', YYYY-MM or YYYY-MM-DD. A balance on a day is the sum of
-- all, less the months after its month and the days after it in its month: few rows, however long the history.
-- `reconciled` is the part of `units` that was found on a statement; opening balances count as such.
CREATE TABLE balances (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    account_id {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    units {int} NOT NULL,
    reconciled {int} NOT NULL,
    PRIMARY KEY (user_id, account_id, currency_id, grain, period),
    FOREIGN KEY (user_id, account_id) REFERENCES accounts (user_id, id) ON DELETE CASCADE
) {keyed};

-- What was spent (withdrawals) and earned (deposits) in each currency, as it left or reached the user's own accounts.
CREATE TABLE flows (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    units {int} NOT NULL,
    PRIMARY KEY (user_id, type, currency_id, grain, period)
) {keyed};

-- The same for each label, and how many splits carry it; a transfer is counted, but neither spent nor earned.
CREATE TABLE sums_of_categories (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    label_id {int} NOT NULL,
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    type {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    units {int} NOT NULL,
    splits {int} NOT NULL,
    PRIMARY KEY (user_id, label_id, grain, period, type, currency_id),
    FOREIGN KEY (user_id, label_id) REFERENCES categories (user_id, id) ON DELETE CASCADE
) {keyed};

CREATE TABLE sums_of_budgets (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    label_id {int} NOT NULL,
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    type {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    units {int} NOT NULL,
    splits {int} NOT NULL,
    PRIMARY KEY (user_id, label_id, grain, period, type, currency_id),
    FOREIGN KEY (user_id, label_id) REFERENCES budgets (user_id, id) ON DELETE CASCADE
) {keyed};

CREATE TABLE sums_of_tags (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    label_id {int} NOT NULL,
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    type {int} NOT NULL,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    units {int} NOT NULL,
    splits {int} NOT NULL,
    PRIMARY KEY (user_id, label_id, grain, period, type, currency_id),
    FOREIGN KEY (user_id, label_id) REFERENCES tags (user_id, id) ON DELETE CASCADE
) {keyed};

CREATE TABLE counts (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type {int} NOT NULL,
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    entries {int} NOT NULL,
    splits {int} NOT NULL,
    PRIMARY KEY (user_id, type, grain, period)
) {keyed};

CREATE TABLE account_counts (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    account_id {int} NOT NULL,
    type {int} NOT NULL,
    grain {text} NOT NULL CHECK (grain IN ('all', 'month', 'day')),
    period {text} NOT NULL,
    splits {int} NOT NULL,
    PRIMARY KEY (user_id, account_id, type, grain, period),
    FOREIGN KEY (user_id, account_id) REFERENCES accounts (user_id, id) ON DELETE CASCADE
) {keyed};

-- What each withdrawal amounts to in each currency it names: how a bill finds the withdrawals that may pay it.
CREATE TABLE payments (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    currency_id {int} NOT NULL REFERENCES currencies (id),
    units {int} NOT NULL,
    entry_id {int} NOT NULL,
    PRIMARY KEY (user_id, currency_id, units, entry_id)
) {keyed};

-- The index behind search: which words the texts of an entry hold. Made from entries, so it refers to them by day
-- and id without a constraint; names of accounts and labels are looked up where they are, and may change freely.
CREATE TABLE words (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    word {text} NOT NULL,
    entries {int} NOT NULL,
    UNIQUE (user_id, word)
) {strict};

CREATE TABLE mentions (
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    word_id {int} NOT NULL,
    on_day {text} NOT NULL,
    entry_id {int} NOT NULL,
    PRIMARY KEY (user_id, word_id, on_day, entry_id)
) {keyed};

-- What is done with a transaction by itself. Rules name accounts, bills and labels as people do: by their names.
-- `moment` says when a rule runs; every change of a user's rules gives `users.rules_version` a new random number, 0 is
-- none, so that a server sees with the user whether the rules that it holds ready are still those.
CREATE TABLE rule_groups (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title {text} NOT NULL,
    title_fold {text} NOT NULL,
    description {text},
    position {int} NOT NULL,
    active {int} NOT NULL CHECK (active IN (0, 1)),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, title_fold)
) {strict};

CREATE TABLE rules (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    rule_group_id {int} NOT NULL,
    title {text} NOT NULL,
    title_fold {text} NOT NULL,
    description {text},
    moment {text} NOT NULL CHECK (moment IN ('store-journal', 'update-journal')),
    position {int} NOT NULL,
    active {int} NOT NULL CHECK (active IN (0, 1)),
    strict {int} NOT NULL CHECK (strict IN (0, 1)),
    stop_processing {int} NOT NULL CHECK (stop_processing IN (0, 1)),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, title_fold),
    FOREIGN KEY (user_id, rule_group_id) REFERENCES rule_groups (user_id, id)
) {strict};
CREATE INDEX rules_of_group ON rules (user_id, rule_group_id, position, id);

CREATE TABLE rule_triggers (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    rule_id {int} NOT NULL,
    position {int} NOT NULL,
    name {text} NOT NULL,
    value {text},
    stop_processing {int} NOT NULL CHECK (stop_processing IN (0, 1)),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, rule_id, position),
    FOREIGN KEY (user_id, rule_id) REFERENCES rules (user_id, id) ON DELETE CASCADE
) {strict};

CREATE TABLE rule_actions (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    rule_id {int} NOT NULL,
    position {int} NOT NULL,
    name {text} NOT NULL,
    value {text},
    stop_processing {int} NOT NULL CHECK (stop_processing IN (0, 1)),
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, rule_id, position),
    FOREIGN KEY (user_id, rule_id) REFERENCES rules (user_id, id) ON DELETE CASCADE
) {strict};

-- Work that is done beside the requests. `subject_id` is the object that it is about, `data` says how far it has come.
-- A worker holds it until `held_until`; if nothing was heard of it by then, another one goes on.
CREATE TABLE jobs (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind {text} NOT NULL,
    subject_id {int} NOT NULL,
    data {text} NOT NULL,
    attempts {int} NOT NULL DEFAULT 0,
    worker {text},
    held_until {text},
    failure {text},
    created_at {text} NOT NULL,
    started_at {text},
    finished_at {text}
) {strict};
CREATE INDEX jobs_unfinished ON jobs (id) WHERE finished_at IS NULL;
CREATE INDEX jobs_unfinished_of_user ON jobs (user_id, kind, id) WHERE finished_at IS NULL;

-- One row per object that a unit of work touched; `before` is the row as it was, none for a creation.
CREATE TABLE changes (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    revision {int} NOT NULL,
    token_id {int},
    at {text} NOT NULL,
    kind {text} NOT NULL,
    object_id {int} NOT NULL,
    action {text} NOT NULL CHECK (action IN ('created', 'changed', 'removed')),
    before {text}
) {strict};
CREATE INDEX changes_of_user ON changes (user_id, id);
