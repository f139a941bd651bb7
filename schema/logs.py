"""How every process writes its log: one line an event, for people or for machines, on standard error.

The event is a sentence that can be read alone; fields carry the numbers. Fields are named by the caller, so
this is no net for content: never hand it a body, a header, a token or mail text. Libraries' own records pass
through the same writer from warning upward, with their message but without their traceback. With a file set,
everything goes there, rotated by size, and standard error shows only what somebody should look at.
"""

import logging
import os
import sys
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from schema.faults import told
from schema.settings import LogSettings

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


_OURS = "jobtrail"
_FILE_BYTES = 10 * 1024 * 1024
_OLD_FILES = 3


def configure(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Set up structlog and the standard library's logging for this process."""
    out = stream or sys.stderr
    level = LEVELS[settings.level]
    console = logging.StreamHandler(out)
    console.setLevel(max(level, logging.WARNING) if settings.file else level)
    console.setFormatter(_formatter(settings, colors=out.isatty()))
    handlers: list[logging.Handler] = [console]
    if settings.file:
        handlers.append(_file(settings))
    structlog.configure(
        processors=[*_shared(settings), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: logging.getLogger(_OURS),
        cache_logger_on_first_use=False,
    )
    logging.getLogger(_OURS).setLevel(level)
    # The pool tells each failed try; who needs the database says once that it is away.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    root = logging.getLogger()
    for handler in root.handlers:
        handler.close()
    root.handlers = handlers
    root.setLevel(max(level, logging.WARNING))


class _PrivateFile(RotatingFileHandler):
    """A new file is its owner's alone; one that is there keeps its mode."""

    def _open(self) -> TextIOWrapper:
        opened = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        return TextIOWrapper(os.fdopen(opened, "ab"), encoding=self.encoding, errors=self.errors)


def _file(settings: LogSettings) -> logging.Handler:
    path = Path(settings.file)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = _PrivateFile(path, maxBytes=_FILE_BYTES, backupCount=_OLD_FILES, encoding="utf-8")
    handler.setFormatter(_formatter(settings, colors=False))
    return handler


def _formatter(settings: LogSettings, *, colors: bool) -> logging.Formatter:
    shared = _shared(settings)
    renderer: Processor = (
        structlog.processors.JSONRenderer(sort_keys=True)
        if settings.format == "json"
        else structlog.dev.ConsoleRenderer(colors=colors)
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*shared, _without_traceback],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    )


def logger(part: str) -> structlog.typing.FilteringBoundLogger:
    """The logger of one part of the program; `part` is its dotted place, such as `http.access`."""
    bound: structlog.typing.FilteringBoundLogger = structlog.get_logger(part=part)
    return bound


def _shared(settings: LogSettings) -> list[Processor]:
    utc = settings.format == "json"
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso" if utc else "%H:%M:%S", utc=utc),
    ]


def _without_traceback(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """A traceback of a library ends in a message that may quote what a person wrote."""
    raised = event.pop("exc_info", None)
    if isinstance(raised, tuple) and isinstance(raised[1], BaseException):
        event["fault"] = told(raised[1])
    return event
