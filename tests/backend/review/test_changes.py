"""What changed between two looks at one message, in sentences; what the form brought back is only told."""

from datetime import UTC, datetime

from msgspec.structs import replace

from backend.review.changes import WEIGHED_ANEW, Seen, changes, named_in, seen, shows
from matcher.resolutions.types import Excerpt, MessageItem, ShownApplication, ShownCandidate
from schema.ids import ApplicationId, MessageId

AT = datetime(2026, 3, 1, tzinfo=UTC)
ONE, TWO, THREE = ApplicationId(1), ApplicationId(2), ApplicationId(3)
NAMES = {ONE: "Baker, Engines", TWO: "Writer, Contoso"}


def candidate(application_id: ApplicationId) -> ShownCandidate:
    shown = ShownApplication(
        application_id=application_id,
        company=None,
        role=None,
        origin="manual",
        stage="applied",
        status=None,
        applied_at=None,
        applied_on=None,
        messages=0,
        merged_into_id=None,
        is_dismissed=False,
        recorded_at=AT,
    )
    return ShownCandidate(application=shown, score=1, is_attached=False, evidence_for=[], evidence_against=[])


def message(
    *offered: ApplicationId, outcome: str = "asks", attached: ApplicationId | None = None
) -> MessageItem:
    return MessageItem(
        id="message:1",  # type: ignore[arg-type]
        version="x",
        rank=2,
        at=AT,
        waits=outcome == "asks",
        why="",
        undoes=None,
        options=[],
        message_id=MessageId(1),
        decision_id=None,
        outcome=outcome,  # type: ignore[arg-type]
        application_ids=[attached] if attached else [],
        by_person=attached is not None,
        pattern="",
        confirm_rate=None,
        answered=0,
        company=None,
        role=None,
        excerpt=Excerpt(
            message_id=MessageId(1),
            subject="",
            header="",
            sent_at=None,
            first_seen_at=AT,
            kinds=[],
            text=None,
            is_cut=False,
            marks=[],
        ),
        candidates=[candidate(found) for found in offered],
    )


def test_an_answer_elsewhere_is_told_with_what_it_was_before():
    now = message(ONE, outcome="attached", attached=ONE)
    assert changes(seen(message(ONE)), now, NAMES) == [
        "Before: waits for you. Now: attached to Baker, Engines, decided by you."
    ]


def test_new_and_gone_applications_are_named():
    assert changes(seen(message(ONE, THREE)), message(TWO, ONE), NAMES) == [
        "New among the applications offered: Writer, Contoso.",
        "No longer offered: an application that is gone.",
    ]


def test_another_order_and_other_evidence_are_told_apart():
    order = changes(seen(message(ONE, TWO)), message(TWO, ONE), NAMES)
    assert order == ["The order of the applications offered changed."]
    assert changes(seen(message(ONE)), message(ONE), NAMES) == [WEIGHED_ANEW]


def test_what_nobody_ever_showed_is_told_calmly():
    strange = Seen(state="<script>", attached=[ApplicationId(-5)], offered=[])
    assert changes(strange, message(ONE), NAMES)[0].startswith("Before: attached to an application that is")
    assert "something else" in changes(Seen(state="<script>"), message(ONE), NAMES)[0]
    assert named_in(strange, message(ONE)) == {-5, ONE}


def test_a_question_written_anew_shows_the_same_wherever_it_stands_in_the_queue():
    asked = message(ONE, TWO)
    anew = replace(asked, version="y", rank=3)
    assert shows(anew) == shows(asked)
    assert shows(message(TWO, ONE)) != shows(asked)
    assert shows(replace(asked, why="It names no title.")) != shows(asked)
