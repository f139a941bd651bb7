"""A refusal as an answer: problem+json for programs, a calm page for people; inside the app and before it."""

from http import HTTPStatus
from urllib.parse import urlsplit

import msgspec
from litestar import Response
from litestar.response import Redirect
from litestar.response.base import ASGIResponse
from litestar.status_codes import HTTP_303_SEE_OTHER

from backend.http import problems
from backend.http.cookies import SESSION, name
from backend.http.parts import Parts, parts_of
from backend.http.problems import Problem
from backend.http.refusals import SignInNeeded
from backend.http.rendering import Chrome
from backend.http.requests import Req

_HTML = "text/html"


class ErrorView(msgspec.Struct, frozen=True, kw_only=True):
    """What the error page says: what happened, what was kept, what to do."""

    problem: Problem
    kept: str
    todo: str


_TODO = {
    400: "Go back, change it, and send it again.",
    403: "If you came here by a link from another site, open Jobtrail itself and try there.",
    404: "The address may be mistyped, or what was there is gone.",
    409: "Go back and load the page again to see how things stand now.",
    413: "Send something smaller.",
    429: "Wait a little, then try again.",
    500: "Try again; if it happens again, the log of the server has the number below.",
    503: "Jobtrail tries to reach its database by itself; load this page again in a moment.",
}


def wants_page(path: str, accept: str) -> bool:
    """Whether a person looks at this answer: an address outside the API, asked for as a page."""
    return not path.startswith("/api/") and _HTML in accept.lower()


def refused(request: Req, error: Exception) -> Response[object]:
    """The app's one exception handler."""
    parts = parts_of(request)
    path, accept = request.url.path, request.headers.get("accept", "")
    if isinstance(error, SignInNeeded) and wants_page(path, accept):
        return _to_the_door(request, parts)
    problem = problems.problem_of(error)
    body, media_type = _body(parts, problem, path, accept, request.method)
    return Response(
        body,
        status_code=problem.status,
        media_type=media_type,
        headers=problems.headers_of(problem, error),
    )


def before_the_app(parts: Parts, error: Exception, path: str, accept: str, method: str) -> ASGIResponse:
    """The same answer for a request that is not let into the app at all."""
    problem = problems.problem_of(error)
    body, media_type = _body(parts, problem, path, accept, method)
    return ASGIResponse(
        body=body,
        status_code=problem.status,
        media_type=media_type,
        headers=problems.headers_of(problem, error),
    )


def _body(parts: Parts, problem: Problem, path: str, accept: str, method: str) -> tuple[bytes, str]:
    if not wants_page(path, accept):
        return msgspec.json.encode(problem), problems.MEDIA_TYPE
    kept = (
        "" if method == "GET" else "Nothing was changed. What you typed is still in the form: go back to it."
    )
    todo = _TODO.get(problem.status, "Go back and try again.")
    view = ErrorView(problem=problem, kept=kept, todo=todo)
    html = parts.renderer.render("error.html", view, Chrome(path=path, now=parts.clock.now()))
    return html.encode(), _HTML


def _to_the_door(request: Req, parts: Parts) -> Response[object]:
    """To the sign-in page, and back here afterwards.

    A strict cookie does not come along when another site links here; then a page of our own asks again.
    """
    if request.headers.get("sec-fetch-site") == "cross-site" and request.method == "GET":
        view = ErrorView(problem=problems.of_refusal(SignInNeeded()), kept="", todo="")
        chrome = Chrome(path=_here(request), now=parts.clock.now())
        html = parts.renderer.render("arrive.html", view, chrome)
        return Response(html, status_code=HTTPStatus.OK, media_type=_HTML)
    if token := request.query_params.get("token"):
        return Redirect("/welcome", status_code=HTTP_303_SEE_OTHER, query_params={"token": token})
    dead = name(SESSION, secure=parts.secure) in request.cookies
    asks = request.method == "GET"
    after = _here(request) if asks else _sent_from(request)
    query = {"next": after} if after not in {"", "/"} else {}
    if not asks:
        query["ended"] = "unsaved"
    elif dead:
        query["ended"] = "1"
    return Redirect("/sign-in", status_code=HTTP_303_SEE_OTHER, query_params=query or None)


def _sent_from(request: Req) -> str:
    """The page of ours that a form was on; empty when the browser does not tell."""
    try:
        came = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return ""
    if came.netloc.lower() != request.headers.get("host", "").lower() or not came.path.startswith("/"):
        return ""
    return f"{came.path}?{came.query}" if came.query else came.path


def _here(request: Req) -> str:
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path
