"""French letters in every spelling mail gives them, what they name, and that no text takes long."""

import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from fixtures.mail import mail

from mailsync.classify.languages.load import languages
from mailsync.classify.rules import classify
from mailsync.classify.types import Reading
from mailsync.parse.message import parse_message
from schema.identity.names import comparable_company, title_parts

HERE = Path(__file__).parent
UNRELATED = (HERE / "unrelated.lines").read_text(encoding="utf-8").splitlines()
LINKEDIN = "LinkedIn <jobs-noreply@linkedin.com>"
NOBODY = "no-reply@x.example"


class Letter(msgspec.Struct, frozen=True):
    employer: str
    role: str
    subject: str
    text: str
    sender: str = NOBODY


def letters() -> list[Letter]:
    """`== employer | role | sender | subject` begins a letter; `-` stands for what nothing names."""
    found: list[Letter] = []
    for block in ("\n" + (HERE / "named.letters").read_text(encoding="utf-8")).split("\n== ")[1:]:
        head, _, text = block.partition("\n")
        employer, role, sender, subject = (part.strip() for part in head.split(" | ", 3))
        found.append(Letter(employer, role, subject, text, NOBODY if sender == "-" else sender))
    return found


def refusals_and_receipts() -> list[tuple[str, str]]:
    texts: list[tuple[str, str]] = []
    for kind in ("rejection", "acknowledgement"):
        blocks = ("\n" + (HERE / f"{kind}.txt").read_text(encoding="utf-8")).split("\n== ")[1:]
        texts += [(kind, text) for _, _, text in (block.partition("\n") for block in blocks) if text.strip()]
    return texts


def read(text: str, subject: str = "Votre candidature", sender: str = NOBODY) -> Reading:
    return classify(parse_message(mail(text, subject=subject, sender=sender)))


def without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text.replace("œ", "oe"))
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


SPELLINGS: dict[str, Callable[[str], str]] = {
    "without accents": without_accents,
    "accents apart": lambda text: unicodedata.normalize("NFD", text),
    "curly apostrophes": lambda text: text.replace("'", "\u2019"),
    "capitals": str.upper,
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_spelling_changes_nothing(spelling: str):
    wrong: list[tuple[str, str]] = []
    for kind, text in refusals_and_receipts():
        plain, spelled = read(text).events, read(SPELLINGS[spelling](text)).events
        if [event.kind for event in plain] != [event.kind for event in spelled]:
            wrong.append((kind, text))
    assert wrong == []


def test_apostrophes_may_be_missing():
    text = (
        "Nous n avons pas pu retenir votre candidature car d autres profils correspondent mieux a l emploi."
    )
    assert [event.kind for event in read(text).events] == ["rejection"]


@pytest.mark.parametrize("mark", ["retenu(e)", "retenu·e", "retenu.e", "retenu-e", "retenu/e", "retenue"])
def test_both_genders_may_be_written(mark: str):
    text = f"Vous n'avez pas été {mark} pour ce poste."
    assert [event.kind for event in read(text).events] == ["rejection"]


@pytest.mark.parametrize("letter", letters(), ids=lambda letter: letter.subject[:50])
def test_employer_and_role_are_named(letter: Letter):
    named = {fact.name: fact.value for fact in read(letter.text, letter.subject, letter.sender).facts}
    employer, role = named.get("employer", "-"), named.get("role", "-")
    assert comparable_company(employer) == comparable_company(letter.employer)
    assert title_parts(role).key == title_parts(letter.role).key


@pytest.mark.parametrize("text", UNRELATED, ids=lambda text: text[:50])
def test_mail_about_anything_else_says_nothing_about_an_application(text: str):
    reading = read(text, "Votre demande", "Service <info@service.example>")
    assert {event.kind for event in reading.events} <= {"not_job_related"}


@pytest.mark.parametrize("word", ["ne ", "d'", "candidat·e ", "votre candidature a ", "poste de A "])
def test_hostile_text_is_read_in_bounded_time(word: str):
    message = parse_message(mail(word * (200_000 // len(word)), subject=word * 900))
    started = time.process_time()
    classify(message)
    assert time.process_time() - started < 4


def test_a_refusal_beside_the_alerts_of_a_board_is_a_refusal():
    text = (
        "Nous avons décidé de ne pas donner suite à votre candidature.\n\n"
        "Offres d'emploi similaires\nComptable, Lyon\nVoir toutes les offres\n"
    )
    reading = read(text, "Votre candidature au poste de Comptable chez Orme", LINKEDIN)
    assert [event.kind for event in reading.events] == ["rejection"]


def test_half_a_letter_in_english_is_read_in_both_languages():
    text = (
        "Nous vous remercions pour votre candidature. Nous n'avons pas retenu votre profil.\n\n"
        "(English follows)\n\nThank you for your application. We have received it and will be in touch.\n"
    )
    assert next(iter(read(text).events)).kind == "rejection"


def test_the_subject_alone_may_refuse():
    reading = read("Bonjour Ada, voir ci-dessous.", "Votre candidature n'a pas été retenue")
    assert [event.kind for event in reading.events] == ["rejection"]


def test_english_mail_shows_no_french_words_of_work():
    french = next(language for language in languages() if language.code == "fr")
    assert french.signs.weak.findall("a candidate for candidates, and an opportunity") == []
    assert french.signs.weak.findall("un candidat, une opportunité") == ["candidat", "opportunité"]
