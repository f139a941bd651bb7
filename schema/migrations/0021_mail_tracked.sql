-- Mail is also kept because it names an application the person recorded: who hires, and the title.
ALTER TABLE messages DROP CONSTRAINT messages_kept_because_check;
ALTER TABLE messages ADD CONSTRAINT messages_kept_because_check
  CHECK (kept_because IN ('calendar', 'answers', 'thread', 'writer', 'application'));
COMMENT ON COLUMN messages.kept_because IS
  'calendar: the same invitation as continues_id; answers, thread: a reply to it, its thread; writer: by the same person; application: names one that was recorded.';
