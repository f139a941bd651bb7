-- Moving in and moving out: applications brought in from elsewhere, and an account that leaves whole.

-- A table of applications as it came, until it is applied; then what became of each of its rows.
CREATE TABLE tracker_imports (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 300),
  content bytea CHECK (length(content) <= 5000000),
  mapping jsonb NOT NULL CHECK (jsonb_typeof(mapping) = 'object'),
  state text NOT NULL DEFAULT 'read' CHECK (state IN ('read', 'applying', 'applied', 'undoing', 'undone')),
  rows_total integer NOT NULL CHECK (rows_total >= 0),
  rows_new integer NOT NULL DEFAULT 0 CHECK (rows_new >= 0),
  rows_known integer NOT NULL DEFAULT 0 CHECK (rows_known >= 0),
  rows_refused integer NOT NULL DEFAULT 0 CHECK (rows_refused >= 0),
  rows_kept integer NOT NULL DEFAULT 0 CHECK (rows_kept >= 0),
  created_at timestamptz NOT NULL,
  applied_at timestamptz,
  undone_at timestamptz,
  PRIMARY KEY (account_id, id),
  CONSTRAINT applied_at_some_time CHECK ((state = 'read') = (applied_at IS NULL)),
  CONSTRAINT undone_at_some_time CHECK ((state = 'undone') = (undone_at IS NOT NULL)),
  CONSTRAINT a_file_until_applied CHECK ((state IN ('read', 'applying')) = (content IS NOT NULL))
);
COMMENT ON COLUMN tracker_imports.content IS 'The file as it came, until it is applied.';
COMMENT ON COLUMN tracker_imports.applied_at IS 'When the person had it applied: everything it writes carries this instant.';
COMMENT ON COLUMN tracker_imports.mapping IS 'Which column is what, how its dates and status words are read: as the person left it.';
COMMENT ON COLUMN tracker_imports.rows_kept IS 'Of those it made or completed: touched since, and therefore left alone by the undo.';

CREATE TABLE tracker_rows (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  import_id bigint NOT NULL,
  line integer NOT NULL CHECK (line >= 1),
  outcome text NOT NULL CHECK (outcome IN ('new', 'known', 'refused')),
  identity text CHECK (length(identity) = 64),
  application_id bigint,
  written_at timestamptz,
  replaced jsonb,
  reason text,
  cells text[],
  taken_back boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, import_id, line),
  FOREIGN KEY (account_id, import_id) REFERENCES tracker_imports (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, application_id) REFERENCES applications (account_id, id),
  CONSTRAINT refused_for_a_reason CHECK ((outcome = 'refused') = (reason IS NOT NULL)),
  CONSTRAINT refused_or_an_application CHECK ((outcome = 'refused') = (application_id IS NULL)),
  CONSTRAINT refused_rows_keep_their_cells CHECK ((outcome = 'refused') = (cells IS NOT NULL))
);
COMMENT ON COLUMN tracker_rows.identity IS
  'Hash of employer, title, address, number and day: the same row in a later file is the same application.';
COMMENT ON COLUMN tracker_rows.written_at IS
  'applications.updated_at as the import left it; NULL when the row changed nothing. Another value now: touched since.';
COMMENT ON COLUMN tracker_rows.replaced IS 'What stood in the application that was known already, for taking it back.';
CREATE INDEX tracker_rows_identity ON tracker_rows (account_id, identity) WHERE identity IS NOT NULL;
CREATE INDEX tracker_rows_application ON tracker_rows (account_id, application_id) WHERE application_id IS NOT NULL;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['tracker_imports', 'tracker_rows'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;

-- An account leaves: asked for once, then carried through by a task, however often that is cut short.
ALTER TABLE accounts ADD COLUMN leaving_at timestamptz,
  ADD CONSTRAINT who_leaves_is_out CHECK (leaving_at IS NULL OR disabled_at IS NOT NULL);
COMMENT ON COLUMN accounts.leaving_at IS 'When its deletion was asked for; from then on nobody signs in to it.';
GRANT DELETE ON accounts TO jobtrail_app;
-- The policy of this table also shows the row whose address is presented; that is no right to delete it.
CREATE POLICY leaves_by_itself ON accounts AS RESTRICTIVE FOR DELETE TO jobtrail_app
  USING (id = jobtrail_account() AND leaving_at IS NOT NULL);

-- An installation keeps its owner until the owner's own account leaves; then it asks for a first visit again.
CREATE OR REPLACE FUNCTION jobtrail_owner_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.owner_account_id IS NULL AND EXISTS (
       SELECT FROM accounts WHERE id = OLD.owner_account_id AND id = jobtrail_account() AND leaving_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'an installation keeps its owner' USING ERRCODE = 'check_violation';
END $$;

-- Deleting a row asks for the rows that point at it; without an index each asking reads the account's whole table.
CREATE INDEX readings_undoes ON readings (account_id, undoes_id) WHERE undoes_id IS NOT NULL;
CREATE INDEX match_decisions_replaces ON match_decisions (account_id, replaces_id) WHERE replaces_id IS NOT NULL;
CREATE INDEX match_decisions_undoes ON match_decisions (account_id, undoes_id) WHERE undoes_id IS NOT NULL;
