"""The whole corpus measured at once, in every part: the rules speak seldom wrongly, and never dangerously.

Every third letter of a file was kept back while the rules were written; it is measured on its own.
"""

import pytest
from fixtures.mail_corpus import NOTHING, Letter, counts, grouped, letters, said

from mailsync.classify.rules import classify

EVERY = letters()
TOLD = {"not_job_related", "open"}
GOOD_NEWS = {"acknowledgement", "assessment_invite", "interview_invite", "interview_scheduled", "offer"}


def measured(part: list[Letter]) -> list[tuple[str, str]]:
    return [(grouped(letter.kind), grouped(said(classify(letter.message())))) for letter in part]


def test_the_corpus_is_large_and_holds_every_kind():
    assert len(EVERY) >= 220
    assert len({letter.kind for letter in EVERY}) == 13
    assert len({(letter.subject, letter.text) for letter in EVERY}) == len(EVERY)


@pytest.mark.parametrize(
    ("kept_back", "decided", "right"), [(False, 0.9, 0.98), (True, 0.75, 0.97)], ids=["seen", "kept back"]
)
def test_the_rules_decide_most_letters_and_rightly(kept_back: bool, decided: float, right: float):
    pairs = measured([letter for letter in EVERY if letter.kept_back == kept_back])
    for kind, count in counts(pairs).items():
        print(f"{kind:22} precision {count.right}/{count.claimed} recall {count.right}/{count.wanted}")
    about_jobs = [(truth, told) for truth, told in pairs if truth != NOTHING]
    spoken = [(truth, told) for truth, told in about_jobs if told != "open"]
    print(f"decided {len(spoken)}/{len(about_jobs)}")
    assert len(spoken) >= decided * len(about_jobs)
    assert sum(truth == told for truth, told in spoken) >= right * len(spoken)


@pytest.mark.parametrize(
    "letter", [each for each in EVERY if each.kind == NOTHING], ids=lambda each: each.subject[:40]
)
def test_tempting_words_in_unrelated_mail_say_nothing(letter: Letter):
    assert said(classify(letter.message())) in TOLD


@pytest.mark.parametrize(
    "letter", [each for each in EVERY if grouped(each.kind) == "rejection"], ids=lambda each: each.text[:40]
)
def test_no_refusal_is_good_news(letter: Letter):
    assert not GOOD_NEWS & {event.kind for event in classify(letter.message()).events}
