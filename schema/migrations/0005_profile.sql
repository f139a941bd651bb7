-- What a person knows about themself, and what the extension did with it.
CREATE TABLE profiles (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  revision integer NOT NULL CHECK (revision >= 1),
  document jsonb NOT NULL CHECK (jsonb_typeof(document) = 'object'),
  origin text NOT NULL CHECK (origin IN ('form', 'json_resume', 'extension', 'undo')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, revision)
);
COMMENT ON TABLE profiles IS 'Every revision is kept; the highest is the profile. Undo appends an older document.';

CREATE TABLE documents (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('resume', 'cover_letter')),
  file_name text NOT NULL CHECK (length(file_name) BETWEEN 1 AND 200),
  media_type text NOT NULL,
  content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 10485760),
  sha256 text NOT NULL CHECK (length(sha256) = 64),
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX documents_default ON documents (account_id, kind) WHERE is_default AND deleted_at IS NULL;
CREATE UNIQUE INDEX documents_content ON documents (account_id, kind, sha256) WHERE deleted_at IS NULL;

CREATE TABLE fills (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  device_id bigint NOT NULL,
  url text NOT NULL,
  canonical_url text NOT NULL,
  page_title text NOT NULL DEFAULT '',
  platform text,
  board text,
  vendor_id text,
  requisition_id text,
  posting_id bigint REFERENCES postings (id),
  profile_revision integer,
  plan jsonb NOT NULL CHECK (jsonb_typeof(plan) = 'array'),
  report jsonb CHECK (jsonb_typeof(report) = 'array'),
  created_at timestamptz NOT NULL,
  reported_at timestamptz,
  submitted_at timestamptz,
  submission jsonb CHECK (jsonb_typeof(submission) = 'object'),
  application_id bigint,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, device_id) REFERENCES devices (account_id, id),
  CONSTRAINT report_has_its_time CHECK ((report IS NULL) = (reported_at IS NULL)),
  CONSTRAINT submission_has_its_time CHECK ((submission IS NULL) = (submitted_at IS NULL)),
  CONSTRAINT submitted_is_an_application CHECK (submitted_at IS NULL OR application_id IS NOT NULL)
);
CREATE INDEX fills_newest ON fills (account_id, id DESC);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['profiles', 'documents', 'fills'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
