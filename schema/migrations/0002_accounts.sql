-- People, how they sign in, what they keep secret, and the devices that act for them.
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  owner_account_id bigint,
  owner_token_hash text,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE installation IS 'One row: whether an owner exists, and the hash of the printed first-visit token.';
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 320),
  display_name text NOT NULL CHECK (length(display_name) BETWEEN 1 AND 200),
  password_hash text NOT NULL,
  is_operator boolean NOT NULL DEFAULT false,
  time_zone text NOT NULL DEFAULT 'UTC',
  language text NOT NULL DEFAULT 'en',
  created_at timestamptz NOT NULL,
  setup_ended_at timestamptz,
  disabled_at timestamptz
);
COMMENT ON COLUMN accounts.setup_ended_at IS 'When the person put the first-run steps away, done or not.';
CREATE UNIQUE INDEX accounts_email ON accounts (email);
ALTER TABLE installation ADD FOREIGN KEY (owner_account_id) REFERENCES accounts (id);

CREATE FUNCTION jobtrail_owner_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an installation keeps its owner' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER owner_stays BEFORE UPDATE ON installation FOR EACH ROW
  WHEN (OLD.owner_account_id IS NOT NULL AND NEW.owner_account_id IS DISTINCT FROM OLD.owner_account_id)
  EXECUTE FUNCTION jobtrail_owner_stays();

CREATE TABLE sessions (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  token_hash text NOT NULL CHECK (length(token_hash) = 64),
  agent text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash);

CREATE TABLE invitations (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  code_hash text NOT NULL CHECK (length(code_hash) = 64),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 200),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX invitations_code_hash ON invitations (code_hash);

CREATE TABLE throttles (
  bucket text PRIMARY KEY CHECK (length(bucket) <= 200),
  full_at timestamptz NOT NULL
);
COMMENT ON TABLE throttles IS
  'Generic cell rate: full_at is when the bucket is empty again, by the database clock; keys are hashed.';

CREATE TABLE secrets (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL CHECK (name ~ '^[a-z0-9_.:]{1,100}$'),
  key_id text NOT NULL,
  nonce bytea NOT NULL,
  ciphertext bytea NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, name)
);

CREATE TABLE devices (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  token_hash text NOT NULL CHECK (length(token_hash) = 64),
  origin text NOT NULL,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX devices_token_hash ON devices (token_hash);

CREATE TABLE pairing_codes (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  code_hash text NOT NULL CHECK (length(code_hash) = 64),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  device_id bigint,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, device_id) REFERENCES devices (account_id, id),
  CHECK ((used_at IS NULL) = (device_id IS NULL))
);
CREATE UNIQUE INDEX pairing_codes_code_hash ON pairing_codes (code_hash);

-- Policies: the account's own rows; and the one row whose secret is presented.
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON accounts TO jobtrail_app
  USING (id = jobtrail_account() OR email = jobtrail_presented())
  WITH CHECK (id = jobtrail_account());
-- A new account is inserted by whoever presents its address; uniqueness and the door decide the rest.
CREATE POLICY arrive ON accounts FOR INSERT TO jobtrail_app WITH CHECK (email = jobtrail_presented());
CREATE POLICY fleet_reads ON accounts FOR SELECT TO jobtrail_fleet USING (true);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['sessions', 'invitations', 'secrets', 'devices', 'pairing_codes'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
CREATE POLICY presented ON sessions FOR SELECT TO jobtrail_app USING (token_hash = jobtrail_presented());
CREATE POLICY presented ON invitations FOR SELECT TO jobtrail_app USING (code_hash = jobtrail_presented());
CREATE POLICY presented ON devices FOR SELECT TO jobtrail_app USING (token_hash = jobtrail_presented());
CREATE POLICY presented ON pairing_codes FOR SELECT TO jobtrail_app USING (code_hash = jobtrail_presented());

GRANT SELECT, INSERT, UPDATE ON accounts TO jobtrail_app;
GRANT SELECT (id, is_operator, disabled_at, created_at) ON accounts TO jobtrail_fleet;
GRANT SELECT, UPDATE ON installation TO jobtrail_app;
GRANT SELECT, UPDATE (owner_token_hash) ON installation TO jobtrail_fleet;
GRANT SELECT, INSERT, UPDATE, DELETE ON throttles TO jobtrail_app, jobtrail_fleet;
