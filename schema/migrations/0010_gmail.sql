-- Gmail: what is connected, how far each mailbox is, each message by Gmail's id, and whose turn it is to sync.
CREATE TABLE gmail_mailboxes (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  mailbox_id bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('connected', 'scope_declined', 'refresh_missing', 'grant_lost', 'disconnected')),
  google_id text NOT NULL DEFAULT '',
  grant_serial integer NOT NULL DEFAULT 0,
  granted_at timestamptz,
  grant_checked_at timestamptz,
  include_spam boolean NOT NULL DEFAULT false,
  narrow_query text NOT NULL DEFAULT '' CHECK (length(narrow_query) <= 500),
  narrow_labels text[] NOT NULL DEFAULT '{}' CHECK (cardinality(narrow_labels) <= 50),
  send_as text[] NOT NULL DEFAULT '{}',
  phase text NOT NULL DEFAULT 'starting' CHECK (phase IN ('starting', 'listing', 'fetching', 'in_step')),
  cursor text CHECK (cursor ~ '^[0-9]{1,40}$'),
  cursor_page text,
  cycle text NOT NULL DEFAULT 'first' CHECK (cycle IN ('first', 'gap')),
  walk text,
  walk_page text,
  walk_place bigint NOT NULL DEFAULT 0,
  walk_serial integer NOT NULL DEFAULT 0,
  walk_since timestamptz,
  walk_restarts integer NOT NULL DEFAULT 0,
  listed boolean NOT NULL DEFAULT false,
  history_good_at timestamptz,
  history_refusals integer NOT NULL DEFAULT 0,
  relisted_at timestamptz,
  troubles integer NOT NULL DEFAULT 0,
  last_error text CHECK (last_error ~ '^[a-z0-9_]{1,100}$'),
  last_error_at timestamptz,
  last_success_at timestamptz,
  paused_until timestamptz,
  pace double precision CHECK (pace > 0),
  paced_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, mailbox_id),
  FOREIGN KEY (account_id, mailbox_id) REFERENCES mailboxes (account_id, id),
  CONSTRAINT a_cursor_once_begun CHECK ((phase = 'starting') = (cursor IS NULL))
);
COMMENT ON COLUMN gmail_mailboxes.cursor IS 'The historyId up to which everything is in the ledger: 64 bits without a sign, so text.';
COMMENT ON COLUMN gmail_mailboxes.grant_serial IS 'Raised by each consent and disconnection: a token of an older one is not stored late.';
COMMENT ON COLUMN gmail_mailboxes.walk IS 'The list being walked; walk_page is where it goes on. NULL: every list of the cycle is done.';
COMMENT ON COLUMN gmail_mailboxes.listed IS 'Every id of the mailbox has been in the ledger once, so that its total is known.';
COMMENT ON COLUMN gmail_mailboxes.history_refusals IS 'How often in a row Gmail did not know the cursor; from the second on it is listed hourly.';
COMMENT ON COLUMN gmail_mailboxes.pace IS 'Messages a minute, as measured.';

