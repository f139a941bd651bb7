"""Each fact of an application with what it is from: the person, the catalog, a form, messages. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from backend.application.store import Mention, Posting
from backend.http.words import ORIGINS
from extension_api.fills.store import Submission
from matcher.applications.types import Application
from matcher.edits.rules import FieldName
from matcher.evidence.keys import company_key, role_key
from schema.identity.requisitions import requisition_key
from schema.identity.urls import canonical_url
from schema.ids import MessageId
from schema.vocabulary import FactName

OTHERS_MAX = 3


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Something that says this value. `link` leads there, empty when there is nothing to look at."""

    says: str
    link: str = ""
    at: datetime | None = None


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """`value` None is unknown. `others` are other values that messages name, with the first message each."""

    name: str
    value: str | None
    sources: list[Source]
    others: list[tuple[str, MessageId]]
    link: str = ""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known around the facts of one application."""

    application: Application
    corrected: Mapping[FieldName, datetime]
    posting: Posting | None
    submissions: Sequence[Submission]
    mentions: Sequence[Mention]


class _Kind(msgspec.Struct, frozen=True, kw_only=True):
    """How one fact is compared with what messages and the catalog say."""

    field: FieldName
    name: FactName
    label: str
    value: str | None
    posted: str | None
    same: Callable[[str], str | None]


def facts(known: Known) -> list[Fact]:
    found, posting = known.application, known.posting
    kinds = [
        _Kind(
            field="company",
            name="employer",
            label="Company",
            value=found.company,
            posted=posting.company if posting else None,
            same=company_key,
        ),
        _Kind(
            field="role",
            name="role",
            label="Role",
            value=found.role,
            posted=posting.title if posting else None,
            same=role_key,
        ),
        _Kind(
            field="requisition",
            name="requisition",
            label="Requisition",
            value=found.requisition_id,
            posted=posting.requisition_id if posting else None,
            same=requisition_key,
        ),
        _Kind(
            field="url",
            name="posting_url",
            label="Address of the posting",
            value=found.canonical_url,
            posted=posting.canonical_url if posting else None,
            same=canonical_url,
        ),
    ]
    return [*(_fact(kind, known) for kind in kinds), _place(known)]


def applied_sources(known: Known) -> list[Source]:
    """What the date of applying is from; empty when it is unknown."""
    found = known.application
    if not (found.applied_at or found.applied_on):
        return []
    if at := known.corrected.get("applied"):
        return [_by_person(at)]
    if any(sent.submitted_at == found.applied_at for sent in known.submissions):
        return [Source(says="when you sent the form", link="#sent")]
    return [_origin(found)]


def _fact(kind: _Kind, known: Known) -> Fact:
    named = [mention for mention in known.mentions if mention.name == kind.name]
    key = kind.same(kind.value) if kind.value else None
    agreeing = [mention for mention in named if key is not None and kind.same(mention.value) == key]
    return Fact(
        name=kind.label,
        value=kind.value,
        sources=_sources(kind, known, agreeing) if kind.value else [],
        others=_others(mention for mention in named if mention not in agreeing),
        link=kind.value or "" if kind.field == "url" else "",
    )


def _sources(kind: _Kind, known: Known, agreeing: Sequence[Mention]) -> list[Source]:
    found: list[Source] = []
    if at := known.corrected.get(kind.field):
        found.append(_by_person(at))
    if known.posting and kind.posted and kind.value and kind.same(kind.posted) == kind.same(kind.value):
        found.append(Source(says="the posting in the catalog", link=f"/postings/{known.posting.posting_id}"))
    if agreeing:
        many = len({mention.message_id for mention in agreeing})
        says = "named by 1 message" if many == 1 else f"named by {many} messages"
        found.append(Source(says=says, link=f"#m-{agreeing[0].message_id}", at=agreeing[0].sent_at))
    return found or [_origin(known.application)]


def _place(known: Known) -> Fact:
    """Applications keep no place of their own: it is what the posting or the messages say."""
    places = known.posting.locations if known.posting else []
    if places and known.posting:
        source = Source(says="the posting in the catalog", link=f"/postings/{known.posting.posting_id}")
        return Fact(name="Place", value=", ".join(places), sources=[source], others=[])
    named = [mention for mention in known.mentions if mention.name == "place"]
    if not named:
        return Fact(name="Place", value=None, sources=[], others=[])
    last = named[-1]
    source = Source(says="named by a message", link=f"#m-{last.message_id}", at=last.sent_at)
    return Fact(name="Place", value=last.value, sources=[source], others=[])


def _others(mentions: Iterable[Mention]) -> list[tuple[str, MessageId]]:
    first: dict[str, MessageId] = {}
    for mention in mentions:
        first.setdefault(mention.value, mention.message_id)
    return list(first.items())[:OTHERS_MAX]


def _by_person(at: datetime) -> Source:
    return Source(says="corrected by you", at=at)


def _origin(found: Application) -> Source:
    text = ORIGINS[found.origin].text
    return Source(says=text[0].lower() + text[1:], at=found.created_at)
