"""Error bodies as Google writes them, each under the name a test asks for it by."""

from collections.abc import Callable
from datetime import UTC, datetime

from emulators.gmail.wire import Answer, as_json, page

BUSY = (
    "<!DOCTYPE html><html lang=en><title>Error {0} (Server Error)!!1</title><p><b>{0}.</b> That's an error."
)
PER_MINUTE = (
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service"
    " 'gmail.googleapis.com' for consumer 'project_number:1081563000000'."
)
NO_TOKEN = (
    "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie"
    " or other valid authentication credential."
)
BAD_TOKEN = NO_TOKEN.replace("is missing required", "had invalid")


class Refused(Exception):
    """Carries the answer that ends a call early."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def refusal(
    status: int,
    message: str,
    reason: str,
    state: str,
    *,
    domain: str = "global",
    detail: str = "",
    **place: str,
) -> Answer:
    """Both of Google's shapes at once: `errors[].reason` of old and `status` with details of new."""
    error: dict[str, object] = {
        "code": status,
        "message": message,
        "errors": [{"message": message, "domain": domain, "reason": reason, **place}],
        "status": state,
    }
    if detail:
        kind = "type.googleapis.com/google.rpc.ErrorInfo"
        error["details"] = [{"@type": kind, "reason": detail, "domain": "googleapis.com"}]
    return as_json({"error": error}, status)


def invalid(message: str) -> Answer:
    return refusal(400, message, "invalidArgument", "INVALID_ARGUMENT")


def not_found() -> Answer:
    return refusal(404, "Requested entity was not found.", "notFound", "NOT_FOUND")


def unknown_address() -> Answer:
    return page(BUSY.format(404), 404)


def unauthorized(*, missing: bool = False) -> Answer:
    answer = refusal(
        401,
        NO_TOKEN if missing else BAD_TOKEN,
        "required" if missing else "authError",
        "UNAUTHENTICATED",
        location="Authorization",
        locationType="header",
    )
    fault = "" if missing else ', error="invalid_token"'
    answer.headers["WWW-Authenticate"] = f'Bearer realm="https://accounts.google.com/"{fault}'
    return answer


def insufficient(message: str = "Request had insufficient authentication scopes.") -> Answer:
    detail = "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    answer = refusal(403, message, "insufficientPermissions", "PERMISSION_DENIED", detail=detail)
    answer.headers["WWW-Authenticate"] = (
        'Bearer realm="https://accounts.google.com/", error="insufficient_scope"'
    )
    return answer


def delegation_denied(user: str) -> Answer:
    return refusal(403, f"Delegation denied for {user}", "forbidden", "PERMISSION_DENIED")


def disabled() -> Answer:
    message = "Gmail API has not been used in project 1081563000000 before or it is disabled."
    return refusal(
        403,
        message,
        "accessNotConfigured",
        "PERMISSION_DENIED",
        domain="usageLimits",
        detail="SERVICE_DISABLED",
    )


def _limit(status: int, message: str, reason: str, detail: str = "") -> Answer:
    state = "RESOURCE_EXHAUSTED" if status == 429 else "PERMISSION_DENIED"
    return refusal(status, message, reason, state, domain="usageLimits", detail=detail)


def retry_at(now: float, wait: float) -> Answer:
    """The shape whose only hint is an instant inside the message."""
    until = datetime.fromtimestamp(now + wait, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return _limit(429, f"User-rate limit exceeded.  Retry after {until}", "rateLimitExceeded")


# What a call may be refused with on request; each takes the clock's now.
NAMED: dict[str, Callable[[float], Answer]] = {
    "per_minute": lambda _: _limit(403, PER_MINUTE, "rateLimitExceeded", "RATE_LIMIT_EXCEEDED"),
    "user_rate": lambda _: _limit(403, "User Rate Limit Exceeded", "userRateLimitExceeded"),
    "concurrent": lambda _: _limit(429, "Too many concurrent requests for user.", "rateLimitExceeded"),
    "exhausted": lambda _: _limit(
        429, "Resource has been exhausted (e.g. check quota).", "rateLimitExceeded"
    ),
    "retry_at": lambda now: retry_at(now, 60),
    "daily": lambda _: _limit(403, "Daily Limit Exceeded", "dailyLimitExceeded"),
    "quota": lambda _: _limit(403, "Quota exceeded.", "quotaExceeded"),
    "unauthorized": lambda _: unauthorized(),
    "insufficient": lambda _: insufficient(),
    "disabled": lambda _: disabled(),
    "not_found": lambda _: not_found(),
    "precondition": lambda _: refusal(
        400, "Precondition check failed.", "failedPrecondition", "FAILED_PRECONDITION"
    ),
    "backend": lambda _: refusal(500, "Internal error encountered.", "backendError", "INTERNAL"),
    "unavailable": lambda _: refusal(
        503, "The service is currently unavailable.", "backendError", "UNAVAILABLE"
    ),
    "html_500": lambda _: page(BUSY.format(500), 500),
    "html_502": lambda _: page(BUSY.format(502), 502),
    "html_503": lambda _: page(BUSY.format(503), 503),
    "not_json": lambda _: Answer(200, b"<html>Sign in to the hotel network</html>", "text/html"),
    "invalid_grant": lambda _: as_json(
        {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}, 400
    ),
    "invalid_client": lambda _: as_json(
        {"error": "invalid_client", "error_description": "Unauthorized"}, 401
    ),
}
