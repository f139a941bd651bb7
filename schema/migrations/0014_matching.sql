-- What a person can put together and take apart: acts with their way back, merged records, other names, several
-- applications of one message.
CREATE TABLE acts (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  about text NOT NULL CHECK (about IN ('status', 'ask', 'pair', 'split', 'pattern')),
  choice text NOT NULL,
  actor text NOT NULL CHECK (actor IN ('person', 'machine')),
  application_id bigint,
  other_application_id bigint,
  ask_id bigint,
  message_id bigint,
  stage text,
  pattern text,
  messages integer NOT NULL DEFAULT 0 CHECK (messages >= 0),
  replaced jsonb,
  created_at timestamptz NOT NULL,
  undone_at timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  FOREIGN KEY (account_id, other_application_id) REFERENCES applications (account_id, id),
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE SET NULL (message_id)
);
COMMENT ON TABLE acts IS
  'What a person decided besides one message at a time, or let the machine decide: appended, and undone at most once.';
COMMENT ON COLUMN acts.stage IS 'Of a status: the stage that the message proposed or moved it to.';
COMMENT ON COLUMN acts.replaced IS 'What stood before, as much of it as taking the act back needs.';
CREATE INDEX acts_newest ON acts (account_id, created_at DESC, id DESC);
CREATE INDEX acts_application ON acts (account_id, application_id, id DESC) WHERE application_id IS NOT NULL;

ALTER TABLE match_decisions ADD COLUMN act_id bigint,
  ADD COLUMN also_application_ids bigint[] NOT NULL DEFAULT '{}',
  ADD FOREIGN KEY (account_id, act_id) REFERENCES acts (account_id, id);
COMMENT ON COLUMN match_decisions.act_id IS 'The act this decision was one part of; NULL when it stands alone.';
COMMENT ON COLUMN match_decisions.also_application_ids IS
  'Further applications the same message is about, by the word of a person.';
CREATE INDEX match_decisions_act ON match_decisions (account_id, act_id) WHERE act_id IS NOT NULL;
-- The history, in its own order: what the person said one by one, and what the machine attached.
CREATE INDEX match_decisions_told ON match_decisions (account_id, created_at DESC, id DESC)
  WHERE actor = 'person' AND act_id IS NULL AND choice <> 'undo';
CREATE INDEX match_decisions_attached ON match_decisions (account_id, created_at DESC, id DESC)
  WHERE actor = 'machine' AND outcome = 'attached';
-- How often the person agreed, by pattern.
CREATE INDEX match_decisions_measured ON match_decisions (account_id, pattern, id DESC)
  WHERE actor = 'person' AND act_id IS NULL AND choice <> 'undo';
ALTER TABLE match_decisions DROP CONSTRAINT match_decisions_choice_check;
ALTER TABLE match_decisions ADD CONSTRAINT match_decisions_choice_check CHECK (choice IN ('confirm', 'confirm_all',
  'reject', 'assign', 'create_application', 'not_an_application', 'not_job_mail', 'undo'));

-- Projection: every application a message is attached to. Rebuildable from the decisions in force.
CREATE TABLE attachments (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  application_id bigint NOT NULL,
  message_id bigint NOT NULL,
  PRIMARY KEY (account_id, application_id, message_id),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE
);
CREATE INDEX attachments_message ON attachments (account_id, message_id);
-- Forced row security holds for the owner of the tables too; what this file moves it has to see.
ALTER TABLE matches NO FORCE ROW LEVEL SECURITY;
ALTER TABLE messages NO FORCE ROW LEVEL SECURITY;
INSERT INTO attachments (account_id, application_id, message_id)
  SELECT account_id, application_id, message_id FROM matches WHERE application_id IS NOT NULL;

-- The place of a question in the queue.
ALTER TABLE matches ADD COLUMN rank smallint NOT NULL DEFAULT 2 CHECK (rank BETWEEN 1 AND 3),
  ADD COLUMN queued_at timestamptz NOT NULL DEFAULT '-infinity';
COMMENT ON COLUMN matches.rank IS
  '3: answering moves an application. 2: it can be answered. 1: it can only be refused.';
COMMENT ON COLUMN matches.queued_at IS 'Sort key: when the message was sent, else when it was first seen.';
UPDATE matches m SET rank = CASE WHEN m.changes_stage THEN 3 ELSE 2 END,
  queued_at = (SELECT coalesce(g.sent_at, g.first_seen_at) FROM messages g
               WHERE g.account_id = m.account_id AND g.id = m.message_id);
ALTER TABLE matches FORCE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
DROP INDEX matches_waiting;
CREATE INDEX matches_waiting ON matches (account_id, rank DESC, queued_at DESC, message_id DESC)
  WHERE outcome = 'asks';

-- One application under two records: the merged one goes on being found by its own names and numbers.
ALTER TABLE applications ADD COLUMN merged_into_id bigint,
  ADD FOREIGN KEY (account_id, merged_into_id) REFERENCES applications (account_id, id),
  ADD CONSTRAINT not_merged_into_itself CHECK (merged_into_id <> id);
COMMENT ON COLUMN applications.merged_into_id IS
  'The record that stands for this one. It is never itself merged: chains are drawn together.';
CREATE INDEX applications_merged ON applications (account_id, merged_into_id) WHERE merged_into_id IS NOT NULL;

CREATE VIEW application_records WITH (security_invoker = true) AS
  SELECT account_id, id AS application_id, id AS record_id FROM applications WHERE merged_into_id IS NULL
  UNION ALL
  SELECT account_id, merged_into_id, id FROM applications WHERE merged_into_id IS NOT NULL;
