"""A truth file goes through the real matcher on a real database, and every figure is checked by hand."""

import json
from pathlib import Path

import pytest
from fixtures.people import FixedClock, insert_account

from matcher.evaluation.figures import figures, group
from matcher.evaluation.judging import Judged
from matcher.evaluation.reading import read_truth
from matcher.evaluation.report import json_lines, lines
from matcher.evaluation.run import Outcome, Speed, evaluated, prepared
from schema.db import Database
from schema.ids import AccountId

RELAY = {"from": "no-reply@greenhouse.io", "from_name": "Brimvale Systems", "subject": "Your application"}
RECEIPT = "Thank you for applying to the {} position at {}. We have received your application."
REFUSAL = "Unfortunately we have decided not to move forward with your application to Brimvale Systems."
BOX = {"mailbox": {"name": "one", "owner": "Maren Tolk <maren@post.example>"}}


def application(name: str, role: str, **more: object) -> dict[str, object]:
    row = {"id": name, "company": "Brimvale Systems", "role": role, "applied_on": "2025-03-04", **more}
    return {"application": row}


def message(name: str, body: str, truth: object, **more: object) -> dict[str, object]:
    row = {"id": name, "body": body, "truth": truth, "sent_at": "2025-03-09T10:00:00Z", **RELAY, **more}
    return {"message": row}


class Evaluation:
    def __init__(self, database: Database, owner_url: str, clock: FixedClock) -> None:
        self._database, self._owner_url, self._clock = database, owner_url, clock
        self.heard: set[str] = set()

    async def __call__(self, *rows: dict[str, object], shuffle: int | None = None) -> Outcome:
        truth = read_truth("\n".join(map(json.dumps, rows)).encode(), Path())
        mail = prepared(truth, self._hear, shuffle=shuffle)
        return await evaluated(self._database, self._clock, self._account, mail, self._hear)

    async def _account(self, address: str) -> AccountId:
        return insert_account(self._owner_url, address)

    def _hear(self, doing: str, done: int, total: int) -> None:
        assert 0 <= done <= total
        self.heard.add(doing)


@pytest.fixture
def evaluation(database: Database, owner_url: str, clock: FixedClock) -> Evaluation:
    return Evaluation(database, owner_url, clock)


def by_id(outcome: Outcome) -> dict[str, Judged]:
    return {each.id: each for each in outcome.judged}


async def test_right_missed_and_abstained_are_told_apart(evaluation: Evaluation):
    outcome = await evaluation(
        BOX,
        application("a1", "Data Engineer"),
        application("a2", "Web Designer"),
        message("m1", RECEIPT.format("Data Engineer", "Brimvale Systems"), "a1", family="one", language="en"),
        message("m2", REFUSAL, ["a1", "a2"], decidable=False, family="two"),
        message("m3", REFUSAL, "a2", family="two"),
        message("m4", "Shall we have soup on Sunday?", None, **{"from": "ben@post.example", "from_name": ""}),
    )
    found = by_id(outcome)
    assert {name: each.verdict for name, each in found.items()} == {
        "m1": "right",
        "m2": "abstained",
        "m3": "missed",
        "m4": "abstained",
    }
    assert (found["m1"].attached, found["m2"].said, found["m2"].rank) == ("a1", "asks", 1)
    assert found["m4"].said == "unseen" or found["m4"].said == "none"
    told = figures(outcome)
    assert (told.whole.recall.hits, told.whole.recall.of) == (1, 2)
    assert (told.whole.precision.value, told.whole.asked, told.whole.top_3.value) == (1.0, 2, 1.0)
    assert {each.name: each.count for each in told.families} == {"one": 1, "two": 2}
    assert [each.name for each in told.languages] == ["en"]
    assert {"Recording applications", "Reading messages", "Storing messages", "Matching messages"} <= (
        evaluation.heard
    )


async def test_what_is_attached_against_the_truth_is_wrong(evaluation: Evaluation):
    receipt = RECEIPT.format("Data Engineer", "Brimvale Systems")
    outcome = await evaluation(
        BOX,
        application("a1", "Data Engineer"),
        message("m1", receipt, None),
        message("m2", receipt + " Again.", "a1", decidable=False),
        message("m3", receipt + " Again and again.", "a1"),
    )
    assert [each.verdict for each in outcome.judged] == ["wrong", "wrong", "right"]
    whole = figures(outcome).whole
    assert (whole.wrong, whole.precision.hits, whole.precision.of) == (2, 1, 3)
    assert (whole.abstained.value, whole.left_alone.value) == (0.0, 0.0)
    wrong = [line for line in lines(outcome) if line.startswith("WRONG")]
    assert wrong[0].startswith("WRONG m1 (-): none; attached to a1 by sure:")
    assert "undecidable" in wrong[1]


