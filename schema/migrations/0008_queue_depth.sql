-- The queue at full depth (docs/queue.md): rows that must wait stand apart from rows that may be claimed, work
-- is claimed by lanes, and what happened to a task beside its own columns has a log.

ALTER TABLE tasks
  ADD COLUMN due boolean NOT NULL DEFAULT true,
  ADD COLUMN lane bigint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN account_id IS NULL AND host IS NULL THEN 0
         ELSE hashtextextended(coalesce(account_id::text, '') || ' ' || coalesce(host, ''), 0) END) STORED;
COMMENT ON COLUMN tasks.due IS 'False while not_before lies ahead; a sweep turns it true. Waiting rows never stand in front of a claim.';
COMMENT ON COLUMN tasks.lane IS 'One account and one host: claims take turns between lanes and step over a closed one.';
-- Every change of status writes a new row version; room on the page keeps both and their log record small.
ALTER TABLE tasks SET (fillfactor = 50, autovacuum_vacuum_cost_delay = 0);

-- Few indexes: each one left out here is a write saved twice a task. Retention walks the primary key.
DROP INDEX tasks_ready;
DROP INDEX tasks_finished;
DROP INDEX tasks_account;
DROP INDEX tasks_children;
CREATE INDEX tasks_ready ON tasks (kind, priority, lane, id) WHERE status = 'pending' AND due;
CREATE INDEX tasks_scheduled ON tasks (kind, not_before) WHERE status = 'pending' AND NOT due;
CREATE INDEX tasks_apart ON tasks (kind, id) WHERE status IN ('waiting', 'awaiting_batch');
CREATE INDEX tasks_account ON tasks (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX tasks_children ON tasks (parent_id, status) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX tasks_replay ON tasks (replay_of_id) WHERE replay_of_id IS NOT NULL;

ALTER TABLE workers
  ADD COLUMN digest text NOT NULL DEFAULT '',
  ADD COLUMN slots integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN workers.digest IS 'Digest of the image it runs from, when it runs from one.';

-- Tries that did not end well, and what people did. A good end needs no line: the task's row says it.
CREATE TABLE task_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task_id bigint NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event text NOT NULL CHECK (event IN ('retried', 'failed', 'lost', 'parked', 'resumed', 'split', 'cancelled', 'replayed')),
  attempt smallint NOT NULL,
  worker uuid,
  code text CHECK (code ~ '^[a-z0-9_]{1,100}$'),
  actor text CHECK (length(btrim(actor)) BETWEEN 1 AND 200),
  reason text CHECK (length(btrim(reason)) BETWEEN 1 AND 500),
  CONSTRAINT a_person_gives_a_reason CHECK ((actor IS NULL) = (reason IS NULL)),
  CONSTRAINT people_cancel_and_replay CHECK (event IN ('cancelled', 'replayed') OR actor IS NULL)
);
CREATE INDEX task_events_task ON task_events (task_id, id);
GRANT SELECT, INSERT, DELETE ON task_events TO jobtrail_fleet;

-- Lineages an operator closed for good: out of the queue, so that a kind can be retired, and still explained.
CREATE TABLE task_archive (
  id bigint PRIMARY KEY,
  account_id bigint REFERENCES accounts (id) ON DELETE CASCADE,
  kind text NOT NULL,
  lineage bigint NOT NULL,
  task jsonb NOT NULL CHECK (jsonb_typeof(task) = 'object'),
  events jsonb NOT NULL CHECK (jsonb_typeof(events) = 'array'),
  archived_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL CHECK (length(btrim(actor)) BETWEEN 1 AND 200),
  reason text NOT NULL CHECK (length(btrim(reason)) BETWEEN 1 AND 500)
);
CREATE INDEX task_archive_account ON task_archive (account_id);
CREATE INDEX task_archive_lineage ON task_archive (lineage);
ALTER TABLE task_archive ENABLE ROW LEVEL SECURITY;
ALTER TABLE task_archive FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON task_archive TO jobtrail_app USING (account_id = jobtrail_account());
CREATE POLICY fleet ON task_archive TO jobtrail_fleet USING (true) WITH CHECK (true);
GRANT SELECT ON task_archive TO jobtrail_app;
GRANT SELECT, INSERT ON task_archive TO jobtrail_fleet;

-- What an outside host allows the workers of one network: a circuit, and a pace.
CREATE TABLE host_budgets (
  host text CHECK (length(host) BETWEEN 1 AND 253),
  egress_group text CHECK (length(egress_group) BETWEEN 1 AND 100),
  spacing interval NOT NULL DEFAULT '0' CHECK (spacing >= '0'),
  next_at timestamptz NOT NULL DEFAULT '-infinity',
  refusals integer NOT NULL DEFAULT 0 CHECK (refusals >= 0),
  closed_until timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (host, egress_group)
);
COMMENT ON COLUMN host_budgets.spacing IS 'Least time between the starts of two tasks for this host.';
COMMENT ON COLUMN host_budgets.refusals IS 'Passing troubles in a row; enough of them close the circuit until closed_until.';
GRANT SELECT, INSERT, UPDATE, DELETE ON host_budgets TO jobtrail_fleet;

-- The last cycle of each tick that was asked for: any number of processes may tick, one row of work results.
CREATE TABLE task_ticks (
  kind text PRIMARY KEY,
  cycle bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON task_ticks TO jobtrail_fleet;
