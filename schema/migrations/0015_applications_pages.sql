-- What the applications pages keep: views of the list, the calendar feed, statuses that may follow by themselves,
-- what was corrected, and people.
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

ALTER TABLE standings ADD COLUMN began_at timestamptz, ADD COLUMN answered_at timestamptz;
COMMENT ON COLUMN standings.began_at IS
  'For order and counting: when the person applied, of a plain day its first minute.';
COMMENT ON COLUMN standings.answered_at IS
  'When the employer first said yes, said no or wanted something; a receipt is no answer.';
ALTER TABLE standings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE applications NO FORCE ROW LEVEL SECURITY;
UPDATE standings s SET began_at = coalesce(a.applied_at, a.applied_on::timestamp AT TIME ZONE 'UTC')
  FROM applications a WHERE a.account_id = s.account_id AND a.id = s.application_id;
ALTER TABLE standings FORCE ROW LEVEL SECURITY;
ALTER TABLE applications FORCE ROW LEVEL SECURITY;

-- One index for each order of the list, so that a page deep down costs what the first one does. CASE and not coalesce:
-- under row security a condition may lead into an index only when nothing in it can tell what it sees.
CREATE INDEX standings_began ON standings (account_id, dismissed,
  (CASE WHEN began_at IS NULL THEN '-infinity' ELSE began_at END) DESC, application_id DESC);
CREATE INDEX standings_silent ON standings (account_id, dismissed, (CASE WHEN stage IN ('rejected', 'withdrawn',
  'closed') THEN 'infinity' WHEN last_event_at IS NOT NULL THEN last_event_at
  WHEN began_at IS NOT NULL THEN began_at ELSE 'infinity' END), application_id);
CREATE INDEX applications_by_company ON applications (account_id, (company_key IS NULL),
  (CASE WHEN company_key IS NULL THEN '' ELSE company_key END COLLATE "C"), id);

-- What the person corrected in an application, field by field, so that it can be taken back and is not lost again.
CREATE TABLE application_edits (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  application_id bigint NOT NULL,
  fields text[] NOT NULL CHECK (cardinality(fields) > 0),
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  undone_at timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id)
);
COMMENT ON COLUMN application_edits.before IS 'The whole of what can be edited, comparable forms included, as it stood.';
CREATE INDEX application_edits_application ON application_edits (account_id, application_id, id DESC);

CREATE TABLE contacts (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  application_id bigint NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 320),
  phone text NOT NULL DEFAULT '' CHECK (length(phone) <= 60),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 2000),
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id)
);
COMMENT ON TABLE contacts IS 'People the person wrote down. Who wrote from the employer is read from the messages.';
CREATE INDEX contacts_application ON contacts (account_id, application_id, id);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['saved_views', 'calendar_feeds', 'automatic_statuses', 'application_edits', 'contacts']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
CREATE POLICY presented ON calendar_feeds FOR SELECT TO jobtrail_app USING (token_hash = jobtrail_presented());
