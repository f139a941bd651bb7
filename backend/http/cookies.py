"""The two cookies and their flags. Over https they carry `__Host-`, so that no neighbour can set them."""

from litestar.datastructures import Cookie

from backend.http import flash
from backend.http.requests import Req

SESSION = "jobtrail_session"
_FOR_EVER_SECONDS = 400 * 86400
"""Browsers cap it there; how long a session really lasts is decided by its row."""
_TOKEN_MAX = 100


def name(plain: str, *, secure: bool) -> str:
    return f"__Host-{plain}" if secure else plain


def of_session(token: str, *, secure: bool) -> Cookie:
    return _cookie(SESSION, token, _FOR_EVER_SECONDS, secure=secure)


def of_flash(sealed: str, *, secure: bool) -> Cookie:
    return _cookie(flash.COOKIE, sealed, flash.LIFE_SECONDS, secure=secure)


def dropped(plain: str, *, secure: bool) -> Cookie:
    return _cookie(plain, "", 0, secure=secure)


def token_of(request: Req, *, secure: bool) -> str | None:
    """The session token a request carries, when it can be one."""
    token = request.cookies.get(name(SESSION, secure=secure))
    return token if token and len(token) <= _TOKEN_MAX else None


def _cookie(plain: str, value: str, seconds: int, *, secure: bool) -> Cookie:
    return Cookie(
        key=name(plain, secure=secure),
        value=value,
        max_age=seconds,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )
