-- The life of postings: what a title and a place mean, when one was opened and closed and why, and doubts
-- about a board that hold closing back (docs/catalog.md).

ALTER TABLE sources
  ADD COLUMN etag text CHECK (length(etag) <= 1000),
  ADD COLUMN last_modified text CHECK (length(last_modified) <= 200),
  ADD COLUMN off_since timestamptz,
  ADD COLUMN off_reason text CHECK (length(btrim(off_reason)) BETWEEN 1 AND 500),
  ADD CONSTRAINT off_says_why CHECK ((off_since IS NULL) = (off_reason IS NULL)),
  ADD CONSTRAINT off_is_not_enabled CHECK (off_since IS NULL OR NOT enabled);
COMMENT ON COLUMN sources.etag IS 'Of the last answer that was known to be whole; sent back to ask whether anything changed.';
COMMENT ON COLUMN sources.off_since IS 'Switched off by the product after failures in a row; by a person only "enabled" changes.';

ALTER TABLE pulls ADD COLUMN closed integer NOT NULL DEFAULT 0 CHECK (closed >= 0);
COMMENT ON COLUMN pulls.closed IS 'Postings this pull closed.';

ALTER TABLE postings
  ADD COLUMN places jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(places) = 'array'),
  ADD COLUMN countries text[] NOT NULL DEFAULT '{}',
  ADD COLUMN seniority text
    CHECK (seniority IN ('intern', 'entry', 'mid', 'senior', 'lead', 'principal', 'manager', 'director', 'executive')),
  ADD COLUMN workplace_conflict boolean NOT NULL DEFAULT false,
  ADD COLUMN pay_text text CHECK (length(pay_text) <= 500),
  ADD COLUMN reopened_at timestamptz,
  ADD COLUMN details_tried smallint NOT NULL DEFAULT 0 CHECK (details_tried >= 0),
  ADD COLUMN looked_at timestamptz,
  DROP CONSTRAINT postings_posted_meaning_check,
  ADD CONSTRAINT postings_posted_meaning_check
    CHECK (posted_meaning IN ('first_published', 'last_published', 'created', 'updated'));
COMMENT ON COLUMN postings.places IS 'One object a place: text as shown, and city, region, country (ISO 3166-1 alpha-2) as far as known.';
COMMENT ON COLUMN postings.countries IS 'Every country of places, for filters.';
COMMENT ON COLUMN postings.seniority IS 'A hint out of the title; NULL when it says nothing.';
COMMENT ON COLUMN postings.workplace_conflict IS 'The signals disagree; workplace_signals keeps all of them.';
COMMENT ON COLUMN postings.details_tried IS 'Looks at its own page in a row that brought no text.';
COMMENT ON COLUMN postings.looked_at IS 'When its own page was last asked for its text, whatever came of it.';
COMMENT ON COLUMN postings.pay_text IS 'The words the amounts were read from, when they were read from text.';
CREATE INDEX postings_undescribed ON postings (id)
  WHERE description_state = 'not_fetched' AND closed_at IS NULL;

-- What happened to a posting, append-only: it outlives raw records and pulls.
CREATE TABLE posting_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  posting_id bigint NOT NULL REFERENCES postings (id),
  at timestamptz NOT NULL,
  event text NOT NULL CHECK (event IN ('opened', 'closed', 'reopened')),
  reason text NOT NULL CHECK (length(btrim(reason)) BETWEEN 1 AND 200),
  source_id bigint,
  pull_id bigint
);
CREATE INDEX posting_events_posting ON posting_events (posting_id, id);
-- How many of a board's closes came back: opening is most of what happens, and no part of that.
CREATE INDEX posting_events_moves ON posting_events (source_id, at) WHERE event <> 'opened';
COMMENT ON COLUMN posting_events.pull_id IS 'The pull that showed it; no foreign key, because pulls expire and this does not.';

-- A doubt about a board: it holds closing back, is visible, and ends in a decision.
CREATE TABLE suspicions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id bigint NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('drop', 'blast', 'empty', 'gone')),
  raised_at timestamptz NOT NULL,
  raised_pull_id bigint,
  expires_at timestamptz NOT NULL,
  expected integer NOT NULL CHECK (expected >= 0),
  shown integer NOT NULL CHECK (shown >= 0),
  held integer NOT NULL DEFAULT 0 CHECK (held >= 0),
  confirmations smallint NOT NULL DEFAULT 0 CHECK (confirmations >= 0),
  confirmed_at timestamptz,
  probed_gone smallint NOT NULL DEFAULT 0 CHECK (probed_gone >= 0),
  probed_alive smallint NOT NULL DEFAULT 0 CHECK (probed_alive >= 0),
  settled_at timestamptz,
  settled_as text CHECK (settled_as IN ('recovered', 'confirmed', 'expired')),
  settled_pull_id bigint,
  CONSTRAINT ends_after_it_began CHECK (expires_at > raised_at),
  CONSTRAINT settled_as_something CHECK ((settled_at IS NULL) = (settled_as IS NULL))
);
CREATE UNIQUE INDEX suspicions_open ON suspicions (source_id, kind) WHERE settled_at IS NULL;
CREATE INDEX suspicions_source ON suspicions (source_id, id DESC);
COMMENT ON COLUMN suspicions.held IS 'Open postings that would be closed but for this doubt.';
COMMENT ON COLUMN suspicions.probed_gone IS 'Postings looked at one by one that their platform says are gone or filled.';

-- What a posting's own page said when it was last looked at for its sake: evidence beside its boards'.
CREATE TABLE posting_probes (
  posting_id bigint PRIMARY KEY REFERENCES postings (id) ON DELETE CASCADE,
  looked_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'filled', 'gone')),
  gone_since timestamptz,
  CONSTRAINT gone_says_since_when CHECK ((state = 'open') = (gone_since IS NULL))
);
COMMENT ON COLUMN posting_probes.state IS 'A page that answered neither writes no row: it says nothing.';

-- Several boards of one platform that fail together are an incident of the platform: nothing counts meanwhile.
CREATE TABLE platform_circuits (
  platform text PRIMARY KEY,
  opened_at timestamptz NOT NULL,
  open_until timestamptz NOT NULL,
  problem text NOT NULL,
  boards integer NOT NULL CHECK (boards > 0)
);

GRANT SELECT ON posting_events, suspicions, posting_probes, platform_circuits TO jobtrail_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON posting_events, suspicions, posting_probes, platform_circuits TO jobtrail_fleet;
