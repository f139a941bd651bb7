"""Migrating: once, in order, by many at once; and the three refusals."""

import multiprocessing
import shutil
from pathlib import Path

import psycopg
import pytest
from fixtures.database import at

from schema.migrate import FOLDER, SchemaRefused, files, migrate, require_current


@pytest.fixture
def url(server_url: str, scratch_database: str) -> str:
    return at(server_url, scratch_database)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "migrations"
    shutil.copytree(FOLDER, copy)
    return copy


def test_a_second_run_has_nothing_to_do(url: str):
    assert migrate(url) == [migration.name for migration in files()]
    assert migrate(url) == []
    require_current(url)


def test_four_processes_starting_at_once_apply_each_file_once(url: str):
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        applied = pool.map(migrate, [url] * 4)
    assert sorted(len(names) for names in applied) == [0, 0, 0, len(files())]


def test_an_empty_database_is_not_current(url: str):
    with pytest.raises(SchemaRefused, match="is empty"):
        require_current(url)


def test_an_edited_file_is_refused_by_name(url: str, folder: Path):
    migrate(url, folder)
    edited = folder / files()[1].name
    edited.write_text(edited.read_text() + "-- a later thought\n")
    with pytest.raises(SchemaRefused, match=f"{edited.name} was edited"):
        migrate(url, folder)


def test_a_missing_file_is_refused_by_name(url: str, folder: Path):
    migrate(url, folder)
    second = folder / files()[1].name
    second.rename(folder / "0002_another.sql")
    with pytest.raises(SchemaRefused, match=f"{second.name} was applied"):
        migrate(url, folder)


def test_a_gap_in_the_numbers_is_refused(folder: Path, url: str):
    (folder / files()[1].name).unlink()
    with pytest.raises(SchemaRefused, match="should be called 0002_"):
        migrate(url, folder)


def test_a_newer_database_is_lived_with_and_never_migrated(url: str, folder: Path):
    newer = folder / f"{len(files()) + 1:04d}_tomorrow.sql"
    newer.write_text("CREATE TABLE tomorrow (id bigint);")
    migrate(url, folder)
    require_current(url)
    with pytest.raises(SchemaRefused, match="newer than this program"):
        migrate(url)


def test_an_older_database_is_not_current(url: str, folder: Path):
    migrate(url)
    newer = folder / f"{len(files()) + 1:04d}_tomorrow.sql"
    newer.write_text("CREATE TABLE tomorrow (id bigint);")
    with pytest.raises(SchemaRefused, match=newer.name):
        require_current(url, folder)


def test_a_failing_file_leaves_nothing_half_done(url: str, folder: Path):
    broken = folder / f"{len(files()) + 1:04d}_broken.sql"
    broken.write_text("CREATE TABLE half (id bigint); SELECT 1 / 0;")
    with pytest.raises(psycopg.errors.DivisionByZero):
        migrate(url, folder)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT to_regclass('half')").fetchone() == (None,)
        assert connection.execute("SELECT count(*) FROM schema_migrations").fetchone() == (len(files()),)


def test_an_index_can_be_built_concurrently_while_others_wait_for_the_lock(url: str, folder: Path):
    concurrent = folder / f"{len(files()) + 1:04d}_concurrent.sql"
    concurrent.write_text(
        "-- no transaction\nCREATE INDEX CONCURRENTLY sources_company ON sources (company);"
    )
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        applied = pool.starmap(migrate, [(url, folder)] * 4)
    assert sorted(len(names) for names in applied) == [0, 0, 0, len(files()) + 1]
