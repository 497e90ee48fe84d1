"""Defines the details of an entry that banks and importers know. Most entries have none."""

from msgspec import Struct

SEPA = ("cc", "ct_op", "ct_id", "db", "country", "ep", "ci", "batch_id")


class EntryDetails(Struct, frozen=True, kw_only=True):
    """Holds where an entry comes from, what a SEPA payment says, and the place where it was made.

    `import_hash` is a hash of the request that created the entry, by which the same request is recognized later.
    `latitude` and `longitude` are decimal numbers stored as text.
    """

    external_id: str | None = None
    external_url: str | None = None
    original_source: str | None = None
    import_hash: str | None = None
    sepa_cc: str | None = None
    sepa_ct_op: str | None = None
    sepa_ct_id: str | None = None
    sepa_db: str | None = None
    sepa_country: str | None = None
    sepa_ep: str | None = None
    sepa_ci: str | None = None
    sepa_batch_id: str | None = None
    latitude: str | None = None
    longitude: str | None = None
    zoom_level: int | None = None


NO_DETAILS = EntryDetails()
