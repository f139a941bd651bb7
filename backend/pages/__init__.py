"""The pages people look at, one file per page; how one is written stands in docs/pages.md."""
