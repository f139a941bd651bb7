"""The wire protocol between the browser extension and `/api/extension`: JSON, snake_case, bearer token.

Every request and answer is one struct here, with its limits; `extension/protocol.d.ts` is generated from
them (`python -m extension_api.typescript`). What is asked refuses unknown keys; what is told may grow.
No logic and no SQL.

    POST /pair                        Pair            -> Paired
    GET  /device                                      -> ThisDevice
    GET  /context?url=                                -> PageContext
    POST /postings                    SavePosting     -> SavedPosting
    POST /resolve                     Resolve         -> FillPlan
    GET  /documents/{id}/content                      -> the file itself
    POST /fills/{fill_id}             FillReport      -> 204
    POST /fills/{fill_id}/submitted   Submitted       -> Recorded
    GET, PUT /profile                 SaveProfile     -> StoredProfile
    GET, POST /answers                Remember        -> Answers, Answer
    PUT, DELETE /answers/{id}         EditAnswer      -> Answer, 204
    GET, POST /drafts                 AskDraft        -> Drafts, Draft
    GET, PUT /drafts/{id}             EditDraft       -> Draft
    POST /drafts/{id}/write           WriteDraft      -> Draft
"""

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from extension_api.profiles.types import Profile
from schema.ids import AnswerId, ApplicationId, DeviceId, DocumentId, DraftId, FillId, PostingId

MAX_FIELDS = 300
MAX_OPTIONS = 400
"""A list of every country is longer than 200. A longer list is sent as no options at all."""
MAX_LABEL_CHARS = 2_000
MAX_BODY_BYTES = 2_000_000
MAX_URL_CHARS = 4_096

Url = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_URL_CHARS)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Label = Annotated[str, msgspec.Meta(max_length=MAX_LABEL_CHARS)]
Name = Annotated[str, msgspec.Meta(max_length=500)]
Words = Annotated[str, msgspec.Meta(max_length=1_000)]

FieldKind = Literal[
    "text", "textarea", "select", "combobox", "radio", "checkbox", "checkboxes", "buttons", "file"
]
Action = Literal["fill", "suggest", "leave"]
Source = Literal["profile", "document", "answer", "draft"]
Reason = Literal[
    "has_value",
    "not_understood",
    "not_in_profile",
    "no_option_matches",
    "several_options_match",
    "too_long",
    "consent",
    "signature",
    "secret",
    "government_id",
    "birth_date",
    "payment",
    "equal_opportunity",
    "legal_question",
    "own_words",
    "about_someone_else",
    "polarity_unsure",
    "several_answers_match",
    "draft_not_ready",
]
"""Why a field is left; stable, so that the panel says it in its own language."""
OutcomeName = Literal[
    "filled",
    "already",
    "kept",
    "left",
    "refused",
    "changed_by_person",
    "changed_by_page",
    "failed",
    "undone",
    "not_undone",
]
EvidenceKind = Literal["confirmation_page", "trusted_submit", "person_said"]
DocumentKind = Literal["resume", "cover_letter"]
Scope = Literal["everywhere", "employer"]
"""Where a remembered answer holds."""
DraftState = Literal["empty", "writing", "ready", "failed"]
Author = Literal["machine", "person"]

MAX_GIVEN = 100
MAX_ANSWER_CHARS = 20_000
MAX_DRAFT_CHARS = 50_000

Given = Annotated[
    list[Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_ANSWER_CHARS)]],
    msgspec.Meta(min_length=1, max_length=MAX_GIVEN),
]
"""What was answered: one text or option, or each option that was ticked."""


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the extension sends; an unknown key is refused by name."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What the server answers; a newer server may tell more."""


class Pair(Asked, frozen=True, kw_only=True):
    """The code as the person typed it: case, spaces and the dash do not matter."""

    code: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    device_name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class Paired(Told, frozen=True, kw_only=True):
    """`token` is told this once and stored nowhere; it goes into `Authorization: Bearer`."""

    token: str
    device_id: DeviceId
    account_name: str


class ThisDevice(Told, frozen=True, kw_only=True):
    device_id: DeviceId
    device_name: str
    account_name: str
    paired_at: datetime


