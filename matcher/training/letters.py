"""Composes a letter: one body of its kind, a frame around it, and a line for each fact it has to name."""

import random

import msgspec

from matcher.training.mime import Body, Draft
from matcher.training.types import Language, Split
from matcher.training.wording import Frame, chosen, filled, slots_of, wording

Manner = tuple[float, float, float]
"""Shares of greeting, closing and footer."""

_AUTOMATIC: Manner = (0.9, 0.9, 0.45)
_PERSONAL: Manner = (0.9, 0.85, 0.1)
_BARE: Manner = (0.0, 0.0, 0.0)


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a letter may tell; what is None stands nowhere in it. `must` names what it has to tell."""

    first: str = ""
    last: str = ""
    company: str | None = None
    role: str | None = None
    requisition: str | None = None
    url: str | None = None
    sender: str | None = None
    sender_first: str | None = None
    board: str | None = None
    vendor: str | None = None
    agency: str | None = None
    group: str | None = None
    former: str | None = None
    old_requisition: str | None = None
    new_requisition: str | None = None
    old_role: str | None = None
    new_role: str | None = None
    items: str | None = None
    shop: str | None = None
    must: tuple[str, ...] = ()


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One letter to be composed. `manner` is who would write it so."""

    kind: str
    facts: Facts
    language: Language
    split: Split
    body: Body = "text"
    automatic: bool = True
    bare: bool = False
    subject: str | None = None
    quoted: str = ""
    behind_words: bool = False


def compose(request: Request, chance: random.Random) -> Draft:
    found = wording(request.language, request.split)
    kind, frame = found.kind[request.kind], found.frame
    values = _values(request.facts, frame, chance)
    known = frozenset(values)
    body = chosen(kind.bodies, known, chance)
    subject = request.subject or chosen(kind.subjects, known, chance)
    if body is None or subject is None:
        raise LookupError(
            f"no wording of {request.kind} in {request.language}/{request.split}: {sorted(known)}"
        )
    blocks = [body]
    told_more = min(len(kind.extras), chance.choice((0, 0, 0, 1, 1, 2, 3)))
    blocks += chance.sample(kind.extras, told_more)
    missing = _unsaid(request, (subject, *blocks), values)
    link = values["url"] if request.behind_words and "url" in missing else None
    _state(blocks, [slot for slot in missing if slot != "url" or link is None], frame, chance)
    greeting, sign, footer = _frame(request, frame, known, chance)
    told = [*greeting, *blocks]
    return Draft(
        subject=filled(subject, values, chance) if request.subject is None else subject,
        paragraphs=tuple(part for text in told for part in filled(text, values, chance).split("\n\n")),
        sign=tuple(filled(line, values, chance) for line in sign),
        footer=filled(footer, values, chance),
        quoted=request.quoted,
        links=((filled(chance.choice(frame.automatic), values, chance), link),) if link else (),
        body=request.body,
    )


def _values(facts: Facts, frame: Frame, chance: random.Random) -> dict[str, str]:
    told = msgspec.to_builtins(facts)
    values = {name: value for name, value in told.items() if isinstance(value, str) and value}
    for name, options in (("day", frame.days), ("time", frame.times), ("amount", frame.amounts)):
        values[name] = chance.choice(options)
    return values


def _unsaid(request: Request, texts: tuple[str, ...], values: dict[str, str]) -> list[str]:
    said = frozenset[str]().union(*(slots_of(text) for text in texts))
    return [slot for slot in request.facts.must if slot not in said and slot in values]


def _state(blocks: list[str], slots: list[str], frame: Frame, chance: random.Random) -> None:
    """The lines stand together, above what the letter says or below it."""
    lines = [chance.choice(frame.lines_of(slot)) for slot in slots]
    if lines:
        blocks.insert(chance.choice((0, len(blocks))), "\n".join(lines))


def _frame(
    request: Request, frame: Frame, known: frozenset[str], chance: random.Random
) -> tuple[list[str], list[str], str]:
    if not wording(request.language, request.split).kind[request.kind].framed:
        return [], ["{sender}"] if "sender" in known and not request.automatic else [], ""
    manner = _BARE if request.bare else _AUTOMATIC if request.automatic else _PERSONAL
    greeting = [chance.choice(frame.greetings)] if chance.random() < manner[0] else []
    sign: list[str] = []
    if chance.random() < manner[1]:
        sign = [chance.choice(frame.closings), *_signed(request, frame, known, chance)]
    footer = chosen(frame.footers, known, chance) if chance.random() < manner[2] else None
    return greeting, sign, footer or ""


def _signed(request: Request, frame: Frame, known: frozenset[str], chance: random.Random) -> list[str]:
    """A person with a job, or a team; a team without a name where the employer is not to be named."""
    if "sender" in known and (not request.automatic or chance.random() < 0.4):
        job = chosen(frame.jobs, known, chance)
        return ["{sender}", *([job] if job and chance.random() < 0.6 else [])]
    team = chosen(frame.teams, known, chance)
    return [team] if team else []
