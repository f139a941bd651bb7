-- Reading stored mail again, one pass at a time, and a person's word about many messages at once.
ALTER TABLE messages ADD COLUMN parsed jsonb,
  ADD CONSTRAINT parsed_only_when_kept CHECK (kept = 'whole' OR parsed IS NULL);
COMMENT ON COLUMN messages.parsed IS
  'What reading the message again needs beside the other columns; NULL in rows stored before there was this column.';
CREATE INDEX messages_examined ON messages (account_id, examined_version, id) WHERE kept = 'whole';
CREATE INDEX messages_by_domain ON messages (account_id, (substring(sender_address FROM '[^@]*$')), id DESC)
  WHERE kept <> 'identity';

CREATE TABLE mail_passes (
  account_id bigint PRIMARY KEY DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  holder uuid NOT NULL,
  holder_name text NOT NULL CHECK (length(holder_name) BETWEEN 1 AND 200),
  held_since timestamptz NOT NULL,
  lease_until timestamptz NOT NULL
);
COMMENT ON TABLE mail_passes IS
  'Who reads the stored mail of an account again right now, in the database''s clock. No row: nobody.';

CREATE TABLE corrections (
  account_id bigint NOT NULL DEFAULT jobtrail_account() REFERENCES accounts (id) ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  message_id bigint NOT NULL,
  actor_id bigint NOT NULL,
  domain text NOT NULL CHECK (length(domain) BETWEEN 1 AND 320),
  rule text NOT NULL,
  shape text NOT NULL,
  kinds text[] NOT NULL,
  created_at timestamptz NOT NULL,
  undone_at timestamptz,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, message_id) REFERENCES messages (account_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE corrections IS
  'A person''s word about all messages of a pattern: one sending domain, and one sentence with what varies left out.';
CREATE INDEX corrections_in_force ON corrections (account_id, domain, id DESC) WHERE undone_at IS NULL;
CREATE INDEX corrections_message ON corrections (account_id, message_id);

ALTER TABLE readings ADD COLUMN correction_id bigint,
  ADD FOREIGN KEY (account_id, correction_id) REFERENCES corrections (account_id, id)
    ON DELETE SET NULL (correction_id);
CREATE INDEX readings_correction ON readings (account_id, correction_id) WHERE correction_id IS NOT NULL;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['mail_passes', 'corrections'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I TO jobtrail_app USING (account_id = jobtrail_account())'
                   ' WITH CHECK (account_id = jobtrail_account())', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO jobtrail_app', t);
  END LOOP;
END $$;
