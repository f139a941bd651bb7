"""What the sender wrote, apart from the history being answered and the signature.

Line by line, each line looked at a fixed number of times. A forwarded original is what the sender sends, so
it stays. Text between quoted lines (an answer inside the history) is the sender's too.
"""

import re

import msgspec

LONGEST_LINE = 1000
MOST_LINES = 5000
"""Behind them only `>` marks history."""
_LONGEST_ATTRIBUTION = 400
_ATTRIBUTION_LINES = 3
_HEADER_BLOCK_LINES = 8
_HEADER_BLOCK_FIELDS = 3

_WROTE = re.compile(
    r"(?:wrote|writes|said|écrit|a écrit|schrieb(?: [^:]{0,160})?|escribió|ha scritto|escreveu|schreef|skrev"
    r"|написал|pisze|napisał(?:\(a\))?)\s*:?\s*$",
    re.IGNORECASE,
)
_ATTRIBUTION_START = re.compile(
    r"(?:on|am|le|el|il|em|op|den|dnia|w dniu)\b.{0,40}\d|-{0,4}\s*on\b.{0,40}\d"
    r"|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b|<?[^<>\s]+@",
    re.IGNORECASE,
)
# Whatever the language: an instant, an address and a colon at the end.
_INSTANT_AND_ADDRESS = re.compile(r"\d{1,2}:\d{2}\b[^<>]{0,120}<[^<>\s@]{1,64}@[^<>\s]{1,120}>\W{0,8}:\s*$")
_ORIGINAL = re.compile(
    r"[-_*\s]{2,}(?:original message|original appointment|message d'origine|ursprüngliche nachricht"
    r"|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht)[-_*\s]{2,}$",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"(?:[-_*>\s]*(?:forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado)"
    r"[-_*:\s]*|\s*begin forwarded message:?\s*)$",
    re.IGNORECASE,
)
_FROM_FIELD = re.compile(r"[*\s]*(?:from|von|de|da|van|от)\s?[*\s]*:[*\s]*\S", re.IGNORECASE)
_FIELD = re.compile(
    r"[*\s]*(?:from|von|de|da|van|sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|objet|à|enviado|fecha|para|asunto"
    r"|inviato|data|oggetto|reply-to|от|отправлено|дата|кому|тема)\s?[*\s]*:",
    re.IGNORECASE,
)
_MOBILE = re.compile(
    r"(?:sent|get|envoyé|gesendet|enviado)\s+(?:from|with|via|de|depuis|von|desde)\s+"
    r"(?:(?:my|mon|meinem|mi|the)\s+)?[\w' -]{2,40}$",
    re.IGNORECASE,
)
_FORWARD_SUBJECT = re.compile(r"\s*(?:fwd?|tr|wg|rv|enc)\s*:", re.IGNORECASE)
_RULE = re.compile(r"[-_=*\s]*")
_BLANKS = re.compile(r"\n{3,}")


class Separated(msgspec.Struct, frozen=True, kw_only=True):
    written: str
    quoted: str
    signature: str
    is_forward: bool


def separate(text: str, subject: str = "") -> Separated:
    lines = text.split("\n")
    written, quoted, is_forward = _history(lines, forwarding=bool(_FORWARD_SUBJECT.match(subject)))
    body, signature = _signature(written)
    return Separated(
        written=_tidy(body), quoted=_tidy(quoted), signature=_tidy(signature), is_forward=is_forward
    )


def _tidy(lines: list[str]) -> str:
    last = len(lines)
    while last and _RULE.fullmatch(lines[last - 1][:LONGEST_LINE]):
        last -= 1
    return _BLANKS.sub("\n\n", "\n".join(lines[:last])).strip("\n ")


def _history(lines: list[str], *, forwarding: bool) -> tuple[list[str], list[str], bool]:
    """Written lines, quoted lines, and whether the rest is a forwarded original."""
    written: list[str] = []
    quoted: list[str] = []
    position = 0
    while position < len(lines):
        line = lines[position][:LONGEST_LINE]
        if position >= MOST_LINES:
            (quoted if line.startswith(">") else written).append(lines[position])
            position += 1
            continue
        if _FORWARD.match(line):
            return [*written, *lines[position:]], quoted, True
        if _ends_writing(lines, position):
            if _is_empty(written) or forwarding:
                return [*written, *lines[position:]], quoted, True
            return written, [*quoted, *lines[position:]], False
        length = _attribution_length(lines, position)
        if length and not _next_is_marked(lines, position + length):
            return written, [*quoted, *lines[position:]], False
        if length or line.startswith(">"):
            quoted.extend(lines[position : position + max(length, 1)])
        else:
            written.append(lines[position])
        position += max(length, 1)
    return written, quoted, False


def _is_empty(lines: list[str]) -> bool:
    return not any(line.strip() for line in lines)


def _ends_writing(lines: list[str], position: int) -> bool:
    """Whether everything from here on is the original message, unmarked, as Outlook leaves it."""
    line = lines[position][:LONGEST_LINE]
    if _ORIGINAL.match(line):
        return True
    if not _FIELD.match(line):
        return False
    block = [field[:LONGEST_LINE] for field in lines[position : position + _HEADER_BLOCK_LINES]]
    fields = [field for field in block if _FIELD.match(field)]
    return len(fields) >= _HEADER_BLOCK_FIELDS and any(_FROM_FIELD.match(field) for field in fields)


def _attribution_length(lines: list[str], position: int) -> int:
    """How many lines an "On such a day somebody wrote:" takes from here; 0 when there is none."""
    first = lines[position][:LONGEST_LINE].lstrip("> ")
    if _INSTANT_AND_ADDRESS.search(first[:_LONGEST_ATTRIBUTION]):
        return 1
    if not _ATTRIBUTION_START.match(first):
        return 0
    joined = ""
    for length, line in enumerate(lines[position : position + _ATTRIBUTION_LINES], start=1):
        joined = f"{joined} {line[:LONGEST_LINE].lstrip('> ').rstrip()}"
        if len(joined) > _LONGEST_ATTRIBUTION:
            return 0
        if _WROTE.search(joined):
            return length
    return 0


def _next_is_marked(lines: list[str], position: int) -> bool:
    following = next((line for line in lines[position : position + 5] if line.strip()), "")
    return following.startswith(">")


def _signature(lines: list[str]) -> tuple[list[str], list[str]]:
    """Cut at the signature mark (two hyphens), or at a mobile client's last line."""
    for position in range(len(lines) - 1, -1, -1):
        if lines[position].rstrip() == "--" and not _is_empty(lines[:position]):
            return lines[:position], lines[position + 1 :]
    last = next((place for place in range(len(lines) - 1, -1, -1) if lines[place].strip()), None)
    if last is not None and last > 0 and _MOBILE.match(lines[last].strip()[:LONGEST_LINE]):
        return lines[:last], lines[last:]
    return lines, []
