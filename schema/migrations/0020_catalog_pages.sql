-- What the pages of the catalog ask: words, filters, twins, and postings only one person knows (docs/catalog.md).

-- Words as people type them: "Zurich" finds "Zürich". Used for what is stored and for what is asked.
CREATE FUNCTION folded_words(words text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN words ~ '[^ -~]' THEN regexp_replace(normalize(words, NFKD), U&'[\0300-\036F]', '', 'g')
    ELSE words END;

-- A step of pay: each begins about a fifth above the one before. A filter asks for a step and all above it.
CREATE FUNCTION pay_step(amount numeric) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN amount > 0 THEN floor(ln(least(amount, 1e12)::double precision) * 5)::integer END;

-- The upper end of pay by the year: an hour counts 2,080 times, a day 260. For filters only, never shown.
CREATE FUNCTION yearly_pay(amount numeric, pay_interval text) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN amount * CASE pay_interval WHEN 'year' THEN 1 WHEN 'month' THEN 12 WHEN 'week' THEN 52
    WHEN 'day' THEN 260 WHEN 'hour' THEN 2080 END;

-- What a posting is found by: its words, and each filter as a word that nobody can type ("=country:DE"). One
-- index over both answers any mixture of them by joining the lists of the rarest.
CREATE FUNCTION posting_search(
    title text, company text, board text, locations text[], countries text[], platform text, workplace text,
    employment_type text, seniority text, pay_low numeric, pay_high numeric, pay_currency text,
    pay_interval text, closed_at timestamptz) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig, folded_words(
      title || ' ' || coalesce(company, '') || ' ' || board || ' '
      || left(coalesce(array_to_string(locations, ' '), ''), 2000)))
    || array_to_tsvector(array_remove(ARRAY[
        left('=platform:' || platform, 400),
        left('=board:' || platform || '/' || lower(board), 400),
        left('=workplace:' || workplace, 400),
        left('=employment:' || employment_type, 400),
        left('=seniority:' || seniority, 400),
        CASE WHEN closed_at IS NULL THEN '=open' END,
        CASE WHEN pay_low IS NOT NULL OR pay_high IS NOT NULL THEN '=pay' END,
        '=pay:' || left(pay_currency, 20) || ':' || pay_step(yearly_pay(coalesce(pay_high, pay_low), pay_interval))
      ], NULL)
      || array_remove(ARRAY(SELECT left('=country:' || country, 50) FROM unnest(countries) country), NULL));

ALTER TABLE postings ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (posting_search(
  title, company, board, locations, countries, platform, workplace, employment_type, seniority, pay_min, pay_max,
  pay_currency, pay_interval, closed_at)) STORED;
COMMENT ON COLUMN postings.search IS 'Words and filters of the list of postings; made by the server, read by its index.';
DROP INDEX postings_words;
CREATE INDEX postings_search ON postings USING gin (search) WITH (gin_pending_list_limit = 1024);
CREATE INDEX postings_newest_open ON postings (newest_at DESC, id DESC) WHERE closed_at IS NULL;

-- The same opening seen on two platforms: a suggestion with its reasons, never a merge.
CREATE TABLE twin_suggestions (
  posting_id bigint NOT NULL REFERENCES postings (id) ON DELETE CASCADE,
  twin_id bigint NOT NULL REFERENCES postings (id) ON DELETE CASCADE,
  evidence text[] NOT NULL CHECK (cardinality(evidence) > 0),
  suggested_at timestamptz NOT NULL,
  PRIMARY KEY (posting_id, twin_id),
  CONSTRAINT in_one_order CHECK (posting_id < twin_id)
);
CREATE INDEX twin_suggestions_twin ON twin_suggestions (twin_id);
GRANT SELECT ON twin_suggestions TO jobtrail_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON twin_suggestions TO jobtrail_fleet;

-- What a pull of a board would do, read once for an operator who thinks of adding it. Gone after a day.
CREATE TABLE source_previews (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform text NOT NULL,
  board text NOT NULL CHECK (length(board) BETWEEN 1 AND 300),
  company text CHECK (length(company) <= 300),
  url text NOT NULL CHECK (length(url) <= 2000),
  asked_at timestamptz NOT NULL,
  finished_at timestamptz,
  result jsonb CHECK (jsonb_typeof(result) = 'object'),
  CONSTRAINT finished_with_a_result CHECK ((finished_at IS NULL) = (result IS NULL))
);
GRANT SELECT ON source_previews TO jobtrail_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON source_previews TO jobtrail_fleet;

