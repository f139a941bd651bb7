-- What a person answered once and may answer again, and texts written for one posting.
CREATE TABLE answers (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  question text NOT NULL CHECK (length(question) BETWEEN 1 AND 2000),
  question_key text NOT NULL CHECK (length(question_key) BETWEEN 1 AND 2000),
  kind text NOT NULL CHECK (kind IN ('text', 'choice', 'choices')),
  options text[] NOT NULL DEFAULT '{}',
  options_key text NOT NULL DEFAULT '',
  company text CHECK (length(company) BETWEEN 1 AND 300),
  company_key text NOT NULL DEFAULT '',
  given text[] NOT NULL CHECK (cardinality(given) BETWEEN 1 AND 100),
  origin text NOT NULL CHECK (origin IN ('person', 'form', 'import')),
  revision integer NOT NULL DEFAULT 1 CHECK (revision >= 1),
  fill_id bigint,
  uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
  used_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, fill_id) REFERENCES fills (account_id, id),
  CONSTRAINT scope_is_one_employer_or_all CHECK ((company IS NULL) = (company_key = ''))
);
COMMENT ON TABLE answers IS
  'Remembered answers, by question, kind, options and scope: one employer (company_key), or all when it is empty.';
COMMENT ON COLUMN answers.question_key IS 'The question in comparable form; two spellings of one question are equal.';
COMMENT ON COLUMN answers.options_key IS 'What the options were, in comparable form and any order; empty for free text.';
CREATE UNIQUE INDEX answers_question ON answers (account_id, question_key, kind, options_key, company_key)
  WHERE deleted_at IS NULL;

CREATE TABLE answer_revisions (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  answer_id bigint NOT NULL,
  revision integer NOT NULL CHECK (revision >= 1),
  given text[] NOT NULL,
  company text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, answer_id, revision),
  FOREIGN KEY (account_id, answer_id) REFERENCES answers (account_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE answer_revisions IS 'Every state an answer had, the one in force included, so that a change can be undone.';

CREATE TABLE drafts (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  canonical_url text NOT NULL,
  company text,
  role text,
  question text NOT NULL CHECK (length(question) BETWEEN 1 AND 2000),
  question_key text NOT NULL CHECK (length(question_key) BETWEEN 1 AND 2000),
  max_chars integer CHECK (max_chars > 0),
  asks integer NOT NULL DEFAULT 0 CHECK (asks >= 0),
  ask_generation integer,
  ask_replaces boolean NOT NULL DEFAULT false,
  generation integer NOT NULL DEFAULT 0 CHECK (generation >= 0),
  state text NOT NULL CHECK (state IN ('empty', 'writing', 'ready', 'failed')),
  failure text,
  accepted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (account_id, id),
  CONSTRAINT failed_says_why CHECK (state <> 'failed' OR failure IS NOT NULL),
  CONSTRAINT ready_has_a_text CHECK (state <> 'ready' OR generation > 0)
);
COMMENT ON TABLE drafts IS 'A text for one question of one posting. The generation is the version in force; 0 means none yet.';
COMMENT ON COLUMN drafts.asks IS 'How often a machine was asked to write; the work of an earlier ask comes to nothing.';
COMMENT ON COLUMN drafts.ask_generation IS 'What was in force when a machine was asked last; what came after it is never replaced.';
COMMENT ON COLUMN drafts.failure IS 'Why the last writing came to nothing; kept beside a text that was there before.';
CREATE UNIQUE INDEX drafts_question ON drafts (account_id, canonical_url, question_key) WHERE deleted_at IS NULL;
CREATE INDEX drafts_newest ON drafts (account_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE draft_versions (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  draft_id bigint NOT NULL,
  generation integer NOT NULL CHECK (generation >= 1),
  author text NOT NULL CHECK (author IN ('machine', 'person')),
  text text NOT NULL CHECK (length(text) <= 50000),
  rests_on jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(rests_on) = 'array'),
  not_in_sources jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(not_in_sources) = 'array'),
  ask integer,
  model text,
  prompt_version integer,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, draft_id, generation),
  FOREIGN KEY (account_id, draft_id) REFERENCES drafts (account_id, id) ON DELETE CASCADE,
  CONSTRAINT a_machine_names_its_model
    CHECK ((author = 'machine') = (model IS NOT NULL) AND (author = 'machine') = (ask IS NOT NULL))
);
COMMENT ON TABLE draft_versions IS 'Appended: no text a person or a machine wrote is ever overwritten.';
COMMENT ON COLUMN draft_versions.rests_on IS 'What of the profile, the résumé and the posting the text was written from.';
COMMENT ON COLUMN draft_versions.not_in_sources IS 'What it states that stands in none of them, as far as a program can tell.';

-- What a document says, for writing from it; read by a worker.
ALTER TABLE documents
  ADD COLUMN text text CHECK (length(text) <= 200000),
  ADD COLUMN text_state text NOT NULL DEFAULT 'unread'
    CHECK (text_state IN ('unread', 'read', 'empty', 'unreadable', 'unsupported')),
  ADD CONSTRAINT read_has_a_text CHECK ((text_state = 'read') = (text IS NOT NULL));
COMMENT ON COLUMN documents.text_state IS
  'empty: there is no text in it, as in a scan; unreadable: broken, locked or too large; unsupported: a format nothing here reads.';

-- Whether a language model may write from the profile. The newest row holds, none means no.
CREATE TABLE draft_permissions (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  allowed boolean NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);
ALTER TABLE draft_permissions ENABLE ROW LEVEL SECURITY;
ALTER TABLE draft_permissions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON draft_permissions TO jobtrail_app
  USING (account_id = jobtrail_account()) WITH CHECK (account_id = jobtrail_account());
GRANT SELECT, INSERT ON draft_permissions TO jobtrail_app;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['answers', 'answer_revisions', 'drafts', 'draft_versions'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
