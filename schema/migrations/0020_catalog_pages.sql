-- What the pages of the catalog ask: words, filters, twins, and postings only one person knows (docs/catalog.md).

-- A place's name is a word people search for; array_to_string is not immutable, this is.
CREATE FUNCTION posting_words(title text, company text, board text, locations text[]) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig,
    title || ' ' || coalesce(company, '') || ' ' || board || ' ' || coalesce(array_to_string(locations, ' '), ''));

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
