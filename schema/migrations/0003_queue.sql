-- The work queue (docs/queue.md). One row is one piece of work; the schema refuses impossible rows.
CREATE TABLE workers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  release text NOT NULL,
  egress_group text NOT NULL DEFAULT 'default',
  kinds text[] NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  stopped_at timestamptz
);

CREATE TABLE tasks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+\.v[1-9][0-9]*$'),
  payload jsonb NOT NULL CHECK (jsonb_typeof(payload) = 'object'),
  dedupe_key text CHECK (length(dedupe_key) BETWEEN 1 AND 300),
  parent_id bigint REFERENCES tasks (id) ON DELETE CASCADE,
  priority smallint NOT NULL DEFAULT 100 CHECK (priority BETWEEN 0 AND 1000),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'running', 'waiting', 'awaiting_batch', 'done', 'failed', 'cancelled')),
  attempts smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  max_attempts smallint NOT NULL CHECK (max_attempts >= 1),
  claim_seq bigint NOT NULL DEFAULT 0 CHECK (claim_seq >= 0),
  worker uuid,
  lease_expires_at timestamptz,
  not_before timestamptz NOT NULL DEFAULT '-infinity',
  host text CHECK (length(host) BETWEEN 1 AND 253),
  progress jsonb CHECK (jsonb_typeof(progress) = 'object'),
  progress_at timestamptz,
  outcome text CHECK (outcome ~ '^[a-z0-9_]{1,100}$'),
  failure_code text CHECK (failure_code ~ '^[a-z0-9_]{1,100}$'),
  replay_of_id bigint REFERENCES tasks (id),
  root_id bigint REFERENCES tasks (id),
  actor text CHECK (length(btrim(actor)) BETWEEN 1 AND 200),
  reason text CHECK (length(btrim(reason)) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  CONSTRAINT leased_exactly_while_running
    CHECK ((status = 'running') = (worker IS NOT NULL) AND (worker IS NULL) = (lease_expires_at IS NULL)),
  CONSTRAINT running_was_claimed CHECK (status <> 'running' OR (claim_seq > 0 AND started_at IS NOT NULL)),
  CONSTRAINT finished_exactly_at_an_end
    CHECK ((status IN ('done', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
  CONSTRAINT outcome_exactly_when_done CHECK ((status = 'done') = (outcome IS NOT NULL)),
  CONSTRAINT code_exactly_when_failed CHECK ((status = 'failed') = (failure_code IS NOT NULL)),
  CONSTRAINT progress_has_its_time CHECK ((progress IS NULL) = (progress_at IS NULL)),
  CONSTRAINT replay_is_whole
    CHECK (num_nonnulls(replay_of_id, root_id, actor, reason) IN (0, 4) AND replay_of_id <> id AND root_id <> id),
  CONSTRAINT not_its_own_parent CHECK (parent_id <> id)
);
COMMENT ON COLUMN tasks.claim_seq IS 'The fence: raised by every claim; a write with an older number changes nothing.';
COMMENT ON COLUMN tasks.attempts IS 'Tries; a release at shutdown or a deferral gives one back. Never the fence.';

CREATE UNIQUE INDEX tasks_dedupe ON tasks (account_id, dedupe_key) NULLS NOT DISTINCT
  WHERE dedupe_key IS NOT NULL AND status IN ('pending', 'running', 'waiting', 'awaiting_batch');
CREATE INDEX tasks_ready ON tasks (kind, priority, id) WHERE status = 'pending';
CREATE INDEX tasks_leases ON tasks (lease_expires_at) WHERE status = 'running';
CREATE INDEX tasks_children ON tasks (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_finished ON tasks (finished_at) WHERE status IN ('done', 'cancelled');
CREATE INDEX tasks_failed ON tasks (kind, id) WHERE status = 'failed';
CREATE INDEX tasks_account ON tasks (account_id, id);
CREATE UNIQUE INDEX tasks_lineage ON tasks (root_id)
  WHERE root_id IS NOT NULL AND status IN ('pending', 'running', 'waiting', 'awaiting_batch', 'done');
ALTER TABLE tasks SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

ALTER TABLE tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE tasks FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON tasks TO jobtrail_app
  USING (account_id = jobtrail_account()) WITH CHECK (account_id = jobtrail_account());
CREATE POLICY fleet ON tasks TO jobtrail_fleet USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON tasks TO jobtrail_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON tasks TO jobtrail_fleet;
GRANT SELECT, INSERT, UPDATE, DELETE ON workers TO jobtrail_fleet;
