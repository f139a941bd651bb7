-- Who may see what, before the first table.
-- jobtrail_app   one account at a time: row-level security shows it only the account set for the transaction.
-- jobtrail_fleet work of the installation: the queue, the catalog, the fleet; no person's content.
-- Both own nothing and cannot log in; the login role is a NOINHERIT member and chooses one per transaction.
DO $$
DECLARE role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['jobtrail_app', 'jobtrail_fleet'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', role_name);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- roles belong to the whole server: another database's migration was first
    END;
  END LOOP;
END $$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO jobtrail_app, jobtrail_fleet;

-- The account of this transaction; NULL when none is set, and then no policy below matches anything.
CREATE FUNCTION jobtrail_account() RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('jobtrail.account', true), '')::bigint;

-- What a visitor without an account presents: the hash of a secret, or an e-mail address at login.
-- Whoever can present it may see the row that carries it, and no other.
CREATE FUNCTION jobtrail_presented() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('jobtrail.presented', true), '');