async def test_a_derived_application_is_no_wrong_link_where_its_mail_is_about_it(evaluation: Evaluation):
    receipt = RECEIPT.format("Baker", "Tessel")
    outcome = await evaluation(
        BOX,
        application("a1", "Data Engineer"),
        message("m1", receipt, None, from_name="Tessel", about={"company": "Tessel", "role": "Baker"}),
        message("m2", RECEIPT.format("Cook", "Tessel"), None, from_name="Tessel"),
    )
    found = by_id(outcome)
    assert (found["m1"].verdict, found["m1"].attached) == ("derived", "derived: Tessel, Baker")
    assert found["m2"].verdict == "wrong"
    told = figures(outcome).derived
    assert (told.right, told.spurious, told.messages) == (1, 1, 1)
    assert figures(outcome).whole.precision.of == 1


async def test_without_any_word_about_unrecorded_jobs_the_message_must_name_both(evaluation: Evaluation):
    outcome = await evaluation(
        BOX, message("m1", RECEIPT.format("Baker", "Tessel"), None, from_name="Tessel")
    )
    assert by_id(outcome)["m1"].verdict == "derived"
    assert figures(outcome).derived.right == 1


async def test_what_a_person_confirmed_before_teaches_and_is_not_measured(evaluation: Evaluation):
    pia = {"from": "pia@brimvale.example", "from_name": "Pia", "thread": "17"}
    outcome = await evaluation(
        BOX,
        application("a1", "Data Engineer"),
        application("a2", "Web Designer"),
        message("m1", "Hello, about your application: I am in charge of it.", "a2", confirmed=True, **pia),
        message("m2", REFUSAL, "a2", **pia),
    )
    assert [each.id for each in outcome.judged] == ["m2"]
    assert outcome.judged[0].rank == 1 or outcome.judged[0].verdict == "right"


async def test_known_contacts_and_other_names_count(evaluation: Evaluation):
    renamed = RECEIPT.format("Data Engineer", "Quorvane")
    rows = [message("m1", renamed, "a1", from_name="Quorvane")]
    assert (await evaluation(BOX, application("a1", "Data Engineer"), *rows)).judged[0].verdict != "right"
    box = {"mailbox": {"name": "two", "owner": "two@post.example"}}
    known = application(
        "a1", "Data Engineer", aliases=["Quorvane", "Brimvale Systems"], contacts=["p@q.example"]
    )
    assert (await evaluation(box, known, *rows)).judged[0].verdict == "right"


async def test_any_order_and_two_people_give_the_same(evaluation: Evaluation):
    own = [
        application("a1", "Data Engineer"),
        message("m1", RECEIPT.format("Data Engineer", "Brimvale Systems"), "a1"),
        message("m2", REFUSAL, "a1"),
        message("m3", RECEIPT.format("Baker", "Tessel"), None),
    ]
    outcome = await evaluation(BOX, *own, {"mailbox": {"name": "two"}}, *own, shuffle=7)
    by_person = {
        name: {each.id: (each.verdict, each.pattern) for each in outcome.judged if each.person == name}
        for name in ("one", "two")
    }
    assert by_person["one"] == by_person["two"]
    assert len(outcome.judged) == 6


def test_few_links_prove_nothing_and_many_wrong_ones_do():
    def judged(verdict: str) -> Judged:
        return Judged(
            id="m", person="", family="", language="", expected="one", truth=("a",), said="attached",
            verdict=verdict, attached="a", rank=1, pattern="", score=None, margin=None, subject="",
        )  # type: ignore[arg-type]  # fmt: skip

    def bar(right: int, wrong: int) -> bool | None:
        found = (*[judged("right")] * right, *[judged("wrong")] * wrong)
        speed = Speed(messages=len(found), reading=1, storing=1, matching=1)
        outcome = Outcome(judged=found, derived=(), speed=speed, notes=())
        return figures(outcome).bars[0].holds

    assert [bar(5, 0), bar(400, 0), bar(400, 1), bar(2000, 1)] == [None, True, False, True]
    assert group("none", []).precision.value is None


async def test_the_report_in_json_has_a_row_for_everything(evaluation: Evaluation):
    outcome = await evaluation(
        BOX,
        application("a1", "Data Engineer"),
        message("m1", REFUSAL, None, family="f", language="en"),
        message("m2", "I write about the Data Engineer role.", "a1", from_name="", **{"from": "x@y.example"}),
        {"note": "passed over"},
    )
    rows = [json.loads(line) for line in json_lines(outcome)]
    kinds = [row["row"] for row in rows]
    assert kinds[:5] == ["whole", "bar", "bar", "bar", "bar"]
    assert {"derived", "speed", "family", "language", "wrong", "missed", "note"} <= set(kinds)
    wrong = next(row["message"] for row in rows if row["row"] == "wrong")
    assert (wrong["id"], wrong["attached"], wrong["subject"]) == ("m1", "a1", "Your application")
