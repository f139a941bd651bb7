"""One situation of a mailbox: employers, applications, and the mail about them, in the order of life.

A family of situations is a function of a scene. Names are drawn for one scene only, so that what is true
within it is true in the whole mailbox.
"""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec

from matcher.training import senders
from matcher.training.letters import Facts, Request, compose
from matcher.training.mime import Body, Draft, Envelope, delivered
from matcher.training.naming import Employer, Naming, Person
from matcher.training.senders import PlatformName, Posting, Sender
from matcher.training.types import Application, Language, Message, Origin, Split, Truth, Unrecorded
from matcher.training.wording import filled, wording

_FIRST_DAY = datetime(2024, 1, 8, 7, 0, tzinfo=UTC)
_DAYS = 540
_FORWARDED: dict[Language, tuple[str, ...]] = {
    "en": ("Fwd", "FW"),
    "fr": ("Fwd", "TR"),
    "de": ("Fwd", "WG"),
    "es": ("Fwd", "RV"),
}
_ORIGINS: tuple[Origin, ...] = ("tracker", "tracker", "extension", "manual", "import")


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """An application with what the employer's side knows of it."""

    application: Application
    employer: Employer
    role: str
    requisition: str
    posting: Posting
    at: datetime

    @property
    def id(self) -> str:
        return self.application.id


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """A delivered message, for those that answer it or quote it."""

    message: Message
    message_id: str
    references: tuple[str, ...]
    thread: str
    sender: Sender
    draft: Draft


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A message to be sent. `answers` puts it into a conversation; `quotes` puts history below it."""

    kind: str
    by: Sender
    truth: Truth
    facts: Facts = Facts()
    answers: Sent | None = None
    quotes: Sent | None = None
    thread: str = ""
    subject: str | None = None
    body: Body | None = None
    bare: bool = False
    wordless: bool = False
    behind_words: bool = False
    by_owner: bool = False
    to: Sender | None = None
    history: str = ""
    bulk: bool = False
    calendar: str = ""
    method: str = ""
    attached: bytes = b""
    confirmed: bool = False
    unrecorded: bool = False


class Box:
    """What all scenes of one mailbox share."""

    def __init__(self, split: Split, chance: random.Random) -> None:
        self.split: Split = split
        self.chance = chance
        self.naming = Naming(split, chance)
        self.owner = self.naming.person()
        self.address = f"{self.owner.local_part}{chance.randrange(10, 99)}@mailbox.example"
        self.applications: list[Application] = []
        self.messages: list[Message] = []


def about(*applied: Applied) -> Truth:
    """About this application; about all of several."""
    return Truth(ids=tuple(each.id for each in applied))


def nothing() -> Truth:
    """About none of the person's applications."""
    return Truth()


def open_between(*applied: Applied) -> Truth:
    """Nobody can tell which, or whether it is any."""
    return Truth(ids=tuple(each.id for each in applied), decidable=False)


