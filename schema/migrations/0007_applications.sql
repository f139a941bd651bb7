-- Applications, which messages are about them and on what evidence, and what the person decided.
CREATE TABLE applications (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  origin text NOT NULL CHECK (origin IN ('extension', 'tracker', 'manual', 'derived', 'import')),
  company text,
  company_key text,
  role text,
  role_key text,
  posting_id bigint REFERENCES postings (id),
  canonical_url text,
  platform text,
  board text,
  vendor_id text,
  requisition_id text,
  requisition_key text,
  applied_at timestamptz,
  applied_on date,
  status text CHECK (status IN ('applied', 'acknowledged', 'assessment', 'interviewing', 'offer',
    'rejected', 'withdrawn', 'closed')),
  status_at timestamptz,
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 20000),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  dismissed_at timestamptz,
  PRIMARY KEY (account_id, id),
  CONSTRAINT status_has_its_time CHECK ((status IS NULL) = (status_at IS NULL)),
  CONSTRAINT one_kind_of_applied_date CHECK (num_nonnulls(applied_at, applied_on) <= 1)
);
COMMENT ON COLUMN applications.status IS 'What the person set, or NULL: the stage then follows from the timeline.';
COMMENT ON COLUMN applications.applied_on IS 'When only a day is known; no time of day is invented.';
CREATE INDEX applications_newest ON applications (account_id, id DESC);
CREATE INDEX applications_company ON applications (account_id, company_key);
CREATE INDEX applications_url ON applications (account_id, canonical_url);
CREATE INDEX applications_requisition ON applications (account_id, requisition_key);
CREATE INDEX applications_vendor ON applications (account_id, vendor_id);
CREATE INDEX applications_board ON applications (account_id, platform, board);
CREATE UNIQUE INDEX applications_posting ON applications (account_id, posting_id)
  WHERE posting_id IS NOT NULL AND dismissed_at IS NULL AND origin = 'tracker';

ALTER TABLE fills ADD FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id);

-- Decisions: which application a message is about. Appended; matches holds the one in force.
CREATE TABLE match_decisions (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  message_id bigint NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('attached', 'asks', 'none', 'not_an_application', 'not_job_mail')),
  application_id bigint,
  actor text NOT NULL CHECK (actor IN ('machine', 'person')),
  choice text CHECK (choice IN ('confirm', 'reject', 'assign', 'create_application', 'not_an_application',
    'not_job_mail', 'undo')),
  policy_version integer NOT NULL,
  input_hash text NOT NULL CHECK (length(input_hash) = 64),
  score double precision,
  margin double precision,
  pattern text NOT NULL DEFAULT '',
  rejected_application_id bigint,
  replaces_id bigint,
  undoes_id bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  FOREIGN KEY (account_id, rejected_application_id) REFERENCES applications (account_id, id),
  FOREIGN KEY (account_id, replaces_id) REFERENCES match_decisions (account_id, id),
  FOREIGN KEY (account_id, undoes_id) REFERENCES match_decisions (account_id, id),
  CONSTRAINT attached_to_something CHECK ((outcome = 'attached') = (application_id IS NOT NULL)),
  CONSTRAINT person_chose CHECK ((actor = 'person') = (choice IS NOT NULL)),
  CONSTRAINT undo_names_what CHECK ((choice IS NOT DISTINCT FROM 'undo') = (undoes_id IS NOT NULL)),
  CONSTRAINT reject_names_what
    CHECK ((choice IS NOT DISTINCT FROM 'reject') = (rejected_application_id IS NOT NULL))
);
CREATE INDEX match_decisions_message ON match_decisions (account_id, message_id, id DESC);
CREATE INDEX match_decisions_person ON match_decisions (account_id, id DESC) WHERE actor = 'person';

