"""One language as the rules use it: spelling, clauses, phrases, signs and names. Only structs."""

import re
from typing import Literal

import msgspec

from mailsync.classify.types import NoiseReason
from schema.vocabulary import EventKind

Pattern = re.Pattern[str]

_NEVER = re.compile(r"(?!)")

Family = Literal[
    "refusal",
    "closed",
    "assessment",
    "interview",
    "scheduled",
    "offer",
    "request",
    "withdrawn",
    "status",
    "outreach",
    "receipt",
    "thanks",
    "reviewing",
]
"""What a phrase says. `thanks` and `reviewing` say that an application arrived only when both stand there."""

KINDS: dict[Family, EventKind] = {
    "refusal": "rejection",
    "closed": "position_closed",
    "assessment": "assessment_invite",
    "interview": "interview_invite",
    "scheduled": "interview_scheduled",
    "offer": "offer",
    "request": "info_request",
    "withdrawn": "withdrawal_confirmed",
    "status": "status_update",
    "outreach": "recruiter_outreach",
    "receipt": "acknowledgement",
    "thanks": "acknowledgement",
    "reviewing": "acknowledgement",
}


class Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """A shape of sentence. One of the `cues` stands in the clause, or `pattern` is not tried.

    `veto` takes the meaning away again. With `in_subject` it counts in the subject only, with `from_people`
    not in mail that is sent in bulk, with `from_strangers` not where a hiring desk or platform writes, with
    `sender` only in mail of the platform of that name. A phrase that stands `alone` counts where the message
    says nothing else; its `veto` is looked for in all of it.
    """

    name: str
    kind: EventKind
    cues: tuple[str, ...]
    pattern: Pattern
    veto: Pattern | None = None
    in_subject: bool = False
    from_people: bool = False
    from_strangers: bool = False
    sender: str = ""
    alone: bool = False

    def says(self, clause: str) -> bool:
        # A loop, since it runs for every clause and phrase: a generator takes twice as long.
        for cue in self.cues:
            if cue in clause:
                break
        else:
            return False
        if self.pattern.search(clause) is None:
            return False
        return self.veto is None or self.veto.search(clause) is None


class Replacement(msgspec.Struct, frozen=True):
    pattern: Pattern
    by: str

    def apply(self, text: str) -> str:
        return self.pattern.sub(self.by, text)


class Spelling(msgspec.Struct, frozen=True, kw_only=True):
    """The one plain spelling every pattern of the language is written for."""

    replacements: tuple[Replacement, ...]
    fillers: Pattern


class Cutting(msgspec.Struct, frozen=True, kw_only=True):
    """How a sentence is cut into clauses, and which of them assert nothing."""

    split: Pattern
    courtesies: tuple[Replacement, ...]
    supposed: Pattern
    group: Pattern
    harmless: Pattern


class Signs(msgspec.Struct, frozen=True, kw_only=True):
    """What weighs without deciding; `signs.toml` says of each what it is for."""

    bad_news: Pattern
    sorry: Pattern
    not_yet: Pattern
    decided: Pattern
    parting: Pattern
    talk_about_work: Pattern
    applied: Pattern
    strong: Pattern
    weak: Pattern
    plain: Pattern
    hints: Pattern
    other_application: Pattern
    applying: Pattern
    about_the_applicant: Pattern
    work: Pattern
    account: Pattern
    farewell: Pattern = _NEVER
    by_the_applicant: Pattern = _NEVER
    copied: Pattern = _NEVER


class Noise(msgspec.Struct, frozen=True):
    reason: NoiseReason
    pattern: Pattern


