"""Everything that goes wrong, as an answer: one table from kind to status, one form for each audience.

Programs get `application/problem+json` (RFC 9457) with a stable code; people on a page get a calm page saying
what happened, what was kept and what to do. An unexpected fault is logged once, here, without its message.
"""

from http import HTTPStatus
from typing import cast

import msgspec
import psycopg
import structlog
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE

from backend.http.refusals import Malformed, TookTooLong, TooLarge
from pipeline.worker.operations.refusals import TaskRefused
from schema.errors import Invalid, Kind, Missing, Refusal
from schema.faults import told
from schema.logs import logger
from schema.requests import AlreadyUnderWay

STATUS: dict[Kind, int] = {
    "invalid": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "missing": 404,
    "conflict": 409,
    "gone": 410,
    "too_large": 413,
    "unsupported": 415,
    "busy": 423,
    "too_many": 429,
    "unavailable": 503,
}
MEDIA_TYPE = "application/problem+json"
LOG = logger("http")


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """RFC 9457, with the stable code, the field or the task it is about, and the request's id for the log."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    field: str | None = None
    retry_after_seconds: int | None = None
    task_id: int | None = None
    request_id: str = ""


class Unexpected(Refusal):
    """Something went wrong here; it was written to the log."""

    code = "internal_error"


class WrongMethod(Refusal):
    """This address does not know that method."""

    code = "method_not_allowed"


def problem_of(error: BaseException) -> Problem:
    """The answer to `error`; logs it when nobody expected it."""
    if isinstance(error, Refusal):
        return of_refusal(error)
    if isinstance(error, HTTPException):
        return _of_litestar(error)
    if isinstance(error, psycopg.errors.QueryCanceled):
        return of_refusal(TookTooLong())
    if isinstance(error, RecursionError):  # the decoder's own limit: a body of a hundred thousand brackets
        return of_refusal(Malformed("What was sent is nested too deeply."))
    LOG.error("unexpected fault", fault=told(error))
    return of_refusal(Unexpected(), HTTPStatus.INTERNAL_SERVER_ERROR)


def of_refusal(refusal: Refusal, status: int | None = None) -> Problem:
    return Problem(
        type=f"urn:jobtrail:problem:{refusal.code}",
        title=refusal.title(),
        status=status or STATUS[refusal.kind],
        detail=refusal.detail,
        code=refusal.code,
        field=refusal.field,
        retry_after_seconds=refusal.retry_after_seconds,
        task_id=_task_of(refusal),
        request_id=request_id(),
    )


def _task_of(refusal: Refusal) -> int | None:
    """The task that does already what was asked for, or that stands in the way."""
    match refusal:
        case AlreadyUnderWay():
            return refusal.task_id
        case TaskRefused():
            return refusal.blocking_id
        case _:
            return None


def headers_of(problem: Problem, error: BaseException | None = None) -> dict[str, str]:
    headers: dict[str, str] = {}
    if isinstance(error, MethodNotAllowedException):
        allowed: dict[str, str] = error.headers or {}
        headers.update({name: value for name, value in allowed.items() if name.lower() == "allow"})
    if problem.retry_after_seconds is not None:
        headers["Retry-After"] = str(problem.retry_after_seconds)
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Session realm="jobtrail"'
    return headers


def request_id() -> str:
    bound = structlog.contextvars.get_contextvars()
    return str(bound.get("request_id", ""))


def _of_litestar(error: HTTPException) -> Problem:
    match error:
        case NotFoundException():
            refusal: Refusal = Missing()
        case MethodNotAllowedException():
            return of_refusal(WrongMethod(), error.status_code)
        case ValidationException():
            refusal = _invalid(error)
        case ClientException() if error.status_code == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
            refusal = TooLarge()
        case ClientException():
            refusal = Malformed()
        case _ if "disconnected" in error.detail:
            refusal = Malformed("The sender hung up before the end.")
        case _:
            LOG.error("unexpected fault", fault=told(error.__cause__ or error))
            return of_refusal(Unexpected(), HTTPStatus.INTERNAL_SERVER_ERROR)
    return of_refusal(refusal)


def _invalid(error: ValidationException) -> Invalid:
    """The first thing the decoder found, with the field's name; its words quote types, never values."""
    extra: object = error.extra
    first: object = cast("list[object]", extra)[0] if isinstance(extra, list) and extra else {}
    said = cast("dict[str, object]", first) if isinstance(first, dict) else {}
    message, field = str(said.get("message", "")), str(said.get("key", ""))
    return Invalid(message or "The request is not valid.", field=field or None)
