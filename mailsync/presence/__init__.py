"""Which mail daemons run, for the pages that say so."""
