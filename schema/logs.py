"""How every process writes its log: one line an event, for people or for machines, on standard error.

The event is a sentence that can be read alone; fields carry the numbers. Fields are named by the caller, so
this is no net for content: never hand it a body, a header, a token or mail text. Libraries' own records pass
through the same writer from warning upward, with their message but without their traceback.
"""

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from schema.faults import told
from schema.settings import LogSettings

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Set up structlog and the standard library's logging for this process."""
    out = stream or sys.stderr
    shared = _shared(settings)
    structlog.configure(
        processors=[*shared, _renderer(settings, out)],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[settings.level]),
        logger_factory=structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _without_traceback],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(settings, out)],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(max(LEVELS[settings.level], logging.WARNING))


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


def _renderer(settings: LogSettings, out: TextIO) -> Processor:
    if settings.format == "json":
        return structlog.processors.JSONRenderer(sort_keys=True)
    return structlog.dev.ConsoleRenderer(colors=out.isatty())


def _without_traceback(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """A traceback of a library ends in a message that may quote what a person wrote."""
    raised = event.pop("exc_info", None)
    if isinstance(raised, tuple) and isinstance(raised[1], BaseException):
        event["fault"] = told(raised[1])
    return event
