"""What of an account's rows is taken along: everything, but for what is named here with its reason. Pure.

A column that can hold a secret is left out by its name or type, whichever table it stands in; so a new table
can neither be forgotten nor give a secret away.
"""

import re

from schema.private import PrivateTable

LEFT_OUT: dict[str, str] = {
    "gmail_consents": "One-time secrets of visits to Google that have not come back.",
    "mail_passes": "Which process reads mail again at this moment.",
    "match_keys": "Hashes by which messages are found; made anew from the messages.",
    "pairing_codes": "One-time codes for pairing a browser.",
    "secrets": "Encrypted keys to other services. They are good here only.",
}
"""Tables of which nothing is taken along, and why."""

_SECRET = re.compile(r"(?:^|_)(?:password|token|secret|code|hash|verifier|nonce|ciphertext|key_id)(?:_|$)")
_HARMLESS = {("mail_imports", "failure_code"), ("quarantine", "code"), ("tasks", "failure_code")}
_OURS = {("mail_imports", "path")}
"""Where files lie on this server is nobody's data."""


def is_taken(table: PrivateTable) -> bool:
    return table.name not in LEFT_OUT


def columns_taken(table: PrivateTable) -> list[str]:
    """Without secrets, hashes of them, and bytes: files lie beside the rows as files."""
    return [
        name
        for name, kind in zip(table.columns, table.types, strict=True)
        if kind != "bytea" and (table.name, name) not in _OURS and not _is_secret(table.name, name)
    ]


def _is_secret(table: str, column: str) -> bool:
    return _SECRET.search(column) is not None and (table, column) not in _HARMLESS
