-- Tables of applications brought in from elsewhere: kept as they came until every row is an application or refused.
CREATE TABLE tracker_imports (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 300),
  content bytea,
  mapping jsonb,
  rows_total integer NOT NULL CHECK (rows_total >= 0),
  rows_new integer NOT NULL DEFAULT 0 CHECK (rows_new >= 0),
  rows_known integer NOT NULL DEFAULT 0 CHECK (rows_known >= 0),
  rows_refused integer NOT NULL DEFAULT 0 CHECK (rows_refused >= 0),
  refusals jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  applied_at timestamptz,
  undone_at timestamptz,
  PRIMARY KEY (account_id, id)
);
COMMENT ON COLUMN tracker_imports.content IS 'The file as it came, until it is applied.';
ALTER TABLE applications ADD COLUMN tracker_import_id bigint,
  ADD FOREIGN KEY (account_id, tracker_import_id) REFERENCES tracker_imports (account_id, id);
CREATE INDEX applications_tracker_import ON applications (account_id, tracker_import_id)
  WHERE tracker_import_id IS NOT NULL;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['tracker_imports'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