class Scene:
    """Draws, applies and sends. `now` only moves on."""

    def __init__(self, box: Box, family: str, language: Language) -> None:
        self.box = box
        self.family = family
        self.language: Language = language
        self.chance = box.chance
        self.naming = box.naming
        self.now = _FIRST_DAY + timedelta(days=self.chance.randrange(_DAYS))
        self.wait(0, 0.4)

    def wait(self, least_days: float, most_days: float) -> None:
        seconds = round(self.chance.uniform(least_days, most_days) * 86_400)
        self.now += timedelta(seconds=seconds)

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def employer(self) -> Employer:
        return self.naming.employer(self.language)

    def person(self) -> Person:
        return self.naming.person()

    def role(self) -> str:
        return self.naming.roles(self.language, 1)[0]

    def roles(self, count: int) -> list[str]:
        return self.naming.roles(self.language, count)

    def requisition(self) -> str:
        number = self.chance.randrange(10_000, 99_999)
        shape = self.chance.choice(("R-{n}", "JR{n}7", "REQ-{n}", "REQ{n}", "R{n}42"))
        return shape.format(n=number)

    def apply(
        self,
        employer: Employer,
        role: str,
        *,
        company: str | None = None,
        aliases: tuple[str, ...] = (),
        platform: PlatformName | None = None,
        requisition: bool | None = None,
        posting: bool | None = None,
        by_number: bool = False,
        knows_company: bool = True,
        knows_role: bool = True,
        dated: bool = False,
    ) -> Applied:
        """The person applies now. What is None is recorded or not; `dated` asks for the instant."""
        place = platform or self.chance.choice(senders.PLATFORMS)
        number = self.requisition()
        found = senders.posting_of(employer, place, role, number, self.chance)
        with_number = self.maybe(0.3) if requisition is None else requisition
        with_posting = self.maybe(0.5) if posting is None else posting
        drawn = 0.0 if dated else self.chance.random()
        application = Application(
            id=f"a{len(self.box.applications) + 1}",
            company=(company or employer.name) if knows_company else None,
            role=role if knows_role else None,
            aliases=aliases,
            requisition=number if with_number else None,
            url=found.url if with_posting else None,
            platform=found.platform if by_number else None,
            board=found.board if by_number else None,
            vendor_id=found.number if by_number else None,
            applied_at=self.now if drawn < 0.65 else None,
            applied_on=self.now.date() if 0.65 <= drawn < 0.93 else None,
            origin=self.chance.choice(_ORIGINS),
        )
        self.box.applications.append(application)
        return Applied(
            application=application,
            employer=employer,
            role=role,
            requisition=number,
            posting=found,
            at=self.now,
        )

    def desk(self, applied: Applied) -> Sender:
        """Where the employer's automatic mail about it comes from: a platform, or its own domain."""
        if self.maybe(0.65):
            return senders.relay(applied.employer, applied.posting.platform, self.person(), self.chance)
        return self.own_desk(applied.employer)

    def own_desk(self, employer: Employer) -> Sender:
        """The employer's own domain."""
        return senders.own_desk(employer, self.language, self.chance)

    def facts(
        self, applied: Applied, *must: str, company: str | None = None, role: str | None = None
    ) -> Facts:
        """What a letter about it may tell: always the employer; the role and numbers only when in `must`."""
        return Facts(
            company=company or self.called(applied.employer),
            role=(role or applied.role) if "role" in must else None,
            requisition=applied.requisition if "requisition" in must else None,
            url=applied.posting.url if "url" in must else None,
            must=must,
        )

    def called(self, employer: Employer) -> str:
        return employer.name if self.maybe(0.25) else employer.short

    def send(self, note: Note) -> Sent:
        self._move_on()
        draft = self._draft(note)
        envelope = self._envelope(note)
        message = Message(
            id=f"m{len(self.box.messages) + 1}",
            raw=delivered(draft, envelope, self.chance),
            truth=note.truth,
            family=self.family,
            kind=note.kind,
            language=self.language,
            split=self.box.split,
            order=len(self.box.messages) + 1,
            sent_at=self.now,
            confirmed=note.confirmed,
            about=_unrecorded(note.facts) if note.unrecorded else None,
        )
        self.box.messages.append(message)
        return Sent(
            message=message,
            message_id=envelope.message_id,
            references=envelope.references,
            thread=envelope.thread,
            sender=note.by,
            draft=draft,
        )

    def again(self, sent: Sent, *, same_id: bool) -> None:
        """The same message delivered once more, whole or as a new one with the same words."""
        self._move_on()
        first = sent.message
        fresh = first.raw.replace(sent.message_id.encode(), self.message_id(sent.sender).encode())
        copy = msgspec.structs.replace(
            first,
            id=f"m{len(self.box.messages) + 1}",
            raw=first.raw if same_id else fresh,
            order=len(self.box.messages) + 1,
            sent_at=first.sent_at,
        )
        self.box.messages.append(copy)

    def forward(self, original: Note, by: Sender, *, attached: bool, wordless: bool) -> None:
        """What was sent elsewhere, handed on by its addressee: in the text or as a whole message."""
        draft, envelope = self._draft(original), self._envelope(original)
        self.wait(0.01, 1)
        note = Note(
            kind="forward_note",
            by=by,
            truth=original.truth,
            subject=f"{self.chance.choice(_FORWARDED[self.language])}: {draft.subject}",
            body="text",
            wordless=wordless,
            history="" if attached else self._handed_on(original, draft),
            attached=delivered(draft, envelope, self.chance) if attached else b"",
        )
        self.send(note)

    def message_id(self, sender: Sender) -> str:
        return f"{self.chance.getrandbits(72):018x}@{sender.address.rpartition('@')[2]}"

    def thread(self) -> str:
        return str(1_700_000_000_000_000_000 + self.chance.getrandbits(56))

    def _move_on(self) -> None:
        """No two messages of a scene in the same minute."""
        self.now += timedelta(seconds=self.chance.randrange(60, 600))

    def _draft(self, note: Note) -> Draft:
        person = note.by.person
        facts = msgspec.structs.replace(
            note.facts,
            first=self.box.owner.first,
            last=self.box.owner.last,
            sender=note.facts.sender or (person.name if person else None),
            sender_first=note.facts.sender_first or (person.first if person else None),
        )
        shapes: tuple[Body, ...] = ("html", "both", "text") if note.by.automatic else ("text", "text", "both")
        request = Request(
            kind=note.kind,
            facts=facts,
            language=self.language,
            split=self.box.split,
            body=note.body or self.chance.choice(shapes),
            automatic=note.by.automatic,
            bare=note.bare,
            subject=note.subject or (_answer_to(note.answers.draft.subject) if note.answers else None),
            quoted=note.history or (self._quoted(note.quotes) if note.quotes else ""),
            behind_words=note.behind_words,
        )
        draft = compose(request, self.chance)
        return msgspec.structs.replace(draft, paragraphs=(), sign=()) if note.wordless else draft

    def _envelope(self, note: Note) -> Envelope:
        answered = note.answers
        references = (*answered.references, answered.message_id) if answered else ()
        mine = Sender(name="" if self.maybe(0.5) else self.box.owner.name, address=self.box.address)
        to = note.to or mine
        return Envelope(
            from_name=note.by.name,
            from_address=note.by.address,
            to_name=to.name,
            to_address=to.address,
            sent_at=self.now,
            message_id=self.message_id(note.by),
            in_reply_to=answered.message_id if answered else "",
            references=references,
            thread=note.thread or (answered.thread if answered else self.thread()),
            labels=("Sent",) if note.by_owner else ("Inbox",),
            bulk=note.bulk or (note.by.automatic and self.maybe(0.3)),
            calendar=note.calendar,
            method=note.method,
            attached=note.attached,
        )

    def _handed_on(self, original: Note, draft: Draft) -> str:
        frame = wording(self.language, self.box.split).frame
        values = {
            "sender": original.by.name or original.by.address,
            "address": original.by.address,
            "date": f"{self.now:%d.%m.%Y %H:%M}",
            "subject": draft.subject,
            "to": self.box.address,
        }
        head = filled(self.chance.choice(frame.forward_heads), values, self.chance)
        return "\n\n".join((head, *draft.paragraphs, "\n".join(draft.sign), draft.footer))

    def _quoted(self, sent: Sent) -> str:
        frame = wording(self.language, self.box.split).frame
        values = {
            "sender": sent.sender.name or sent.sender.address,
            "address": sent.sender.address,
            "date": f"{sent.message.sent_at:%d.%m.%Y}",
        }
        head = filled(self.chance.choice(frame.quote_heads), values, self.chance)
        lines = "\n\n".join((*sent.draft.paragraphs, *sent.draft.sign)).split("\n")
        return "\n".join((head, *(f"> {line}" for line in lines)))


def _unrecorded(facts: Facts) -> Unrecorded | None:
    return Unrecorded(company=facts.company, role=facts.role) if facts.company else None


def _answer_to(subject: str) -> str:
    return subject if subject.lower().startswith(("re:", "aw:")) else f"Re: {subject}"


Family = Callable[[Scene], None]