CREATE TABLE gmail_messages (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  mailbox_id bigint NOT NULL,
  gmail_id text NOT NULL CHECK (length(gmail_id) BETWEEN 1 AND 100),
  state text NOT NULL CHECK (state IN ('wanted', 'stored', 'not_kept', 'left_out', 'gone', 'quarantined')),
  reason text CHECK (reason ~ '^[a-z0-9_]{1,100}$'),
  rank smallint NOT NULL,
  place bigint NOT NULL,
  thread_id text,
  labels text[],
  message_id bigint,
  content_sha256 text CHECK (length(content_sha256) = 64),
  screen_version integer,
  received_at timestamptz,
  size_bytes bigint CHECK (size_bytes >= 0),
  tries integer NOT NULL DEFAULT 0,
  not_before timestamptz,
  seen_serial integer NOT NULL DEFAULT 0,
  settled_at timestamptz,
  PRIMARY KEY (account_id, mailbox_id, gmail_id),
  FOREIGN KEY (account_id, mailbox_id) REFERENCES gmail_mailboxes (account_id, mailbox_id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE SET NULL (message_id),
  CONSTRAINT dropping_has_a_reason CHECK (state IN ('wanted', 'stored') OR reason IS NOT NULL)
);
COMMENT ON TABLE gmail_messages IS
  'Every message id seen in a mailbox. Of what was not kept only the id, a hash and the reason remain here.';
COMMENT ON COLUMN gmail_messages.rank IS 'What is fetched first: 0 new mail, 1 hiring-shaped, 2 the rest, 3 again. Within it the lowest place.';
CREATE INDEX gmail_messages_wanted ON gmail_messages (account_id, mailbox_id, rank, place) WHERE state = 'wanted';
CREATE INDEX gmail_messages_states ON gmail_messages (account_id, mailbox_id, state);
CREATE INDEX gmail_messages_message ON gmail_messages (account_id, message_id) WHERE message_id IS NOT NULL;

CREATE TABLE gmail_gaps (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  mailbox_id bigint NOT NULL,
  since timestamptz,
  found_at timestamptz NOT NULL,
  filled_at timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, mailbox_id) REFERENCES gmail_mailboxes (account_id, mailbox_id) ON DELETE CASCADE
);
COMMENT ON TABLE gmail_gaps IS 'Times from which Gmail no longer told what changed; filled when the mailbox was listed anew.';
CREATE INDEX gmail_gaps_mailbox ON gmail_gaps (account_id, mailbox_id, id DESC);

CREATE TABLE gmail_consents (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  state_hash text NOT NULL CHECK (length(state_hash) = 64),
  session_hash text NOT NULL CHECK (length(session_hash) = 64),
  code_verifier text NOT NULL,
  redirect_url text NOT NULL,
  mailbox_id bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, state_hash),
  FOREIGN KEY (account_id, mailbox_id) REFERENCES gmail_mailboxes (account_id, mailbox_id) ON DELETE CASCADE
);
COMMENT ON TABLE gmail_consents IS 'Visits to Google that have not come back yet; the row is deleted by the one that does.';

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['gmail_mailboxes', 'gmail_messages', 'gmail_gaps', 'gmail_consents'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;

-- Whose turn it is: found by any daemon without reading anything private. All times are the database's.
CREATE TABLE gmail_turns (
  account_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  holder uuid,
  holder_name text,
  held_since timestamptz,
  lease_until timestamptz,
  generation bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, mailbox_id),
  FOREIGN KEY (account_id, mailbox_id) REFERENCES gmail_mailboxes (account_id, mailbox_id) ON DELETE CASCADE,
  CONSTRAINT a_holder_has_a_lease CHECK (num_nonnulls(holder, holder_name, held_since, lease_until) IN (0, 4))
);
COMMENT ON COLUMN gmail_turns.due_at IS 'infinity: nothing to do until a person connects the mailbox again.';
COMMENT ON COLUMN gmail_turns.generation IS 'Raised by whoever takes the turn, or takes it away: every commit of a sync is fenced by it.';
CREATE INDEX gmail_turns_due ON gmail_turns (due_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON gmail_turns TO jobtrail_fleet;

-- Google counts units per person and per project; all processes spend from the same buckets.
CREATE TABLE gmail_quota (
  bucket text PRIMARY KEY CHECK (length(bucket) BETWEEN 1 AND 100),
  units double precision NOT NULL,
  capacity double precision NOT NULL CHECK (capacity > 0),
  rate double precision NOT NULL CHECK (rate > 0),
  full_rate double precision NOT NULL CHECK (full_rate > 0),
  refusals integer NOT NULL DEFAULT 0,
  refused_at timestamptz,
  paused_until timestamptz NOT NULL DEFAULT '-infinity',
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON COLUMN gmail_quota.bucket IS 'Hash of the OAuth client, and of the address for a person: the table names nobody.';
COMMENT ON COLUMN gmail_quota.rate IS 'Units a second at present: halved by a refusal, back at full_rate ten minutes later.';
GRANT SELECT, INSERT, UPDATE, DELETE ON gmail_quota TO jobtrail_fleet;
