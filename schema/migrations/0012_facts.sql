-- When something happens is not by when something is due, and what stands under a signature mark is a part of its own.
ALTER TABLE facts DROP CONSTRAINT facts_name_check;
ALTER TABLE facts ADD CONSTRAINT facts_name_check CHECK (name IN ('employer', 'role', 'requisition', 'posting_url',
  'board', 'tenant', 'platform', 'place', 'contact', 'deadline', 'appointment'));
ALTER TABLE facts DROP CONSTRAINT facts_span_source_check;
ALTER TABLE facts ADD CONSTRAINT facts_span_source_check
  CHECK (span_source IN ('subject', 'text', 'header', 'signature', 'calendar'));
ALTER TABLE events DROP CONSTRAINT events_span_source_check;
ALTER TABLE events ADD CONSTRAINT events_span_source_check
  CHECK (span_source IN ('subject', 'text', 'header', 'signature', 'calendar'));
ALTER TABLE evidence DROP CONSTRAINT evidence_span_source_check;
ALTER TABLE evidence ADD CONSTRAINT evidence_span_source_check
  CHECK (span_source IN ('subject', 'text', 'header', 'signature', 'calendar'));
