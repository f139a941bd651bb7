-- The shared catalog: what each board said, when, and what it amounts to. No person's data here.
CREATE TABLE sources (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform text NOT NULL,
  board text NOT NULL CHECK (length(board) BETWEEN 1 AND 300),
  company text,
  url text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  failures_in_a_row integer NOT NULL DEFAULT 0,
  blocked_until timestamptz,
  last_pull_at timestamptz,
  last_complete_at timestamptz,
  created_at timestamptz NOT NULL
);
-- Boards answer in any case of their name on most platforms: two spellings would be read twice.
CREATE UNIQUE INDEX sources_board ON sources (platform, lower(board));

CREATE TABLE pulls (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id bigint NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  task_id bigint,
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  coverage text NOT NULL CHECK (coverage IN ('complete', 'capped', 'partial', 'failed', 'surprising_empty')),
  evidence jsonb NOT NULL CHECK (jsonb_typeof(evidence) = 'object'),
  observed integer NOT NULL CHECK (observed >= 0),
  refused integer NOT NULL CHECK (refused >= 0),
  written integer NOT NULL CHECK (written >= 0)
);
CREATE INDEX pulls_source ON pulls (source_id, id DESC);

CREATE TABLE descriptions (
  content_hash text PRIMARY KEY CHECK (length(content_hash) = 64),
  raw text NOT NULL,
  html text NOT NULL,
  text text NOT NULL
);
COMMENT ON COLUMN descriptions.content_hash IS 'SHA-256 of raw, which is as the platform sent it and never shown.';
COMMENT ON COLUMN descriptions.html IS 'Sanitised by an allow-list before it is stored.';

CREATE TABLE postings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform text NOT NULL,
  vendor_id text NOT NULL CHECK (length(vendor_id) BETWEEN 1 AND 300),
  board text NOT NULL,
  requisition_id text,
  title text NOT NULL,
  company text,
  locations text[] NOT NULL DEFAULT '{}',
  workplace text CHECK (workplace IN ('onsite', 'hybrid', 'remote')),
  workplace_signals text[] NOT NULL DEFAULT '{}',
  employment_type text,
  pay_min numeric,
  pay_max numeric,
  pay_currency text,
  pay_interval text CHECK (pay_interval IN ('year', 'month', 'week', 'day', 'hour', 'once')),
  pay_source text NOT NULL DEFAULT 'none' CHECK (pay_source IN ('field', 'text', 'none')),
  posted_at timestamptz,
  posted_on date,
  posted_meaning text CHECK (posted_meaning IN ('first_published', 'last_published', 'updated')),
  apply_url text,
  canonical_url text NOT NULL,
  language text,
  description_state text NOT NULL DEFAULT 'not_fetched'
    CHECK (description_state IN ('not_fetched', 'fetch_failed', 'empty', 'stored')),
  description_hash text REFERENCES descriptions (content_hash),
  described_at timestamptz,
  first_seen_at timestamptz NOT NULL,
  newest_at timestamptz NOT NULL GENERATED ALWAYS AS
    (coalesce(posted_at, posted_on::timestamp AT TIME ZONE 'UTC', first_seen_at)) STORED,
  closed_at timestamptz,
  closed_reason text,
  closed_pull_id bigint REFERENCES pulls (id),
  UNIQUE (platform, vendor_id),
  CONSTRAINT close_carries_its_reason CHECK ((closed_at IS NULL) = (closed_reason IS NULL)),
  CONSTRAINT stored_description_has_text CHECK ((description_state = 'stored') = (description_hash IS NOT NULL)),
  CONSTRAINT posted_once CHECK (posted_at IS NULL OR posted_on IS NULL),
  CONSTRAINT posted_says_what_it_means
    CHECK ((posted_meaning IS NULL) = (posted_at IS NULL AND posted_on IS NULL)),
  CONSTRAINT looked_at_description_says_when CHECK ((description_state = 'not_fetched') = (described_at IS NULL)),
  CONSTRAINT pay_has_a_source CHECK ((pay_source = 'none') = (pay_min IS NULL AND pay_max IS NULL))
);
CREATE INDEX postings_canonical_url ON postings (canonical_url);
COMMENT ON COLUMN postings.newest_at IS 'For sorting only: a posting without a date sorts by when it was first seen.';
CREATE INDEX postings_newest ON postings (newest_at DESC, id DESC);
CREATE INDEX postings_words ON postings
  USING gin (to_tsvector('simple', title || ' ' || coalesce(company, '') || ' ' || board));

CREATE TABLE listings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id bigint NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  vendor_id text NOT NULL CHECK (length(vendor_id) BETWEEN 1 AND 300),
  raw_hash text NOT NULL CHECK (length(raw_hash) = 64),
  raw jsonb NOT NULL,
  description_hash text REFERENCES descriptions (content_hash),
  posting_id bigint REFERENCES postings (id),
  verdict text NOT NULL CHECK (verdict IN ('admitted', 'refused')),
  rule text NOT NULL,
  rule_version integer NOT NULL,
  reason text,
  judged_at timestamptz NOT NULL,
  first_pull_id bigint NOT NULL REFERENCES pulls (id),
  changed_pull_id bigint NOT NULL REFERENCES pulls (id),
  first_seen_at timestamptz NOT NULL,
  missed smallint NOT NULL DEFAULT 0 CHECK (missed >= 0),
  last_seen_at timestamptz,
  UNIQUE (source_id, vendor_id),
  CONSTRAINT missed_was_seen_before CHECK (missed = 0 OR last_seen_at IS NOT NULL),
  CONSTRAINT admitted_has_a_posting CHECK ((verdict = 'admitted') = (posting_id IS NOT NULL)),
  CONSTRAINT refusal_has_a_reason CHECK (verdict = 'admitted' OR reason IS NOT NULL)
);
COMMENT ON COLUMN listings.raw IS 'As the platform sent it, without the description, which is cached by its content.';
COMMENT ON COLUMN listings.missed IS 'Complete pulls in a row that did not show it; other pulls say nothing.';
COMMENT ON COLUMN listings.last_seen_at IS
  'Written when it is first missed. NULL while shown: a pull that changes nothing writes no row, and the '
  'source''s last_complete_at is the time.';
CREATE INDEX listings_posting ON listings (posting_id);

GRANT SELECT ON sources, pulls, descriptions, postings, listings TO jobtrail_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON sources, pulls, descriptions, postings, listings TO jobtrail_fleet;

-- What one person does with postings. Never computed over, never deleted by a machine.
CREATE TABLE user_jobs (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  posting_id bigint NOT NULL REFERENCES postings (id),
  saved_at timestamptz,
  hidden_at timestamptz,
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 20000),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, posting_id)
);
ALTER TABLE user_jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_jobs FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON user_jobs TO jobtrail_app
  USING (account_id = jobtrail_account()) WITH CHECK (account_id = jobtrail_account());
GRANT SELECT, INSERT, UPDATE, DELETE ON user_jobs TO jobtrail_app;
