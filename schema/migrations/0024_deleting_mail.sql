-- Deleting a row asks for the rows that point at it; without an index each asking reads the account's whole table.
-- So deleting the mail of one mailbox took as long for each message as the account has mail.
CREATE INDEX matches_decision ON matches (account_id, decision_id);
CREATE INDEX events_reading ON events (account_id, reading_id);
CREATE INDEX facts_reading ON facts (account_id, reading_id);
CREATE INDEX acts_message ON acts (account_id, message_id) WHERE message_id IS NOT NULL;

-- What was filled for an application: its page asks, and so does everything that takes an application back.
CREATE INDEX fills_application ON fills (account_id, application_id) WHERE application_id IS NOT NULL;
