"""The shapes mail arrives in: whole, hard-wrapped, snippets, forwards, leftovers of HTML, parts missing."""

import html
import random
import textwrap
from email.header import Header

import msgspec

_LEFTOVERS = (
    "View in browser",
    "[image: Logo]",
    "Company Logo\n\n\u200c \u200c \u200c",
    "<https://click.example/u/77aa>",
    "* * *",
    "Having trouble viewing this email? Click here.",
    "&nbsp; &nbsp;",
)
_FORWARDS = {
    "en": "---------- Forwarded message ---------\n"
    "From: {sender}\nDate: Tue, 3 Feb 2026\nSubject: {subject}\nTo: me\n",
    "fr": "---------- Message transféré ---------\n"
    "De : {sender}\nDate : mar. 3 févr. 2026\nObjet : {subject}\nÀ : moi\n",
    "de": "---------- Weitergeleitete Nachricht ---------\n"
    "Von: {sender}\nDatum: 3. Feb. 2026\nBetreff: {subject}\nAn: mich\n",
    "es": "---------- Mensaje reenviado ---------\n"
    "De: {sender}\nFecha: 3 feb 2026\nAsunto: {subject}\nPara: mí\n",
}


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A letter before it takes its shape."""

    language: str
    sender: str
    subject: str
    greeting: str
    sentences: list[str]
    statement: str
    closing: str
    team: str
    footer: str
    automatic: bool


def shaped(draft: Draft, chance: random.Random) -> bytes:
    """The letter as a message, LF line ends, UTF-8."""
    drawn = chance.random()
    if drawn < 0.08:
        return _message(
            draft, "", chance.choice((draft.statement, f"{draft.subject}: {draft.statement}")), chance
        )
    if drawn < 0.22:
        return _message(draft, _snippet(draft, chance), draft.subject, chance)
    if drawn < 0.32:
        return _message(draft, _letter(draft, chance), "", chance)
    if drawn < 0.36:
        return _message(draft, _forward(draft, chance), f"Fwd: {draft.subject}", chance)
    if drawn < 0.46:
        return _as_html(draft, chance)
    return _message(draft, _letter(draft, chance), draft.subject, chance)


def _letter(draft: Draft, chance: random.Random) -> str:
    parts = [draft.greeting] if chance.random() < 0.85 else []
    parts += _paragraphs(draft.sentences, chance)
    if chance.random() < 0.8:
        parts.append(f"{draft.closing}\n{draft.team}")
    if draft.footer and chance.random() < 0.35:
        parts.append(draft.footer)
    if chance.random() < 0.12:
        parts.insert(chance.choice((0, len(parts))), chance.choice(_LEFTOVERS))
    text = "\n\n".join(parts)
    return _wrapped(text, chance.choice((60, 72, 76))) if chance.random() < 0.35 else text


def _paragraphs(sentences: list[str], chance: random.Random) -> list[str]:
    """Neighbouring sentences share a paragraph more often than not; those without a stop stand on a line."""
    found: list[str] = []
    for sentence in sentences:
        if found and found[-1][-1:] in ".!?" and chance.random() < 0.55:
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def _wrapped(text: str, width: int) -> str:
    return "\n".join(textwrap.fill(line, width, break_long_words=False) for line in text.split("\n"))


def _snippet(draft: Draft, chance: random.Random) -> str:
    """The first words on one line, as mail programs show them; the statement stays in sight."""
    text = " ".join([draft.greeting, *draft.sentences, draft.closing, draft.team])
    least = text.find(draft.statement) + len(draft.statement)
    return text[: max(least, chance.randrange(120, 260))]


def _forward(draft: Draft, chance: random.Random) -> str:
    head = _FORWARDS[draft.language].format(sender=draft.sender or "x@example.org", subject=draft.subject)
    return f"{head}\n{_letter(draft, chance)}"


def _as_html(draft: Draft, chance: random.Random) -> bytes:
    blocks = "".join(
        f"<tr><td style='padding:4px'>{html.escape(part)}</td></tr>" if chance.random() < 0.5
        else f"<p>{html.escape(part)}</p>"
        for part in _letter(draft, chance).split("\n\n")
    )  # fmt: skip
    page = f"<html><head><style>p{{margin:0}}</style></head><body><table>{blocks}</table></body></html>"
    return _message(draft, page, draft.subject, chance, kind="html")


def _message(draft: Draft, body: str, subject: str, chance: random.Random, *, kind: str = "plain") -> bytes:
    fields = [
        f"From: {_address(draft.sender)}" if draft.sender else "",
        f"Subject: {_encoded(subject)}" if subject else "",
        "Date: Tue, 3 Feb 2026 10:30:00 +0000",
        "List-Unsubscribe: <https://example.org/u>"
        if chance.random() < (0.8 if draft.automatic else 0.15)
        else "",
        f'Content-Type: text/{kind}; charset="utf-8"',
        "Content-Transfer-Encoding: 8bit",
    ]
    return ("\n".join(field for field in fields if field) + "\n\n" + body + "\n").encode()


def _address(sender: str) -> str:
    """The name may carry any letter, the address is plain."""
    name, _, address = sender.partition('" <')
    name = name.removeprefix('"')
    return f'"{name}" <{address}' if name.isascii() else f"{_encoded(name)} <{address}"


def _encoded(text: str) -> str:
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=10_000).encode()
