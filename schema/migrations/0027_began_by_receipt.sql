-- Where nobody knows the day of applying, an application counts from its first receipt, unless an answer was there
-- before. Standings written from now on say so by themselves; here those that were written before.
COMMENT ON COLUMN standings.began_at IS
  'For order and counting: when the person applied, of a plain day its first minute; no day known: its first receipt.';
ALTER TABLE standings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE applications NO FORCE ROW LEVEL SECURITY;
ALTER TABLE attachments NO FORCE ROW LEVEL SECURITY;
ALTER TABLE messages NO FORCE ROW LEVEL SECURITY;
ALTER TABLE readings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE events NO FORCE ROW LEVEL SECURITY;
UPDATE standings s SET began_at = found.received_at
  FROM (
    SELECT a.account_id, coalesce(a.merged_into_id, a.id) AS application_id, min(m.sent_at) AS received_at
    FROM attachments t
    JOIN applications a ON a.account_id = t.account_id AND a.id = t.application_id
    JOIN messages m ON m.account_id = t.account_id AND m.id = t.message_id
    CROSS JOIN LATERAL (
      SELECT r.id FROM readings r
      WHERE r.account_id = t.account_id AND r.message_id = t.message_id AND r.undoes_id IS NULL
        AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                        AND u.message_id = r.message_id AND u.undoes_id = r.id)
      ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c
    JOIN events e ON e.account_id = t.account_id AND e.message_id = t.message_id AND e.reading_id = c.id
    WHERE e.kind = 'acknowledgement'
    GROUP BY 1, 2) found
  WHERE s.account_id = found.account_id AND s.application_id = found.application_id AND s.began_at IS NULL
    AND (s.answered_at IS NULL OR s.answered_at >= found.received_at);
ALTER TABLE standings FORCE ROW LEVEL SECURITY;
ALTER TABLE applications FORCE ROW LEVEL SECURITY;
ALTER TABLE attachments FORCE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
ALTER TABLE readings FORCE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
