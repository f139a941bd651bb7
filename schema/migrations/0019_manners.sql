-- What hosts of other people allow, for all workers together (docs/catalog.md).

-- One row a host: a theoretical arrival time (GCRA), moved by one statement that commits by itself.
CREATE TABLE host_paces (
  host text PRIMARY KEY CHECK (length(host) BETWEEN 1 AND 253),
  spacing interval NOT NULL CHECK (spacing > '0'),
  least_spacing interval NOT NULL CHECK (least_spacing > '0'),
  arrival_at timestamptz NOT NULL,
  blocked_until timestamptz NOT NULL DEFAULT '-infinity',
  refused_at timestamptz NOT NULL DEFAULT '-infinity',
  flights timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(flights) <= 8),
  waited_until timestamptz NOT NULL DEFAULT '-infinity',
  refusals integer NOT NULL DEFAULT 0 CHECK (refusals >= 0),
  successes integer NOT NULL DEFAULT 0 CHECK (successes >= 0),
  used_at timestamptz NOT NULL,
  CONSTRAINT never_faster_than_allowed CHECK (spacing >= least_spacing)
);
COMMENT ON TABLE host_paces IS 'Times are the database server''s own.';
COMMENT ON COLUMN host_paces.spacing IS 'Time between requests now: doubled by a refusal, narrowed by success, never under least_spacing.';
COMMENT ON COLUMN host_paces.least_spacing IS 'Ours, or the Crawl-delay of its robots.txt when that is longer.';
COMMENT ON COLUMN host_paces.arrival_at IS 'The earliest start of the next request.';
COMMENT ON COLUMN host_paces.refused_at IS 'The last refusal that doubled the spacing; requests begun before it double nothing more.';
COMMENT ON COLUMN host_paces.flights IS 'One end a request that is under way: when it is over at the latest, also if its worker died.';
COMMENT ON COLUMN host_paces.waited_until IS 'Somebody waits for room until then; who comes anew waits too and takes no place before.';
COMMENT ON COLUMN host_paces.refusals IS 'In a row, since the last success.';
COMMENT ON COLUMN host_paces.successes IS 'In a row, since the last refusal.';

CREATE TABLE robots_files (
  host text PRIMARY KEY CHECK (length(host) BETWEEN 1 AND 260),
  state text NOT NULL CHECK (state IN ('unknown', 'found', 'missing', 'unreachable')),
  body text NOT NULL DEFAULT '' CHECK (length(body) <= 600000),
  fetched_at timestamptz NOT NULL DEFAULT '-infinity',
  asked_until timestamptz NOT NULL
);
COMMENT ON COLUMN robots_files.host IS 'With its port when it is not the usual one.';
COMMENT ON COLUMN robots_files.state IS 'Missing allows everything, unreachable nothing (RFC 9309, section 2.3.1).';
COMMENT ON COLUMN robots_files.asked_until IS 'Until then one worker is reading it and the others wait for the answer.';

GRANT SELECT ON host_paces, robots_files TO jobtrail_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON host_paces, robots_files TO jobtrail_fleet;
