"""Bad news is heard in any wording of every language, and little of what good news says is taken for it."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from fixtures.mail import mail

from mailsync.classify.model import brakes
from mailsync.classify.model.brakes import asserts_bad_news
from mailsync.classify.model.features import features_of
from mailsync.classify.model.labels import NEGATIVE
from mailsync.parse.message import parse_message
from mailsync.training.letters import letters
from mailsync.training.phrases import LANGUAGES, Split

GOOD = {"assessment_invite", "interview_invite", "interview_scheduled", "offer"}
FILE = Path(brakes.__file__).with_name("brakes.toml")


def hears(text: str) -> bool:
    return asserts_bad_news(features_of(parse_message(mail(text, subject="Hello"))))


@pytest.mark.parametrize(
    ("splits", "per_weight", "least_bad", "most_good"),
    [(("fit", "calibrate"), 8, 0.95, 0.10), (("test",), 40, 0.88, 0.18)],
    ids=["families the brakes were written by", "families nobody looked at"],
)
def test_refusals_are_held_and_good_news_is_not_in_every_language(
    splits: tuple[Split, ...], per_weight: int, least_bad: float, most_good: float
):
    told: Counter[tuple[str, bool]] = Counter()
    held: Counter[tuple[str, bool]] = Counter()
    for letter in (letter for split in splits for letter in letters(split, per_weight)):
        if letter.label in NEGATIVE or letter.label in GOOD:
            key = (letter.language, letter.label in NEGATIVE)
            told[key] += 1
            held[key] += asserts_bad_news(features_of(letter.message))
    shares = {key: held[key] / told[key] for key in told}
    assert {language for language, _ in shares} == set(LANGUAGES)
    for (language, is_bad), share in shares.items():
        assert share >= least_bad if is_bad else share <= most_good, (language, is_bad, share)


@pytest.mark.parametrize(
    "text",
    [
        "The hours have gone to one of our regulars.",
        "We thought long about it, and this is where it ends.",
        "On a pris quelqu'un d'autre.",
        "L'annonce est retirée.",
        "Die Auswahl fiel auf eine Mitbewerberin.",
        "Für die Stelle ist das Budget weg, sie entfällt.",
        "Al final se queda alguien de la casa.",
        "La plaza se ha amortizado.",
    ],
)
def test_it_is_heard_who_else_was_taken_and_what_became_of_the_post(text: str):
    assert hears(text)


def test_a_farewell_is_heard_as_one():
    for text in (
        "We wish you the best of luck with your search.",
        "Bonne continuation.",
        "Wir wünschen Ihnen für Ihren weiteren Weg viel Erfolg.",
        "Mucha suerte en tu búsqueda.",
    ):
        assert hears(text), text


@pytest.mark.parametrize(
    "text",
    [
        "It should only take half an hour, and you are going to meet the people of the team.",
        "The call has moved to another room, and the place has changed.",
        "Cliquez ici pour choisir un autre créneau ; descendez à l'arrêt de la gare.",
        "Ne venez pas avant neuf heures.",
        "Bitte sagen Sie, ob Sie ab Montag können; wir sind zehn Minuten vom Bahnhof entfernt.",
        "Pulsa aquí para confirmar, puedes cancelar la cita hasta el jueves.",
        "Sentimos las molestias por el cambio de hora.",
    ],
)
def test_plain_arrangements_are_not_heard(text: str):
    assert not hears(text)


@pytest.mark.parametrize(
    "text",
    [
        "Fuer die Rolle haben wir eine andere Besetzung.",
        "Wir haben sie ausgeschrieben, nun faellt sie weg.",
        "on a deja pris quelqu'un, le poste est attribue",
        "ya esta cubierto el puesto",
    ],
)
def test_it_is_heard_where_the_keyboard_lacked_the_accents(text: str):
    assert hears(text)


@pytest.mark.parametrize(
    "text",
    [
        "Don't hesitate to ring me, and there's no need to bring anything.",
        "You haven't finished the test yet; it takes no more than two hours.",
        "N'hésitez pas à m'appeler, pas de souci pour l'horaire.",
        "Vous n'avez pas encore signé votre contrat.",
        "Keine Sorge, bitte nicht vergessen: Montag um neun.",
        "Ihr Vertrag ist noch nicht unterschrieben.",
        "No olvides el DNI, no hace falta que prepares nada.",
        "Aún no has terminado la prueba.",
    ],
)
def test_negations_that_turn_nothing_down_are_not_heard(text: str):
    assert not hears(text)


@pytest.mark.parametrize(
    "text",
    [
        "Don't worry, but we can't take you.",
        "N'hésitez pas à revenir, mais le poste ne vous sera pas confié.",
        "Keine Sorge, es liegt nicht an Ihnen, wir stellen Sie nicht ein.",
        "No te preocupes, no has pasado el corte.",
    ],
)
def test_beside_a_courtesy_a_refusal_is_still_heard(text: str):
    assert hears(text)


def test_although_supposes_nothing_but_if_does():
    assert hears("Auch wenn uns Ihr Profil gefällt, wird es nichts.")
    assert not hears("Wenn es nichts wird, melden wir uns.")


def test_a_long_sentence_is_heard_in_linear_time():
    """Counted by what a pattern may repeat: nothing unbounded over words, nothing nested."""
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    patterns = [row["pattern"] for rows in told.values() for row in rows]
    assert len(patterns) > 20
    assert not [text for text in patterns if re.search(r"\\S[+*] ?\)[+*]|\.\*|\.\+|\}[+*]", text)]


def test_no_accented_letter_stands_in_a_set_where_it_would_lose_its_other_spelling():
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    for rows in told.values():
        for row in rows:
            assert not re.search(r"\[[^\]]*[äöüßàáâçéèêíîóôúûñ]", row["pattern"]), row["says"]
