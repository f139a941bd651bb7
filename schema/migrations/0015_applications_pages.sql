-- What the applications pages keep: views of the list, the calendar feed, statuses that may follow by themselves.
CREATE TABLE saved_views (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  query text NOT NULL CHECK (length(query) <= 4000),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
COMMENT ON COLUMN saved_views.query IS 'The filters as they stand in the address of the list.';
CREATE UNIQUE INDEX saved_views_name ON saved_views (account_id, lower(name));

CREATE TABLE calendar_feeds (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  token_hash text NOT NULL CHECK (length(token_hash) = 64),
  created_at timestamptz NOT NULL,
  last_read_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX calendar_feeds_token_hash ON calendar_feeds (token_hash);

CREATE TABLE automatic_statuses (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  stage text NOT NULL CHECK (stage IN ('acknowledged', 'assessment', 'interviewing', 'offer', 'rejected',
    'withdrawn', 'closed')),
  since timestamptz NOT NULL,
  PRIMARY KEY (account_id, stage)
);
COMMENT ON TABLE automatic_statuses IS
  'Stages which the person lets newer mail set over what they set themselves. No row: it is only proposed.';

ALTER TABLE standings ADD COLUMN answered_at timestamptz;
COMMENT ON COLUMN standings.answered_at IS
  'When the employer first said yes, said no or wanted something; a receipt is no answer.';

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['saved_views', 'calendar_feeds', 'automatic_statuses'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
CREATE POLICY presented ON calendar_feeds FOR SELECT TO jobtrail_app USING (token_hash = jobtrail_presented());
