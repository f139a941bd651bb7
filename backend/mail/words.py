"""What the codes of mail mean, in plain words: troubles of a sync, and why something was set aside. Pure."""

_ASIDE: dict[str, str] = {
    "message_too_large": "A message larger than 50 MB",
    "message_undecodable": "A message that Google sent damaged",
    "unparseable": "A message on which Jobtrail made a mistake; the log says more",
    "fetch_never_ended": "A message during which the reading broke off again and again",
    "not_an_mbox": "A file that calls itself .mbox and is none",
    "member_encrypted": "A file locked with a password",
    "member_unreadable": "A file that cannot be unpacked",
    "member_damaged": "A damaged file",
}
_TROUBLES: dict[str, str] = {
    "quota_exhausted": "Google asked for a pause: more was read than it allows in a minute.",
    "daily_quota_exhausted": "Google's allowance for today is used up.",
    "gmail_unavailable": "Gmail had a trouble of its own.",
    "gmail_unreachable": "Gmail could not be reached.",
    "gmail_api_disabled": "The Gmail API is not enabled in the Google project of the OAuth client.",
    "request_refused": "Gmail did not accept a request; the search it is narrowed to may be the cause.",
    "token_refused": "Gmail did not accept the key of this connection for a moment.",
    "not_found": "Gmail did not find what was asked for.",
    "consent_unreachable": "Google's sign-in could not be reached.",
    "consent_client_refused": "Google does not accept the ID or the secret of the OAuth client.",
    "no_oauth_client": "There is no OAuth client any more.",
    "program_fault": "Jobtrail made a mistake; the log says more.",
    "oauth_address_unsafe": "An address of Google in the settings is not encrypted.",
    "proxy_unusable": "The network proxy of this machine cannot be used.",
    "key_unknown": "The key that the access was sealed with is missing on this machine.",
    "keys_unusable": "The keys for stored secrets cannot be used on this machine.",
    "secret_damaged": "The stored access cannot be read any more: connect again.",
    "grant_lost": "Google no longer honours the access.",
    "scope_declined": "Google does not let Jobtrail read the mail of this account.",
}


def told_aside(code: str) -> str:
    return _ASIDE.get(code, code.replace("_", " ").capitalize())


def told_trouble(code: str) -> str:
    return _TROUBLES.get(code, f"Something went wrong ({code.replace('_', ' ')}).")
