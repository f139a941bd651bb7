-- What the catalog keeps and for how long, and by what the same opening on two platforms is found (docs/catalog.md).

-- Pulls expire; what they wrote outlives them, and goes on naming them.
ALTER TABLE listings DROP CONSTRAINT listings_first_pull_id_fkey, DROP CONSTRAINT listings_changed_pull_id_fkey;
ALTER TABLE postings DROP CONSTRAINT postings_closed_pull_id_fkey;

-- A board that only says "unchanged" is read whole at times all the same.
ALTER TABLE sources ADD COLUMN read_whole_at timestamptz, ADD COLUMN rests_until timestamptz;
COMMENT ON COLUMN sources.read_whole_at IS 'When its rows were last read, and not only said to be unchanged.';
COMMENT ON COLUMN sources.rests_until IS 'A board with nothing on it is read more seldom; a person who asks need not wait.';

-- Texts are stored before the pull that needs them commits, so a new one may be unused for a moment.
ALTER TABLE descriptions ADD COLUMN added_at timestamptz NOT NULL DEFAULT now();
COMMENT ON COLUMN descriptions.added_at IS 'When it was last stored for a posting; one that nothing uses is kept for some time from here.';
CREATE INDEX postings_description ON postings (description_hash) WHERE description_hash IS NOT NULL;
CREATE INDEX listings_description ON listings (description_hash) WHERE description_hash IS NOT NULL;

ALTER TABLE postings DROP CONSTRAINT postings_description_state_check;
ALTER TABLE postings ADD CONSTRAINT postings_description_state_check
  CHECK (description_state IN ('not_fetched', 'fetch_failed', 'empty', 'stored', 'expired'));
CREATE INDEX postings_closed_described ON postings (closed_at, id)
  WHERE closed_at IS NOT NULL AND description_state = 'stored';

-- Refused by rules that changed since; judged again out of what is stored.
ALTER TABLE listings ADD COLUMN read_as jsonb CHECK (jsonb_typeof(read_as) = 'object'),
  ADD CONSTRAINT only_refused_ones_are_kept_as_read CHECK (verdict = 'refused' OR read_as IS NULL);
COMMENT ON COLUMN listings.read_as IS
  'What the adapter read out of raw, kept while it is refused: new rules judge it without asking the board.';
CREATE INDEX listings_refused ON listings (rule_version, id)
  WHERE verdict = 'refused' AND read_as IS NOT NULL AND missed = 0;
-- Shown by no board; its raw row is let go after a time, and its hash with it, so that it counts as new when
-- it is shown again.
ALTER TABLE listings ADD COLUMN raw_expired_at timestamptz;
CREATE INDEX listings_unseen ON listings (last_seen_at, id) WHERE last_seen_at IS NOT NULL AND raw_expired_at IS NULL;

-- The same employer and the same title in comparable form, whoever hosts the posting.
ALTER TABLE postings ADD COLUMN twin_key text CHECK (length(twin_key) <= 600);
COMMENT ON COLUMN postings.twin_key IS 'Comparable employer and title; NULL when either is unknown: nothing is a twin by its title alone.';
CREATE INDEX postings_twin ON postings (twin_key) WHERE twin_key IS NOT NULL;

-- The fleet may see that somebody holds on to a posting, never who or what for.
CREATE POLICY fleet_reads ON user_jobs FOR SELECT TO jobtrail_fleet USING (true);
GRANT SELECT (posting_id) ON user_jobs TO jobtrail_fleet;
CREATE POLICY fleet_reads ON applications FOR SELECT TO jobtrail_fleet USING (true);
GRANT SELECT (posting_id) ON applications TO jobtrail_fleet;
CREATE POLICY fleet_reads ON fills FOR SELECT TO jobtrail_fleet USING (true);
GRANT SELECT (posting_id) ON fills TO jobtrail_fleet;
CREATE INDEX user_jobs_posting ON user_jobs (posting_id);
CREATE INDEX applications_by_posting ON applications (posting_id) WHERE posting_id IS NOT NULL;
CREATE INDEX fills_posting ON fills (posting_id) WHERE posting_id IS NOT NULL;