class KnownPosting(Told, frozen=True, kw_only=True):
    id: PostingId
    title: str
    company: str | None
    closed_at: datetime | None


class KnownApplication(Told, frozen=True, kw_only=True):
    """`status` is what the person set, or None: the stage then follows from the timeline."""

    id: ApplicationId
    company: str | None
    role: str | None
    applied_at: datetime | None
    status: str | None


class KnownDocument(Told, frozen=True, kw_only=True):
    id: DocumentId
    kind: DocumentKind
    file_name: str
    media_type: str
    size_bytes: int
    is_default: bool


class KnownForm(Told, frozen=True, kw_only=True):
    """What is known of this form from before: how often it was filled here, and when last."""

    fills: int
    last_filled_at: datetime
    submitted_at: datetime | None


class PageContext(Told, frozen=True, kw_only=True):
    """`profile_revision` is 0 while no profile was ever saved; `form` None when it was never filled."""

    posting: KnownPosting | None
    application: KnownApplication | None
    is_saved: bool
    profile_revision: int
    documents: list[KnownDocument]
    drafts: list["Draft"]
    form: KnownForm | None


class FieldDescription(Asked, frozen=True, kw_only=True):
    """One question of a form. Never a value: only whether there is one.

    `key` is the page's own handle, unique in the request. `options` is empty when they are not known
    before opening, or are more than the limit.
    """

    key: Key
    label: Label
    kind: FieldKind
    type: Annotated[str, msgspec.Meta(max_length=40)] = ""
    name: Name = ""
    autocomplete: Annotated[str, msgspec.Meta(max_length=200)] = ""
    group: Words = ""
    section: Words = ""
    options: Annotated[list[Label], msgspec.Meta(max_length=MAX_OPTIONS)] = []
    required: bool = False
    max_length: int | None = None
    has_value: bool = False


class Resolve(Asked, frozen=True, kw_only=True):
    url: Url
    page_title: Words = ""
    fields: Annotated[list[FieldDescription], msgspec.Meta(max_length=MAX_FIELDS)]


class PlannedField(Told, frozen=True, kw_only=True):
    """What to do with one field, and why.

    `fill` and `suggest`: exactly one of `value` (type it), `option` (choose the option that reads so),
    `options` (tick each of them) and `document_id` (attach it); what is suggested is written only after the
    person accepts it. `leave`: none of them, and `reason` says why. `confidence` is from 0 to 1. `say` is one
    English sentence for the person. `may_be_remembered`: what the person enters here may be offered for
    remembering. `answer_id` and `draft_id` name where the value comes from.
    """

    key: str
    action: Action
    value: str | None = None
    option: str | None = None
    options: list[str] = []
    document_id: DocumentId | None = None
    answer_id: AnswerId | None = None
    draft_id: DraftId | None = None
    may_be_remembered: bool = False
    source: Source | None = None
    rule: str
    confidence: float
    reason: Reason | None = None
    say: str


class FillPlan(Told, frozen=True, kw_only=True):
    """One planned field for each that was asked, in the same order."""

    fill_id: FillId
    platform: str | None
    fields: list[PlannedField]


class FieldOutcome(Asked, frozen=True, kw_only=True):
    """What became of one field; `detail` is a code of the extension, never page text and never a value."""

    key: Key
    outcome: OutcomeName
    detail: Annotated[str, msgspec.Meta(max_length=200)] = ""


class FillReport(Asked, frozen=True, kw_only=True):
    """The whole report; a later one replaces an earlier one."""

    fields: Annotated[list[FieldOutcome], msgspec.Meta(max_length=MAX_FIELDS)]


class SubmissionEvidence(Asked, frozen=True, kw_only=True):
    """How it is known that the form was sent; `text` is the phrase or address that showed it."""

    kind: EvidenceKind
    text: Words = ""


class Submitted(Asked, frozen=True, kw_only=True):
    """The person's own submit, once it is confirmed. Sending it again answers the same.

    `submitted_at` is RFC 3339 with a zone.
    """

    url: Url
    submitted_at: Annotated[datetime, msgspec.Meta(tz=True)]
    evidence: SubmissionEvidence
    company: Annotated[str, msgspec.Meta(max_length=300)] | None = None
    title: Annotated[str, msgspec.Meta(max_length=300)] | None = None
    requisition_id: Annotated[str, msgspec.Meta(max_length=200)] | None = None