class Naming(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern with a group `name`. `weight` counts towards believing it; `sure` marks a role by itself."""

    pattern: Pattern
    weight: int = 2
    sure: bool = False


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """What stands before a colon, or on a line of its own above what it names; None where nothing does."""

    employer: Pattern | None
    role: Pattern | None
    place: Pattern | None
    contact: Pattern | None
    deadline: Pattern | None
    appointment: Pattern | None


class When(msgspec.Struct, frozen=True, kw_only=True):
    """`deadline` ends right before its date; `promise` stands before it when the sender is to act.

    The others stand in the sentence that tells when a talk takes place.
    """

    deadline: Pattern
    promise: Pattern
    meeting: Pattern
    settled: Pattern
    proposed: Pattern


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """Where the language names employer and role, and what is neither.

    With `compounds` a word that ends in a role's head is one too. From `elsewhere` on a message lists other
    jobs, or says why it was sent. `title_tail` is what a title goes on with behind a mark, right at its end,
    `joins_role` what joins words before it to it.
    """

    company_in_subject: tuple[Naming, ...]
    company_in_text: tuple[Naming, ...]
    company_on_a_line: tuple[Naming, ...]
    role_in_subject: tuple[Naming, ...]
    role_in_text: tuple[Naming, ...]
    role_above_employer: tuple[Naming, ...]
    role_heads: frozenset[str]
    also_companies: frozenset[str]
    compounds: bool
    not_a_company: frozenset[str]
    not_alone: frozenset[str]
    not_a_role: frozenset[str]
    behind_company: Pattern
    before_role: Pattern | None
    behind_role: Pattern | None
    joins_role: Pattern
    title_tail: Pattern
    client: Pattern | None
    closings: Pattern | None
    elsewhere: Pattern | None
    labels: Labels
    when: When


class Titles(msgspec.Struct, frozen=True, kw_only=True):
    """How titles are written. `endings` are those of one gender with what they are in the other's form.

    `plain` is written large within a sentence though no name; where all nouns are, `unmarked` is how a title
    looks that no phrase marks. `ways_of_working` and `part_time` are runs of words, without accents.
    `applied_to` ends right before the name of an employer.
    """

    plain: frozenset[str]
    other_gender: frozenset[str]
    gender_letters: str
    endings: tuple[tuple[str, str], ...]
    ways_of_working: tuple[tuple[str, ...], ...]
    part_time: tuple[tuple[str, ...], ...]
    unmarked: Pattern | None
    applied_to: Pattern


class AroundPatterns(msgspec.Struct, frozen=True, kw_only=True):
    """Pieces of patterns of all languages together, which the matcher puts between signs of its own."""

    employs: Pattern
    article: Pattern
    subsidiary: Pattern
    sister_house: Pattern | None = None
    our: Pattern
    goes_on: Pattern
    of_a_client: Pattern
    is_one: Pattern
    before_joint: Pattern | None = None
    joint: Pattern
    behind_joint: Pattern
    group_in_front: Pattern | None = None
    house: Pattern | None = None
    writer_is: Pattern
    title_follows: Pattern
    application_number: Pattern
    head_from: Pattern
    head_date: Pattern
    head_subject: Pattern
    head_to: Pattern
    reply: Pattern


class AroundNames(msgspec.Struct, frozen=True, kw_only=True):
    """Words that stand around an employer's name; `around_names.toml` says of each what it is for."""

    joiners: frozenset[str]
    in_mail: frozenset[str]
    name_follows: frozenset[str]
    salutes: frozenset[str]
    acts: frozenset[str]
    ordinary: frozenset[str]
    desk: frozenset[str]
    agency_endings: frozenset[str]
    agencies: frozenset[str]
    group: frozenset[str]
    joint_cues: tuple[str, ...]
    small_words: frozenset[str]
    countries: frozenset[str]
    no_place: frozenset[str] = frozenset()
    beside_titles: frozenset[str]
    not_a_title: frozenset[str]
    nobodys_title: frozenset[str] = frozenset()
    behind_title: frozenset[str]
    patterns: AroundPatterns


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """`code` is ISO 639-1. `phrases` decide by themselves, `last_resort` where they find nothing.

    The other three families need each other.
    """

    code: str
    stopwords: frozenset[str]
    spelling: Spelling
    cutting: Cutting
    phrases: tuple[Phrase, ...]
    last_resort: tuple[Phrase, ...]
    receipt: tuple[Phrase, ...]
    thanks: tuple[Phrase, ...]
    reviewing: tuple[Phrase, ...]
    signs: Signs
    subject_noise: tuple[Noise, ...]
    text_noise: tuple[Noise, ...]
    names: Names
    titles: Titles
