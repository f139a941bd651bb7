"""Numbers are fitted to labelled pairs: the same for the same, with signs kept, within the budget."""

from msgspec.structs import asdict

from matcher.evidence.weights import Decision, current_weights
from matcher.fitting.cases import Case, Option, names_of, probing
from matcher.fitting.choosing import better, tried
from matcher.fitting.judging import Tally, attaches, scored, tally
from matcher.fitting.strengths import fitted
from matcher.fitting.thresholds import LEAST_MARGIN, chosen

STRENGTHS = {name: float(value) for name, value in asdict(current_weights().strength).items()}
LIMITS = Decision(attach=5.0, margin=2.0, contradiction=-1.5, plausible=2.5)


def option(*names: str, is_truth: bool = False, vetoed: bool = False, unsure: tuple[str, ...] = ()) -> Option:
    sure = tuple(name for name in names if name not in unsure)
    return Option(is_truth=is_truth, vetoed=vetoed, names=names, sure=sure)


def case(*options: Option, truth: int = 1, decidable: bool = True, may: bool = True, box: str = "a") -> Case:
    return Case(
        mailbox=box, id="m", family="", truth=truth, decidable=decidable, may_attach=may, options=options
    )


NAMED = ("employer_named", "role_same", "time_near")


def test_a_case_is_judged_as_the_machine_would():
    hand = {**STRENGTHS, "employer_named": 4.0, "role_same": 3.0, "time_near": 1.0, "role_other": -3.0}
    right, other = option(*NAMED, is_truth=True), option("employer_named", "role_other")
    found = scored(case(right, other), hand)
    assert (found.sure, found.margin, found.worst) == (8.0, 7.0, 0.0)
    assert attaches(found, LIMITS)
    assert not attaches(scored(case(right, option(*NAMED)), hand), LIMITS)
    assert not attaches(scored(case(right, may=False), hand), LIMITS)
    assert not attaches(scored(case(option(*NAMED, vetoed=True)), hand), LIMITS)
    assert not attaches(scored(case(option(*NAMED, "posting_url", "role_other")), hand), LIMITS)
    doubted = option(*NAMED, unsure=("employer_named", "role_same"))
    assert scored(case(doubted), hand).sure == 1.0


def test_right_and_wrong_links_are_counted():
    cases = [
        case(option(*NAMED, is_truth=True)),
        case(option(*NAMED), option("thread", is_truth=True)),
        case(option(*NAMED, is_truth=True), decidable=False),
        case(option(*NAMED), truth=0),
        case(),
    ]
    told = tally([scored(each, STRENGTHS) for each in cases], LIMITS)
    assert (told.right, told.wrong, told.wanted, told.count) == (1, 3, 3, 5)


def test_mail_about_what_was_derived_is_neither_right_nor_wrong():
    derived = Option(is_truth=False, vetoed=False, is_derived=True, names=NAMED, sure=NAMED)
    assert case(derived, truth=0).is_derived_alone
    assert not case(derived, option(*NAMED, is_truth=True)).is_derived_alone
    assert not case(option(*NAMED), truth=0).is_derived_alone


def test_every_number_is_told_apart_when_probed():
    told = asdict(probing(current_weights()).strength)
    assert len(set(told.values())) == len(told)
    assert {names_of(current_weights())[value] for value in told.values()} == set(told)


def test_thresholds_keep_the_wrong_links_out():
    lone = option("employer_named", "time_near")
    mail = [case(option(*NAMED, is_truth=True))] * 900
    mail += [case(option("employer_named", "time_near", is_truth=True))] * 50 + [case(lone, truth=0)] * 50
    found = [scored(each, STRENGTHS) for each in mail]
    limits = chosen(found, LIMITS)
    told = tally(found, limits)
    assert (told.right, told.wrong) == (900, 0)
    assert limits.margin >= LEAST_MARGIN
    assert limits.plausible <= limits.attach


def test_strengths_follow_the_mail_keep_their_signs_and_repeat_themselves():
    mail = [case(option("employer_named", "tenant", is_truth=True))] * 300
    mail += [case(option("employer_named", "contact"), truth=0)] * 300
    one, two = (fitted(mail, STRENGTHS, 5.0) for _ in range(2))
    assert one == two
    assert one["tenant"] / one["contact"] > STRENGTHS["tenant"] / STRENGTHS["contact"]
    assert all((one[name] > 0) == (value > 0) for name, value in STRENGTHS.items())
    assert all(round(value, 2) == value for value in one.values())


def test_employer_and_title_stay_enough_whatever_the_mail_says():
    mail = [case(option(*NAMED, "tenant", is_truth=True))] * 300
    mail += [case(option("employer_named", "role_same"), truth=0)] * 300
    told = fitted(mail, STRENGTHS, 5.0)
    assert told["employer_named"] + told["role_same"] >= 5.0
    assert chosen([scored(each, told) for each in mail], LIMITS, 5.0).attach <= 5.0


def test_fitted_numbers_must_be_better_where_they_were_not_fitted():
    mail = [case(option(*NAMED, is_truth=True), box=box) for box in ("a", "b", "c") for _ in range(200)]
    told = tried(mail, current_weights())
    assert better(told).way == "by hand"
    assert told["by hand"].elsewhere == Tally(right=600, wrong=0, wanted=600, count=600)
