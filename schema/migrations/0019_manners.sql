-- What hosts of other people allow, for all workers together (docs/catalog.md).

-- One row a host: a theoretical arrival time (GCRA), moved by one statement that commits by itself.
CREATE TABLE host_paces (
  host text PRIMARY KEY CHECK (length(host) BETWEEN 1 AND 253),
  spacing interval NOT NULL CHECK (spacing > '0'),
  least_spacing interval NOT NULL CHECK (least_spacing > '0'),
  arrival_at timestamptz NOT NULL DEFAULT '-infinity',
  blocked_until timestamptz NOT NULL DEFAULT '-infinity',
  refusals integer NOT NULL DEFAULT 0 CHECK (refusals >= 0),
  successes integer NOT NULL DEFAULT 0 CHECK (successes >= 0),
  used_at timestamptz NOT NULL
);
COMMENT ON COLUMN host_paces.spacing IS 'Time between requests now: doubled by a refusal, narrowed by success, never under least_spacing.';
COMMENT ON COLUMN host_paces.least_spacing IS 'Ours, or the Crawl-delay of its robots.txt when that is longer.';

CREATE TABLE robots_files (
  host text PRIMARY KEY CHECK (length(host) BETWEEN 1 AND 260),
  fetched_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('found', 'missing', 'unreachable')),
  body text NOT NULL DEFAULT '' CHECK (length(body) <= 600000)
);
COMMENT ON COLUMN robots_files.host IS 'With its port when it is not the usual one.';
COMMENT ON COLUMN robots_files.state IS 'Missing allows everything, unreachable nothing (RFC 9309, section 2.3.1).';

GRANT SELECT ON host_paces, robots_files TO jobtrail_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON host_paces, robots_files TO jobtrail_fleet;
