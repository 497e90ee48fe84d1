-- 1. Drop the references, and keep their definitions for step 4.
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I;', conrelid::regclass, conname),
       format('ALTER TABLE %s ADD CONSTRAINT %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace;
-- 2. Make the keys begin with the user.
SELECT format('ALTER TABLE %1$I DROP CONSTRAINT %1$s_pkey, ADD PRIMARY KEY (user_id, id);', table_name)
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_type = 'BASE TABLE' AND table_schema = 'public' AND column_name IN ('id', 'user_id')
    AND table_name NOT IN ('tokens', 'sessions', 'devices', 'sign_in_links', 'apps', 'app_codes', 'app_refresh_tokens',
        'identities', 'provider_states', 'passkey_challenges', 'link_types')
GROUP BY table_name HAVING COUNT(*) = 2;
-- 3. Distribute.
SELECT create_reference_table(name) FROM unnest(ARRAY['currencies', 'published_rates', 'house', 'checkups',
    'sign_in_attempts', 'migrations', 'tokens', 'sessions', 'devices', 'sign_in_links', 'apps', 'app_codes',
    'app_refresh_tokens', 'identities', 'provider_states', 'passkey_challenges', 'link_types']) AS name;
ALTER TABLE users DROP CONSTRAINT users_email_fold_key;
SELECT create_distributed_table('users', 'id');
SELECT create_distributed_table(table_name::text, 'user_id', colocate_with => 'users')
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_type = 'BASE TABLE' AND table_schema = 'public' AND column_name = 'user_id'
    AND table_name NOT IN ('tokens', 'sessions', 'devices', 'sign_in_links', 'apps', 'app_codes', 'app_refresh_tokens',
        'identities', 'provider_states', 'passkey_challenges', 'link_types');
-- 4. Add the references again, except those from these eleven tables of secrets, apps, identities and types to users.
