"""How often a whole letter names employer and role rightly, apart for the letters no rule was written for."""

from collections.abc import Callable

import pytest
from fixtures.named_letters import Letter, letters

from mailsync.classify.facts import facts_of, header_text
from mailsync.classify.said import read_text
from mailsync.classify.types import Fact
from schema.identity.names import comparable_company, title_parts

LETTERS = letters()
OTHERS = ("french", "german", "spanish")
COMPARABLE: dict[str, Callable[[str], str]] = {
    "employer": comparable_company,
    "role": lambda title: title_parts(title).key,
}


def named(letter: Letter, name: str) -> list[Fact]:
    return [fact for fact in facts_of(read_text(letter.parsed())) if fact.name == name]


def counted(chosen: list[Letter], name: str) -> tuple[int, int, int]:
    """Letters that name one, those where it is told rightly, and those where something else is told."""
    comparable = COMPARABLE[name]
    there = right = wrong = 0
    for letter in chosen:
        wanted = letter.told.get(name)
        found = [comparable(fact.value) for fact in named(letter, name)]
        is_right = wanted is not None and found == [comparable(wanted)]
        there += wanted is not None
        right += is_right
        wrong += bool(found) and not is_right
    return there, right, wrong


@pytest.mark.parametrize("name", ["employer", "role"])
@pytest.mark.parametrize("held_back", [False, True])
@pytest.mark.parametrize("language", ["english", *OTHERS])
def test_employer_and_role_are_told_rightly_and_hardly_ever_wrongly(
    name: str, language: str, held_back: bool
):
    chosen = [
        letter
        for letter in LETTERS
        if letter.held_back is held_back
        and (letter.file == language or (language == "english" and letter.file not in OTHERS))
    ]
    there, right, wrong = counted(chosen, name)
    print(language, "held back" if held_back else "seen", name, f"{right} of {there}, {wrong} wrong")
    assert right >= 0.7 * there if language in OTHERS else right >= 0.93 * there
    assert wrong <= 1


@pytest.mark.parametrize("name", ["requisition", "deadline", "appointment"])
def test_what_else_a_letter_names_is_told_in_comparable_form(name: str):
    told = [(letter, letter.told[name]) for letter in LETTERS if name in letter.told]
    missed = [
        f"{letter.file} {letter.number}: {[fact.comparable for fact in named(letter, name)]} for {wanted}"
        for letter, wanted in told
        if plain(wanted, name) not in [fact.comparable for fact in named(letter, name)]
    ]
    assert len(told) >= 7
    assert len(missed) <= len(told) // 7, missed


def plain(wanted: str, name: str) -> str:
    return (
        "".join(letter for letter in wanted.upper() if letter.isalnum()) if name == "requisition" else wanted
    )


def test_deadlines_and_appointments_are_told_only_where_there_are_any():
    for letter in LETTERS:
        for name in ("deadline", "appointment"):
            assert not named(letter, name) or name in letter.told, (letter.file, letter.number, name)


def test_the_person_to_answer_is_told_and_nobody_else():
    for letter in LETTERS:
        found = [fact.value.split(" <")[0] for fact in named(letter, "contact")]
        wanted = letter.told.get("contact", "").split(" <")[0]
        assert found == ([wanted] if wanted else []), (letter.file, letter.number)


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: f"{letter.file} {letter.number}")
def test_every_span_stands_where_it_says(letter: Letter):
    message = letter.parsed()
    whole = {
        "subject": message.subject,
        "text": message.body,
        "header": header_text(message.sender),
        "signature": message.signature,
    }
    for fact in facts_of(read_text(message)):
        span = fact.span
        assert span.end > span.start
        assert whole[span.source][span.start : span.end] == span.text
        assert fact.value
