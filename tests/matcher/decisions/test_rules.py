"""What a log of decisions means: what can be taken back, and what that restores."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from matcher.decisions.rules import before, is_word_of_a_person, refused, undoable
from matcher.decisions.types import Logged
from schema.ids import ApplicationId, DecisionId, MessageId


class Log:
    """Decisions appended one after another, each replacing the last."""

    def __init__(self) -> None:
        self.entries: list[Logged] = []

    def add(
        self, choice: str | None, application: int | None = None, undoes: DecisionId | None = None
    ) -> Logged:
        rejects = choice == "reject"
        entry = Logged(
            decision_id=DecisionId(len(self.entries) + 1),
            message_id=MessageId(1),
            outcome="none" if rejects or application is None else "attached",
            application_id=None if rejects or application is None else ApplicationId(application),
            also_application_ids=[],
            act_id=None,
            actor="person" if choice else "machine",
            choice=choice,  # type: ignore[arg-type]
            policy_version=1,
            input_hash="0" * 64,
            pattern="",
            rejected_application_id=ApplicationId(application) if rejects and application else None,
            replaces_id=self.entries[-1].decision_id if self.entries else None,
            undoes_id=undoes,
            created_at=datetime(2026, 3, 1, tzinfo=UTC),
        )
        self.entries.append(entry)
        return entry

    def undo(self) -> Logged | None:
        """Takes back as the store does; what it restored."""
        target = undoable(self.entries)
        if target is None:
            return None
        restored = before(self.entries, target)
        self.add("undo", restored.application_id if restored else None, target.decision_id)
        return restored


def test_undo_walks_back_through_the_persons_answers_to_the_machines():
    log = Log()
    machine = log.add(None, 7)
    first = log.add("assign", 1)
    log.add("assign", 2)
    assert log.undo() == first
    assert log.undo() == machine
    assert log.undo() is None


def test_undo_looks_through_earlier_undos():
    log = Log()
    machine = log.add(None, 7)
    log.add("assign", 1)
    log.undo()
    log.add("assign", 2)
    assert log.undo() == machine


def test_a_refusal_holds_until_it_is_undone():
    log = Log()
    log.add(None, 7)
    log.add("reject", 7)
    log.add(None)
    assert refused(log.entries) == {7}
    log.undo()
    assert refused(log.entries) == frozenset()


def test_only_a_settling_choice_is_a_persons_word():
    log = Log()
    assert not is_word_of_a_person(None)
    assert not is_word_of_a_person(log.add(None, 7))
    assert not is_word_of_a_person(log.add("reject", 7))
    assert is_word_of_a_person(log.add("not_an_application"))


@given(st.lists(st.sampled_from(["machine", "assign", "reject", "undo"]), max_size=12), st.data())
def test_undoing_everything_always_ends_at_no_word_of_the_person(steps, data):
    log = Log()
    for step in steps:
        if step == "undo":
            log.undo()
        else:
            log.add(None if step == "machine" else step, data.draw(st.integers(1, 3)))
    for _ in range(len(steps) + 1):
        last = log.undo()
    assert undoable(log.entries) is None
    assert refused(log.entries) == frozenset()
    assert not is_word_of_a_person(last)
