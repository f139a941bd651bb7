"""Labels of Google's archives: `X-Gmail-Labels`, whose own labels are in the language of the account.

The label of sent mail is called `Sent` whatever it was called, as it tells whose a message is.
"""

import re

from mailsync.parse.headers import Head

SENT = "Sent"
MOST_LABELS = 50
_LONGEST_FIELD = 8000
_LONGEST_LABEL = 225

_LABEL = re.compile(r'\s*(?:"([^"]*)"|([^,]+))')
_MEANS_SENT = frozenset(
    (
        *("sent", "sent mail", "sent messages"),
        *("envoyés", "messages envoyés", "courrier envoyé"),
        *("gesendet", "gesendete nachrichten", "gesendete e-mails"),
        *("enviados", "mensajes enviados", "correos enviados", "correo enviado"),
    )
)


def labels(head: Head) -> tuple[str, ...]:
    """In their order; one with a comma stands in quotes."""
    told = (quoted or bare for quoted, bare in _LABEL.findall(head.text("x-gmail-labels", _LONGEST_FIELD)))
    return tuple(_named(label.strip()[:_LONGEST_LABEL]) for label in told if label.strip())[:MOST_LABELS]


def _named(label: str) -> str:
    return SENT if label.casefold() in _MEANS_SENT else label
