-- The members of a lineage, found by their root. Deleting a task asks for them once a row (the foreign key), and
-- without this index each asking would read the whole table. Ordinary tasks have no root and no entry here.
CREATE INDEX tasks_root ON tasks (root_id) WHERE root_id IS NOT NULL;
