"""Lists the tables and columns that this program expects. A test compares them with the migrations."""

_COLUMNS = {
    "users": (
        "id email email_fold password_hash role blocked blocked_code revision rules_version created_at updated_at "
        "content_bytes answer_bytes content_bytes_max answer_bytes_max requests_max hooks"
    ),
    "apps": "id user_id name redirects hash for_everybody created_at api_version",
    "tokens": (
        "id user_id name hash created_at expires_at last_used_at access scopes networks books_id app_id app_seconds"
        " api_version"
    ),
    "app_codes": "hash user_id app_id redirect challenge access scopes books_id created_at expires_at used_at token_id",
    "app_refresh_tokens": "hash user_id token_id created_at expires_at repeatable_until",
    "sessions": "id user_id hash device created_at last_used_at expires_at issuer issuer_session sign_out_url",
    "devices": "id user_id hash tries seen_at",
    "sign_in_attempts": "key tries since",
    "sign_in_links": "hash user_id created_at expires_at",
    "password_requests": "id email created_at",
    "password_links": "hash user_id created_at expires_at",
    "members": "id user_id member_id role created_at updated_at",
    "invitations": "id user_id hash role name invited_by_id created_at expires_at",
    "factors": "id user_id kind name credential secret counter created_at confirmed_at last_used_at handle transports",
    "recovery_codes": "user_id hash",
    "passkey_challenges": "hash purpose user_id handle expires_at",
    "identities": "id user_id issuer subject email created_at last_used_at",
    "provider_states": "hash browser provider user_id created_at expires_at used_at proof",
    "audit": "id user_id at event by_id address device is_known about",
    "currencies": "id code name symbol places custom created_at updated_at brought_by",
    "preferences": "id user_id name data created_at updated_at",
    "accounts": (
        "id user_id kind name name_fold active include_net_worth currency_id virtual_units role card_type "
        "card_payment_on interest interest_period account_number iban bic notes helps_id created_at updated_at "
        "direction latitude longitude zoom_level"
    ),
    "budgets": (
        "id user_id name name_fold active created_at updated_at carry auto_units auto_currency_id auto_period "
        "auto_next_on notes position"
    ),
    "categories": "id user_id name name_fold created_at updated_at parent_id budget_id colour icon notes",
    "tags": "id user_id name name_fold on_day description latitude longitude zoom_level created_at updated_at",
    "budget_limits": "id user_id budget_id currency_id units start_on end_on created_at updated_at notes",
    "carry_releases": "id user_id budget_id currency_id month_on units created_at updated_at",
    "exchange_rates": "id user_id from_currency_id to_currency_id on_day rate created_at updated_at",
    "published_rates": "id from_currency_id to_currency_id on_day rate source created_at updated_at",
    "object_groups": "id user_id title title_fold position created_at updated_at",
    "bills": (
        "id user_id name name_fold words words_key longest_word lowest_units highest_units currency_id first_on "
        "frequency skip automatch active notes created_at updated_at position object_group_id end_on extension_on"
    ),
    "available_budgets": "id user_id currency_id units start_on end_on created_at updated_at",
    "piggy_banks": (
        "id user_id account_id name name_fold target_units current_units start_on target_on position active notes "
        "created_at updated_at object_group_id"
    ),
    "piggy_bank_shares": "id user_id piggy_bank_id account_id units",
    "recurrences": (
        "id user_id type title title_fold description first_on until_on count_max apply_rules active tags "
        "piggy_bank_id fired latest_on settled_until due_on failure created_at updated_at notes"
    ),
    "recurrence_repetitions": "id user_id recurrence_id place type moment skip weekend holidays created_at updated_at",
    "recurrence_splits": (
        "id user_id recurrence_id place description units currency_id foreign_units foreign_currency_id source_id "
        "destination_id category_id budget_id"
    ),
    "recurrence_exceptions": "id user_id recurrence_id planned_on lands_on created_at updated_at",
    "firings": "id user_id recurrence_id place planned_on landed_on entry_id",
    "entries": (
        "id user_id type on_day description notes internal_reference interest_on book_on process_on due_on payment_on "
        "invoice_on opening_account_id bill_id bill_by_hand recurrence_id piggy_bank_id created_at updated_at"
    ),
    "piggy_bank_events": "id user_id piggy_bank_id entry_id units on_day created_at account_id",
    "import_jobs": (
        "id user_id state format account_id mapping options file_ids layout detected rows_total rows_read rows_new "
        "rows_duplicate rows_linked rows_rejected findings report created_at updated_at started_at finished_at"
    ),
    "import_rows": "id user_id job_id account_id row_number on_day key outcome entry_id before",
    "import_objects": "id user_id job_id kind source_key target_id is_made",
    "attachments": (
        "id user_id bill_id entry_id filename title notes sha256 md5 mime size uploaded_at created_at updated_at "
        "import_job_id account_id budget_id category_id piggy_bank_id tag_id split_id"
    ),
    "splits": (
        "id user_id entry_id position type on_day source_id destination_id units currency_id foreign_units "
        "foreign_currency_id source_foreign destination_foreign description reconciled category_id budget_id refund"
    ),
    "entry_tags": "id user_id entry_id tag_id on_day",
    "entry_details": (
        "id user_id entry_id external_id external_url original_source import_hash sepa_cc sepa_ct_op sepa_ct_id "
        "sepa_db sepa_country sepa_ep sepa_ci sepa_batch_id latitude longitude zoom_level"
    ),
    "link_types": "id user_id name name_fold inward outward created_at updated_at",
    "entry_links": (
        "id user_id link_type_id built_in from_entry_id to_entry_id from_split_id to_split_id notes created_at "
        "updated_at"
    ),
    "balances": "user_id account_id currency_id grain period units reconciled",
    "net_worth": "user_id currency_id grain period units",
    "flows": "user_id type currency_id grain period units",
    "sums_of_accounts": "user_id label_id grain period type currency_id units splits entries",
    "sums_of_categories": "user_id label_id grain period type currency_id units splits entries",
    "sums_of_budgets": "user_id label_id grain period type currency_id units splits entries",
    "sums_of_tags": "user_id label_id grain period type currency_id units splits entries",
    "counts": "user_id type grain period entries splits",
    "payments": "user_id currency_id units entry_id",
    "words": "id user_id word entries plain",
    "mentions": "user_id word_id on_day entry_id",
    "rule_groups": "id user_id title title_fold description position active created_at updated_at",
    "rules": (
        "id user_id rule_group_id title title_fold description moment position active strict stop_processing "
        "created_at updated_at manual"
    ),
    "webhooks": (
        "id user_id title title_fold active secret triggers responses url created_at updated_at api_version "
        "budget_percentages"
    ),
    "webhook_messages": (
        "id user_id webhook_id uuid content sent errored attempts next_at held_until created_at updated_at"
    ),
    "webhook_attempts": "id user_id message_id status_code logs response created_at",
    "webhook_progress": (
        "user_id webhook_id started_at seen_revision seen_change seen_note look_at failing_since paused_at"
    ),
    "webhook_occasions": "id user_id webhook_id occasion forget_on",
    "notices": "id user_id key kind object_kind object_id facts shown read_at ended_at created_at",
    "notice_deliveries": (
        "id user_id notice_id channel secret attempts next_at held_until sent_at given_up failure created_at reached"
    ),
    "push_keys": "number public_key private_key",
    "push_subscriptions": "id user_id session_id hash endpoint p256dh auth created_at last_used_at",
    "notice_addresses": "id user_id title url sent_at failure created_at",
    "notice_states": "user_id since revision audit_id looked_at next_at",
    "rule_triggers": (
        "id user_id rule_id position name value stop_processing created_at updated_at prohibited active spelling"
    ),
    "rule_actions": "id user_id rule_id position name value stop_processing created_at updated_at active",
    "jobs": (
        "id user_id kind subject_id data attempts worker held_until failure created_at started_at finished_at by_id"
    ),
    "dry_run_changes": "id user_id job_id told",
    "changes": "id user_id revision token_id at kind object_id action before",
    "revisions": "id user_id revision at token_id doing undoes undone_by by_id hidden part_of",
    "answers": "user_id key at request status headers body",
    "contents": "user_id sha256 size at",
    "house": "number revision",
    "lineage": "name",
    "checkups": "name at problems note",
    "migrations": "name",
}
TABLES: dict[str, tuple[str, ...]] = {table: tuple(columns.split()) for table, columns in _COLUMNS.items()}
