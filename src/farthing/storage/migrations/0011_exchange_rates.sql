-- Exchange rates: how much of one currency a unit of another buys on a day. The rate is exact decimal text.

-- What a user typed in or imported.
CREATE TABLE exchange_rates (
    id {id},
    user_id {int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    from_currency_id {int} NOT NULL REFERENCES currencies (id),
    to_currency_id {int} NOT NULL REFERENCES currencies (id),
    on_day {text} NOT NULL,
    rate {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (user_id, id),
    UNIQUE (user_id, from_currency_id, to_currency_id, on_day),
    CHECK (from_currency_id <> to_currency_id)
) {strict};
CREATE INDEX exchange_rates_by_day ON exchange_rates (user_id, on_day, id);

-- What a central bank or another provider publishes, for everybody. It is fetched, and so does not keep a currency.
CREATE TABLE published_rates (
    id {id},
    from_currency_id {int} NOT NULL REFERENCES currencies (id) ON DELETE CASCADE,
    to_currency_id {int} NOT NULL REFERENCES currencies (id) ON DELETE CASCADE,
    on_day {text} NOT NULL,
    rate {text} NOT NULL,
    source {text} NOT NULL,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    UNIQUE (from_currency_id, to_currency_id, on_day),
    CHECK (from_currency_id <> to_currency_id)
) {strict};
CREATE INDEX published_rates_by_day ON published_rates (on_day, id);
