"""One line an event, readable alone; no traceback message gets through, whoever logs it."""

import io
import json
import logging
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog

from schema import logs
from schema.settings import LogSettings

CANARY = "canary-7f3a-secret"


@pytest.fixture(autouse=True)
def put_back() -> Generator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    for handler in set(root.handlers) - set(handlers):
        handler.close()
    root.handlers, root.level = handlers, level


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


def lines(out: io.StringIO) -> list[dict]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_an_event_is_one_line_of_json_with_its_fields(out: io.StringIO):
    logs.configure(LogSettings(format="json"), out)
    logs.logger("mail").info("import finished", messages=3)
    (line,) = lines(out)
    assert (line["event"], line["part"], line["messages"], line["level"]) == (
        "import finished",
        "mail",
        3,
        "info",
    )
    assert line["timestamp"].endswith("Z")


def test_text_for_people_has_the_same_content(out: io.StringIO):
    logs.configure(LogSettings(format="text"), out)
    logs.logger("mail").warning("import stopped", messages=3)
    assert "import stopped" in out.getvalue()
    assert "messages=3" in out.getvalue()


def test_the_level_is_a_threshold(out: io.StringIO):
    logs.configure(LogSettings(format="json", level="warning"), out)
    logs.logger("x").info("quiet")
    logs.logger("x").warning("loud")
    assert [line["event"] for line in lines(out)] == ["loud"]


def test_a_logger_made_before_the_setup_follows_it(out: io.StringIO):
    early = logs.logger("early")
    logs.configure(LogSettings(format="json"), out)
    early.info("late word")
    assert lines(out)[0]["event"] == "late word"


def test_a_librarys_traceback_is_told_without_its_message(out: io.StringIO):
    logs.configure(LogSettings(format="json"), out)
    try:
        raise ValueError(CANARY)
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    (line,) = lines(out)
    assert "ValueError at test_logs.py" in line["fault"]
    assert CANARY not in out.getvalue()


def test_a_librarys_chatter_below_warning_is_not_written(out: io.StringIO):
    logs.configure(LogSettings(format="json", level="debug"), out)
    logging.getLogger("httpx2").info("GET https://example.org/?token=%s", CANARY)
    assert not out.getvalue()


def test_line_breaks_in_a_value_stay_within_the_line(out: io.StringIO):
    logs.configure(LogSettings(format="json"), out)
    logs.logger("x").info("event", name="a\nb")
    assert len(out.getvalue().splitlines()) == 1


def test_with_a_file_the_terminal_keeps_to_warnings(out: io.StringIO, tmp_path: Path):
    file = tmp_path / "log" / "api.log"
    logs.configure(LogSettings(format="json", file=str(file)), out)
    assert (file.parent.stat().st_mode & 0o077, file.stat().st_mode & 0o777) == (0, 0o600)
    logs.logger("http").info("request", status=200)
    logs.logger("http").warning("lost the database")
    assert [line["event"] for line in lines(out)] == ["lost the database"]
    written = [json.loads(line)["event"] for line in file.read_text().splitlines()]
    assert written == ["request", "lost the database"]
