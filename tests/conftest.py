"""Loads the fixtures, one file per theme; `fixtures/database.py` starts the PostgreSQL of the run."""

import gc
from collections.abc import Generator

import pytest
from hypothesis import settings

pytest_plugins = [
    "fixtures.boards",
    "fixtures.internet",
    "fixtures.platforms",
    "fixtures.axe",
    "fixtures.browser",
    "fixtures.command_line",
    "fixtures.database",
    "fixtures.firefox",
    "fixtures.installation",
    "fixtures.npm",
    "fixtures.page_server",
    "fixtures.people",
    "fixtures.samples",
    "fixtures.scripted_boards",
    "fixtures.shared_data",
    "fixtures.worker",
    "fixtures.hatchery",
    "fixtures.chaos",
    "fixtures.own_server",
    "fixtures.backlog",
    "fixtures.queue_rows",
    "fixtures.claimers",
    "fixtures.matching",
    "fixtures.reviewer",
    "fixtures.waiting",
    "fixtures.app",
    "fixtures.gmail",
    "fixtures.gmail_peers",
    "fixtures.mailroom",
    "fixtures.passing",
    "fixtures.mail_daemon",
    "fixtures.language_model",
    "fixtures.drafting",
    "fixtures.review",
    "fixtures.site",
    "fixtures.trackers",
    "fixtures.mail_pages",
]

# The same examples on every run and machine, and no failure because a machine was busy.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: looking through it again and again took a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