CREATE TABLE evidence (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  decision_id bigint NOT NULL,
  application_id bigint NOT NULL,
  rank smallint NOT NULL CHECK (rank >= 1),
  candidate_score double precision NOT NULL,
  name text NOT NULL CHECK (name IN ('posting_url', 'board_posting', 'requisition', 'reply_chain', 'thread',
    'employer', 'tenant', 'role', 'contact', 'calendar', 'time')),
  direction text NOT NULL CHECK (direction IN ('for', 'against', 'veto')),
  strength double precision NOT NULL,
  says text NOT NULL,
  value text NOT NULL,
  span_source text CHECK (span_source IN ('subject', 'text', 'header', 'calendar')),
  span_start integer,
  span_end integer,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, decision_id) REFERENCES match_decisions (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  CONSTRAINT span_is_whole CHECK (num_nonnulls(span_source, span_start, span_end) IN (0, 3))
);
CREATE INDEX evidence_decision ON evidence (account_id, decision_id, rank);

-- Projection: the decision in force for each message. Rebuildable from match_decisions.
CREATE TABLE matches (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  message_id bigint NOT NULL,
  decision_id bigint NOT NULL,
  outcome text NOT NULL,
  application_id bigint,
  anchor_application_id bigint,
  by_person boolean NOT NULL,
  changes_stage boolean NOT NULL DEFAULT false,
  reading_id bigint,
  stale boolean NOT NULL DEFAULT false,
  decided_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, message_id),
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, decision_id) REFERENCES match_decisions (account_id, id),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  FOREIGN KEY (account_id, anchor_application_id) REFERENCES applications (account_id, id)
);
COMMENT ON COLUMN matches.anchor_application_id IS
  'What this message may vouch for towards others of its thread: set by a person, or by its own evidence alone.';
COMMENT ON COLUMN matches.reading_id IS 'The newest reading that was there when the message was last looked at.';
COMMENT ON COLUMN matches.stale IS 'Something the decision rests on changed; the next match run looks again.';
CREATE INDEX matches_application ON matches (account_id, application_id) WHERE application_id IS NOT NULL;
CREATE INDEX matches_anchor ON matches (account_id, anchor_application_id)
  WHERE anchor_application_id IS NOT NULL;
CREATE INDEX matches_waiting ON matches (account_id, changes_stage DESC, message_id DESC) WHERE outcome = 'asks';
CREATE INDEX matches_stale ON matches (account_id, message_id) WHERE stale;

-- Under which keys a message looks for its application, so that a new application finds its messages by index.
CREATE TABLE match_keys (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  key_hash bigint NOT NULL,
  message_id bigint NOT NULL,
  PRIMARY KEY (account_id, key_hash, message_id),
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE
);
CREATE INDEX match_keys_message ON match_keys (account_id, message_id);

-- Projection: where each application stands. Rebuildable from applications, matches and events.
CREATE TABLE standings (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  application_id bigint NOT NULL,
  stage text NOT NULL CHECK (stage IN ('applied', 'acknowledged', 'assessment', 'interviewing', 'offer',
    'rejected', 'withdrawn', 'closed')),
  mail_stage text NOT NULL,
  by_person boolean NOT NULL,
  dismissed boolean NOT NULL,
  messages integer NOT NULL CHECK (messages >= 0),
  last_event_at timestamptz,
  last_event_kind text,
  activity_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, application_id),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id) ON DELETE CASCADE
);
COMMENT ON COLUMN standings.activity_at IS 'Sort key: the last event, else when applied, else when recorded.';
CREATE INDEX standings_newest ON standings (account_id, dismissed, activity_at DESC, application_id DESC);
CREATE INDEX standings_stage ON standings (account_id, dismissed, stage, activity_at DESC, application_id DESC);

CREATE TABLE asks (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  application_id bigint NOT NULL,
  message_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('finish_assessment', 'choose_time', 'send_information', 'answer_offer')),
  due_at timestamptz,
  due_on date,
  due_text text,
  opened_at timestamptz NOT NULL,
  settled_at timestamptz,
  settled_by text CHECK (settled_by IN ('person', 'message')),
  settling_message_id bigint,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, application_id, message_id, kind),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE,
  CONSTRAINT settled_by_somebody CHECK ((settled_at IS NULL) = (settled_by IS NULL))
);
CREATE INDEX asks_open ON asks (account_id, opened_at) WHERE settled_at IS NULL;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['applications', 'match_decisions', 'evidence', 'matches', 'match_keys', 'standings',
    'asks'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