class Recorded(Told, frozen=True, kw_only=True):
    application_id: ApplicationId


class StoredProfile(Told, frozen=True, kw_only=True):
    """`revision` is 0 and the profile empty while none was ever saved."""

    revision: int
    profile: Profile


class SaveProfile(Asked, frozen=True, kw_only=True):
    """`revision` is the one that was edited; a newer one on the server refuses this with 409."""

    revision: Annotated[int, msgspec.Meta(ge=0, le=2_147_483_646)]
    profile: Profile


class SavePosting(Asked, frozen=True, kw_only=True):
    """Keep the posting of this page; `title` and `company` are what the page calls it, None when unknown."""

    url: Url
    title: Annotated[str, msgspec.Meta(max_length=300)] | None = None
    company: Annotated[str, msgspec.Meta(max_length=300)] | None = None


class SavedPosting(Told, frozen=True, kw_only=True):
    posting_id: PostingId | None  # None: a page the catalog does not know, kept for this person alone
    title: str
    was_saved_before: bool


class Remember(Asked, frozen=True, kw_only=True):
    """An answer the person wants remembered, with the question as the page asks it."""

    url: Url
    page_title: Words = ""
    field: FieldDescription
    given: Given
    scope: Scope = "everywhere"
    fill_id: FillId | None = None


class Answer(Told, frozen=True, kw_only=True):
    """`company` is None for an answer that holds everywhere. `uses` counts fills it went into."""

    id: AnswerId
    revision: int
    question: str
    options: list[str]
    given: list[str]
    company: str | None
    uses: int
    used_at: datetime | None
    updated_at: datetime


class Answers(Told, frozen=True, kw_only=True):
    """`next` goes into `after` for the following page; None on the last."""

    answers: list[Answer]
    next: str | None


class EditAnswer(Asked, frozen=True, kw_only=True):
    """`revision` is the one that was edited; a newer one on the server refuses this with 409."""

    revision: Annotated[int, msgspec.Meta(ge=1, le=2_147_483_646)]
    given: Given
    scope: Scope = "everywhere"
    company: Annotated[str, msgspec.Meta(min_length=1, max_length=300)] | None = None


class AskDraft(Asked, frozen=True, kw_only=True):
    """A text for one question of the posting at `url`. Asking again answers with the draft there is.

    `write` asks a language model for a first version, where one is set up; else the draft is an empty page.
    """

    url: Url
    page_title: Words = ""
    question: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_LABEL_CHARS)]
    max_chars: Annotated[int, msgspec.Meta(ge=1, le=MAX_DRAFT_CHARS)] | None = None
    write: bool = True


class Draft(Told, frozen=True, kw_only=True):
    """`generation` names the version in force, 0 while there is none. `can_write`: a model may.

    `rests_on` names what of the profile, the résumé and the posting a machine wrote it from, `not_in_sources`
    what it states that stands in none of them. `failure` is a code: why the last writing came to nothing.
    """

    id: DraftId
    question: str
    company: str | None
    role: str | None
    generation: int
    state: DraftState
    author: Author | None
    text: str
    max_chars: int | None
    rests_on: list[str]
    not_in_sources: list[str] = []
    failure: str | None
    is_accepted: bool
    can_write: bool
    updated_at: datetime


class Drafts(Told, frozen=True, kw_only=True):
    drafts: list[Draft]


class EditDraft(Asked, frozen=True, kw_only=True):
    """`generation` is the one that was edited; when another is in force this is refused with 409, and the
    text is kept among the draft's versions."""

    generation: Annotated[int, msgspec.Meta(ge=0, le=2_147_483_646)]
    text: Annotated[str, msgspec.Meta(max_length=MAX_DRAFT_CHARS)]
    is_accepted: bool = False


class WriteDraft(Asked, frozen=True, kw_only=True):
    """Have a machine write one more version. A person's text stays in force unless `replace` is set."""

    generation: Annotated[int, msgspec.Meta(ge=0, le=2_147_483_646)]
    replace: bool = False
