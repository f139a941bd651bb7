"""The measuring of forms: a report is held to be true of each field, not of how many there are."""

from benchmarks.forms.pages import Filled
from benchmarks.forms.rebuilt import Looked, judge

TRUTH = {"right": {"email": "m@example.com", "phone": "1"}, "dropdowns": [], "called": {"i4": "phone"}}


def judged(told: dict[str, str], held: dict[str, str]) -> list[str]:
    done = Filled(outcomes={key: (outcome, "") for key, outcome in told.items()})
    return judge("form", Looked(state=held, touched=[], submits=0, open_lists=0), done, TRUTH).untrue


def test_what_is_told_and_held_is_true():
    told = {"text:email": "filled", "combobox:i4": "already", "text:work--title~2": "left"}
    assert judged(told, {"email": "m@example.com", "phone": "1"}) == []
    assert judged({"1/text:title~2": "filled"}, {"work-1--title": "Gardener"}) == []


def test_one_lie_for_another_is_found_though_the_counts_agree():
    told = {"text:email": "filled", "combobox:i4": "failed"}
    assert judged(told, {"phone": "1"}) == ["phone held, not told", "email told, not held"]
