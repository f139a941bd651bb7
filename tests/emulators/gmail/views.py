"""A message as `messages.get` shows it in each format, and the cutting down that `fields` asks for."""

import re
from base64 import urlsafe_b64encode
from email.message import Message as Mime
from html import escape

from emulators.gmail.message import Message, decoded, part_bytes, unify
from emulators.gmail.refusals import Refused, invalid

FORMATS = ("minimal", "metadata", "full", "raw")
TOKEN = re.compile(r"[^(),/]+|[(),/]")
Shown = dict[str, object]


def base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).decode()


def minimal(message: Message) -> Shown:
    shown: Shown = {
        "id": message.id,
        "threadId": message.thread_id,
        "labelIds": sorted(message.labels),
        "snippet": escape(message.snippet),
        "sizeEstimate": len(message.raw),
        "historyId": str(message.history_id),
        "internalDate": str(message.internal_date),
    }
    return {name: value for name, value in shown.items() if value != []}


def view(message: Message, style: str, header_names: list[str]) -> Shown:
    shown = minimal(message)
    if style == "raw":
        shown["raw"] = base64url(message.raw)
    elif style == "metadata":
        shown["payload"] = _metadata(message, {name.lower() for name in header_names})
    elif style == "full":
        shown["payload"] = _tree(message, message.mime, "")
    return shown


def _metadata(message: Message, wanted: set[str]) -> Shown:
    headers = [
        {"name": name, "value": value}
        for name, value in message.headers
        if not wanted or name.lower() in wanted
    ]
    return {"mimeType": message.mime.get_content_type(), "headers": headers}


def _tree(message: Message, part: Mime, number: str) -> Shown:
    name = decoded(part.get_filename() or "")
    headers = [{"name": key, "value": decoded(str(value))} for key, value in part.items()]
    shown: Shown = {
        "partId": number,
        "mimeType": part.get_content_type(),
        "filename": name,
        "headers": headers,
    }
    inner = part.get_payload()
    if isinstance(inner, list):
        shown["body"] = {"size": 0}
        prefix = f"{number}." if number else ""
        shown["parts"] = [_tree(message, each, f"{prefix}{index}") for index, each in enumerate(inner)]
    else:
        shown["body"] = _body(message, part, name, number)
    return shown


def _body(message: Message, part: Mime, name: str, number: str) -> Shown:
    content = unify(part).encode() if part.get_content_maintype() == "text" and not name else part_bytes(part)
    if not name:
        return {"size": len(content), "data": base64url(content)}
    # Google gives a part another attachment id on every call; all of them stay good.
    attachment_id = f"ANGjdJ{number.replace('.', '-')}_{len(message.attachments):x}"
    message.attachments[attachment_id] = content
    return {"attachmentId": attachment_id, "size": len(content)}


Mask = dict[str, "Mask"]


def mask_of(fields: str) -> Mask:
    """`a(b,c/d),e` as nested names; an empty mask keeps everything below it."""
    tokens = TOKEN.findall(fields.replace(" ", ""))
    mask = _selection(tokens)
    if tokens:
        raise Refused(invalid(f"Invalid field selection {fields}"))
    return mask


def _selection(tokens: list[str]) -> Mask:
    mask: Mask = {}
    while tokens and tokens[0] not in "),":
        here = mask
        here = here.setdefault(tokens.pop(0), {})
        while tokens and tokens[0] == "/":
            tokens.pop(0)
            here = here.setdefault(tokens.pop(0) if tokens else "", {})
        if tokens and tokens[0] == "(":
            tokens.pop(0)
            here.update(_selection(tokens))
            if not tokens or tokens.pop(0) != ")":
                raise Refused(invalid("Invalid field selection"))
        if tokens and tokens[0] == ",":
            tokens.pop(0)
    return mask


def masked(content: object, mask: Mask) -> object:
    if not mask or "*" in mask:
        return content
    if isinstance(content, list):
        return [masked(each, mask) for each in content]
    if not isinstance(content, dict):
        return content
    return {name: masked(content[name], inner) for name, inner in mask.items() if name in content}
