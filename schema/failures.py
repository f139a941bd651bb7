"""Why a task can end in `failed`: the closed register of codes. Text about a failure goes to the log only."""

FAILURES: dict[str, str] = {
    "attempts_exhausted": "Every try met a passing trouble; the last one is in the log.",
    "child_cancelled": "Work it was split into was cancelled by an operator.",
    "deadline_exceeded": "The handler ran longer than its kind allows.",
    "handler_error": "The handler met a fault of the program.",
    "invalid_payload": "The payload does not fit its kind; the handler was not entered.",
    "lease_expired": "The worker went silent on the last try this task had.",
    "account_stays": "Nobody asked for this account to be deleted; nothing was deleted.",
    "archive_unreadable": "The file is not a mail archive, or cannot be read.",
    "import_missing": "The import was deleted before it ran.",
    "mailbox_connected": "The mailbox was connected again before all its mail was deleted; the rest stays.",
    "model_request_refused": "The model's API refused a request; the log says which kind of refusal.",
    "source_missing": "The source was deleted before it was read.",
    "source_unreadable": "The platform's answer could not be read as a board.",
}


class UnknownFailure(ValueError):
    """A failure code that is not in the register."""


def require_known(code: str) -> str:
    if code not in FAILURES:
        raise UnknownFailure(code)
    return code