-- Postings that only one person knows: typed in, or kept from a page that no board here shows. Private.
CREATE TABLE own_postings (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  canonical_url text CHECK (length(canonical_url) <= 2000),
  url text CHECK (length(url) <= 2000),
  title text NOT NULL CHECK (length(btrim(title)) BETWEEN 1 AND 500),
  company text CHECK (length(company) <= 500),
  place text CHECK (length(place) <= 500),
  pay_words text CHECK (length(pay_words) <= 500),
  text text NOT NULL DEFAULT '' CHECK (length(text) <= 200000),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 20000),
  facts_from text NOT NULL CHECK (facts_from IN ('person', 'browser', 'page')),
  look text NOT NULL DEFAULT 'never' CHECK (look IN ('never', 'waits', 'read', 'nothing', 'closed', 'failed')),
  look_why text CHECK (length(look_why) <= 100),
  looked_at timestamptz,
  application_id bigint,
  saved_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  removed_at timestamptz,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, canonical_url),
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  CONSTRAINT address_in_both_spellings CHECK ((canonical_url IS NULL) = (url IS NULL)),
  CONSTRAINT looked_says_when CHECK ((look IN ('never', 'waits')) = (looked_at IS NULL)),
  CONSTRAINT only_an_address_is_looked_at CHECK (look = 'never' OR url IS NOT NULL)
);
COMMENT ON TABLE own_postings IS 'Postings you typed in, or kept from a page that no board of this Jobtrail shows.';
COMMENT ON COLUMN own_postings.facts_from IS 'Who said it: you, your browser on the page, or the page when Jobtrail read it.';
COMMENT ON COLUMN own_postings.look IS
  'What came of reading the page: never asked, waits, read, nothing (it states no posting), closed (it states that it is '
  'gone), failed.';
COMMENT ON COLUMN own_postings.removed_at IS 'Removed by its person, who can take that back for a day; then the row goes.';
CREATE INDEX own_postings_newest ON own_postings (account_id, saved_at DESC, id DESC);

ALTER TABLE own_postings ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON own_postings TO jobtrail_app
  USING (account_id = jobtrail_account()) WITH CHECK (account_id = jobtrail_account());
GRANT SELECT, INSERT, UPDATE, DELETE ON own_postings TO jobtrail_app;

-- What earlier releases put into the catalog from the pages of people becomes theirs alone.
ALTER TABLE user_jobs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE applications NO FORCE ROW LEVEL SECURITY;
ALTER TABLE fills NO FORCE ROW LEVEL SECURITY;
CREATE TEMPORARY TABLE unobserved ON COMMIT DROP AS
  SELECT id FROM postings p WHERE NOT EXISTS (SELECT FROM listings l WHERE l.posting_id = p.id);
INSERT INTO own_postings (account_id, canonical_url, url, title, company, note, facts_from, application_id,
    saved_at, updated_at)
  SELECT DISTINCT ON (u.account_id, p.canonical_url) u.account_id, p.canonical_url, p.canonical_url,
    coalesce(nullif(btrim(left(p.title, 500)), ''), p.board), left(p.company, 500), u.note, 'browser',
    (SELECT max(a.id) FROM applications a WHERE a.account_id = u.account_id AND a.posting_id = p.id
      AND a.dismissed_at IS NULL), coalesce(u.saved_at, u.updated_at), u.updated_at
  FROM user_jobs u JOIN postings p ON p.id = u.posting_id JOIN unobserved ON unobserved.id = p.id
  WHERE u.saved_at IS NOT NULL OR u.note <> ''
  ORDER BY u.account_id, p.canonical_url, u.updated_at DESC;
UPDATE applications SET posting_id = NULL WHERE posting_id IN (SELECT id FROM unobserved);
UPDATE fills SET posting_id = NULL WHERE posting_id IN (SELECT id FROM unobserved);
DELETE FROM user_jobs WHERE posting_id IN (SELECT id FROM unobserved);
DELETE FROM postings WHERE id IN (SELECT id FROM unobserved);
ALTER TABLE user_jobs FORCE ROW LEVEL SECURITY;
ALTER TABLE applications FORCE ROW LEVEL SECURITY;
ALTER TABLE fills FORCE ROW LEVEL SECURITY;
ALTER TABLE own_postings FORCE ROW LEVEL SECURITY;