COMMENT ON VIEW application_records IS
  'Every application with the records it has: its own, and those merged into it.';
GRANT SELECT ON application_records TO jobtrail_app;

CREATE TABLE pairs (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  application_id bigint NOT NULL,
  other_application_id bigint NOT NULL,
  says text NOT NULL,
  found_at timestamptz NOT NULL,
  answer text CHECK (answer IN ('merged', 'kept_apart')),
  answered_at timestamptz,
  PRIMARY KEY (account_id, application_id, other_application_id),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  FOREIGN KEY (account_id, other_application_id) REFERENCES applications (account_id, id),
  CONSTRAINT lower_id_first CHECK (application_id < other_application_id),
  CONSTRAINT answered_at_some_time CHECK ((answer IS NULL) = (answered_at IS NULL))
);
COMMENT ON TABLE pairs IS 'Two records that may be one application: proposed, never merged by a machine.';
CREATE INDEX pairs_open ON pairs (account_id, found_at DESC) WHERE answer IS NULL;
CREATE INDEX pairs_other ON pairs (account_id, other_application_id);

-- What newer mail says against what the person set.
ALTER TABLE standings ADD COLUMN proposal text CHECK (proposal IN ('applied', 'acknowledged', 'assessment',
    'interviewing', 'offer', 'rejected', 'withdrawn', 'closed')),
  ADD COLUMN proposal_message_id bigint,
  ADD COLUMN proposal_at timestamptz,
  ADD CONSTRAINT proposal_is_whole CHECK (num_nonnulls(proposal, proposal_message_id, proposal_at) IN (0, 3));
CREATE INDEX standings_proposed ON standings (account_id, proposal_at DESC, application_id DESC)
  WHERE proposal IS NOT NULL AND NOT dismissed;

CREATE INDEX asks_message ON asks (account_id, message_id);

-- Other names of an employer.
CREATE TABLE aliases (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  company text NOT NULL CHECK (length(company) BETWEEN 1 AND 300),
  company_key text NOT NULL CHECK (length(company_key) BETWEEN 1 AND 300),
  alias text NOT NULL CHECK (length(alias) BETWEEN 1 AND 300),
  alias_key text NOT NULL CHECK (length(alias_key) BETWEEN 1 AND 300),
  origin text NOT NULL CHECK (origin IN ('person', 'confirmed')),
  decision_id bigint,
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, decision_id) REFERENCES match_decisions (account_id, id),
  CONSTRAINT another_name CHECK (alias_key <> company_key),
  CONSTRAINT learned_from_something CHECK ((origin = 'confirmed') = (decision_id IS NOT NULL))
);
COMMENT ON TABLE aliases IS
  'A name under which an employer writes; entered by the person or learned from what the person confirmed.';
CREATE UNIQUE INDEX aliases_pair ON aliases (account_id, alias_key, company_key, coalesce(decision_id, 0))
  WHERE removed_at IS NULL;
CREATE INDEX aliases_company ON aliases (account_id, company_key) WHERE removed_at IS NULL;
CREATE INDEX aliases_decision ON aliases (account_id, decision_id) WHERE decision_id IS NOT NULL;

-- Whether a title was applied for elsewhere, before another employer's mail proves a new application.
CREATE INDEX applications_role ON applications (account_id, role_key) WHERE role_key IS NOT NULL;

-- Names an employer's own name lets expect: initials, leading words, other spellings and alphabets. Derived.
CREATE TABLE application_names (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 300),
  application_id bigint NOT NULL,
  PRIMARY KEY (account_id, key, application_id),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE application_names IS
  'Projection of applications.company, so that a message that calls the employer otherwise finds it by index.';
CREATE INDEX application_names_application ON application_names (account_id, application_id);

-- Which invitation a message carries, so that its update or cancellation finds the first one.
ALTER TABLE facts DROP CONSTRAINT facts_name_check;
ALTER TABLE facts ADD CONSTRAINT facts_name_check CHECK (name IN ('employer', 'role', 'requisition', 'posting_url',
  'board', 'tenant', 'platform', 'place', 'contact', 'deadline', 'appointment', 'meeting'));

-- Mail that says nothing of a job, and is kept for the conversation it stands in.
ALTER TABLE messages
  ADD COLUMN kept_because text CHECK (kept_because IN ('calendar', 'answers', 'thread', 'writer')),
  ADD COLUMN continues_id bigint,
  ADD FOREIGN KEY (account_id, continues_id) REFERENCES messages (account_id, id) ON DELETE SET NULL (continues_id),
  ADD CONSTRAINT because_only_when_kept CHECK (kept = 'whole' OR kept_because IS NULL),
  ADD CONSTRAINT continued_for_a_reason CHECK (kept_because IS NOT NULL OR continues_id IS NULL);
COMMENT ON COLUMN messages.kept_because IS
  'calendar: the same invitation as continues_id; answers, thread: a reply to it, its thread; writer: by the same person.';
CREATE INDEX messages_continuing ON messages (account_id, continues_id) WHERE continues_id IS NOT NULL;
CREATE INDEX messages_by_sender ON messages (account_id, sender_address, id DESC) WHERE kept = 'whole';
CREATE INDEX gmail_messages_by_thread ON gmail_messages (account_id, mailbox_id, thread_id) WHERE state = 'not_kept';

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['acts', 'attachments', 'pairs', 'aliases', 'application_names'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
