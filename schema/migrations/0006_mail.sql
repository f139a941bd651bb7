-- Mail: where it came from, each message once, and what each message says, on which span.
CREATE TABLE mailboxes (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  door text NOT NULL CHECK (door IN ('archive', 'gmail')),
  address text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, door, address)
);

CREATE TABLE mail_imports (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  mailbox_id bigint NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 500),
  path text NOT NULL,
  spooled boolean NOT NULL,
  sha256 text,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  failure_code text CHECK (failure_code ~ '^[a-z0-9_]{1,100}$'),
  failure_detail text,
  position text,
  bytes_done bigint NOT NULL DEFAULT 0 CHECK (bytes_done >= 0),
  bytes_total bigint CHECK (bytes_total >= 0),
  seen integer NOT NULL DEFAULT 0,
  stored integer NOT NULL DEFAULT 0,
  known integer NOT NULL DEFAULT 0,
  not_kept integer NOT NULL DEFAULT 0,
  quarantined integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, mailbox_id) REFERENCES mailboxes (account_id, id),
  CONSTRAINT finished_exactly_at_an_end CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL)),
  CONSTRAINT code_exactly_when_failed CHECK ((state = 'failed') = (failure_code IS NOT NULL))
);

CREATE TABLE messages (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  mailbox_id bigint NOT NULL,
  message_key text NOT NULL CHECK (length(message_key) BETWEEN 1 AND 1000),
  rfc_message_id text,
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64),
  sent_at timestamptz,
  sent_at_source text NOT NULL CHECK (sent_at_source IN ('date', 'received', 'unknown')),
  from_owner boolean NOT NULL DEFAULT false,
  sender_address text NOT NULL DEFAULT '',
  sender_name text NOT NULL DEFAULT '',
  recipients text[] NOT NULL DEFAULT '{}',
  subject text NOT NULL DEFAULT '',
  in_reply_to text,
  reference_ids text[] NOT NULL DEFAULT '{}',
  provider_thread text,
  body text,
  quoted text,
  kept text NOT NULL CHECK (kept IN ('whole', 'headers', 'identity')),
  not_kept_reason text,
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
  first_seen_at timestamptz NOT NULL,
  examined_version integer,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, message_key),
  FOREIGN KEY (account_id, mailbox_id) REFERENCES mailboxes (account_id, id),
  CONSTRAINT time_has_a_source CHECK ((sent_at IS NULL) = (sent_at_source = 'unknown')),
  CONSTRAINT body_only_when_kept CHECK ((kept = 'whole') = (body IS NOT NULL)),
  CONSTRAINT dropping_has_a_reason CHECK ((kept = 'whole') = (not_kept_reason IS NULL))
);
COMMENT ON COLUMN messages.message_key IS
  'The RFC Message-ID with its sender and date, so that a reused id hides nothing; else sha256: of the content.';
COMMENT ON COLUMN messages.kept IS
  'whole: about a job; headers: not about a job, subject and sender remain to show what was left out; identity: screened out.';
CREATE INDEX messages_by_time ON messages (account_id, kept, sent_at DESC NULLS LAST, id DESC);
CREATE INDEX messages_by_rfc_id ON messages (account_id, rfc_message_id) WHERE rfc_message_id IS NOT NULL;
CREATE INDEX messages_by_thread ON messages (account_id, provider_thread) WHERE provider_thread IS NOT NULL;
CREATE INDEX messages_unexamined ON messages (account_id, id) WHERE examined_version IS NULL;

CREATE TABLE quarantine (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  import_id bigint,
  position text NOT NULL,
  code text NOT NULL CHECK (code ~ '^[a-z0-9_]{1,100}$'),
  size_bytes bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, import_id, position),
  FOREIGN KEY (account_id, import_id) REFERENCES mail_imports (account_id, id) ON DELETE CASCADE
);

-- Decisions about a message. Appended; within a message the newest by a person wins, else the newest.
CREATE TABLE readings (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  message_id bigint NOT NULL,
  stage text NOT NULL CHECK (stage IN ('structure', 'rules', 'local_model', 'language_model', 'person')),
  version integer NOT NULL,
  actor_id bigint,
  state text NOT NULL CHECK (state IN ('decided', 'open')),
  created_at timestamptz NOT NULL,
  undoes_id bigint,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, undoes_id) REFERENCES readings (account_id, id),
  CONSTRAINT person_is_named CHECK ((stage = 'person') = (actor_id IS NOT NULL))
);
CREATE INDEX readings_message ON readings (account_id, message_id, id DESC);
CREATE INDEX readings_open ON readings (account_id, message_id) WHERE state = 'open' AND undoes_id IS NULL;

CREATE TABLE events (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  reading_id bigint NOT NULL,
  message_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('acknowledgement', 'rejection', 'position_closed', 'assessment_invite',
    'interview_invite', 'interview_scheduled', 'info_request', 'offer', 'recruiter_outreach',
    'withdrawal_confirmed', 'status_update', 'not_job_related')),
  reason text,
  rule text NOT NULL,
  span_source text CHECK (span_source IN ('subject', 'text', 'header', 'calendar')),
  span_start integer,
  span_end integer,
  span_text text,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, reading_id) REFERENCES readings (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE,
  CONSTRAINT span_is_whole CHECK (num_nonnulls(span_source, span_start, span_end, span_text) IN (0, 4)
    AND span_start >= 0 AND span_end > span_start)
);
CREATE INDEX events_message ON events (account_id, message_id, reading_id);

CREATE TABLE facts (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  reading_id bigint NOT NULL,
  message_id bigint NOT NULL,
  name text NOT NULL CHECK (name IN ('employer', 'role', 'requisition', 'posting_url', 'board', 'tenant',
    'platform', 'place', 'contact', 'deadline')),
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 2000),
  comparable text NOT NULL,
  span_source text NOT NULL CHECK (span_source IN ('subject', 'text', 'header', 'calendar')),
  span_start integer NOT NULL CHECK (span_start >= 0),
  span_end integer NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, reading_id) REFERENCES readings (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE,
  CHECK (span_end > span_start)
);
CREATE INDEX facts_message ON facts (account_id, message_id, reading_id);
CREATE INDEX facts_comparable ON facts (account_id, name, comparable);

-- The mail daemons of this installation, so that a page can say whether one runs and what it is connected to.
CREATE TABLE mail_daemons (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  gmail_accounts integer NOT NULL DEFAULT 0 CHECK (gmail_accounts >= 0),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  stopped_at timestamptz
);
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_daemons TO jobtrail_fleet;
GRANT SELECT ON mail_daemons TO jobtrail_app;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['mailboxes', 'mail_imports', 'messages', 'quarantine', 'readings', 'events', 'facts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
