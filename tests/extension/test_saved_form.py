"""A saved real form: its fields are found and named, the plain ones filled, the report true of each."""

import json
import re
from pathlib import Path

import pytest
import pytest_asyncio
from extension.conftest import Form

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

HELD = """(selectors) => selectors.map((selector) => {
  const one = document.querySelector(selector);
  return one.type === "file" ? (one.files[0]?.name ?? "") : one.value;
})"""

SUBMITS = """() => {
  window.submits = 0;
  addEventListener("submit", (event) => { event.preventDefault(); window.submits += 1; }, true);
}"""


class Labelled:
    """The truth about one field: where it stands, what it means, and the values that are right."""

    def __init__(self, row: list[str], persona: dict[str, list[str]]) -> None:
        self.selector, self.control, self.meaning, self.group = row
        self.right = persona.get(self.meaning, [])

    @property
    def name(self) -> str:
        return self.selector.removeprefix("#")

    def is_right(self, value: str) -> bool:
        return any(loose(one) in {loose(value), loose(value).removeprefix("44")} for one in self.right)


def loose(value: str) -> str:
    bare = re.sub(r"^https?://(www\.)?|/$", "", value.lower())
    return re.sub(r"[\s+()-]", "", bare)


@pytest.fixture
def truth(shared_data: Path) -> list[Labelled]:
    known = json.loads((shared_data / "forms" / "labels.json").read_text())
    return [Labelled(row, known["persona"]) for row in known["labels"]["gh_gitlab"]]


@pytest_asyncio.fixture(loop_scope="session")
async def saved(form: Form, shared_data: Path) -> Form:
    form.server.pages["/jobs/1"] = shared_data / "forms" / "greenhouse" / "gh_gitlab.html"
    return await form.open("/jobs/1")


async def test_exactly_the_labelled_fields_are_found_and_named(saved: Form, truth: list[Labelled]):
    fields = await saved.fields()
    assert [one["name"] for one in fields] == [one.name for one in truth]
    # A file field is called by what it asks for and not by its button.
    assert [one["label"] for one in fields if one["kind"] == "file"] == ["Resume/CV", "Cover Letter"]
    required = {one["name"] for one in fields if one["required"]}
    assert {"first_name", "last_name", "email", "resume", "question_37197594002"} <= required
    assert not {"phone", "cover_letter", "gender", "question_37197588002"} & required
    assert (await saved.field("Gender"))["section"] == "Voluntary Self-Identification"
    assert (await saved.field("Country"))["group"] == "Phone"


async def test_plain_fields_are_filled_right_and_the_report_is_true_of_every_field(
    saved: Form, truth: list[Labelled]
):
    """Also of a list that does not open, and of a guarded field that the plan asks for."""
    await saved.page.evaluate(SUBMITS)
    keys = {label: (await saved.field(label))["key"] for label in ("Country", "Gender")}
    report = await saved.fill(await saved.plan(Gender="Female"))
    held = await saved.page.evaluate(HELD, [one.selector for one in truth])
    plain = [
        (one, value)
        for one, value in zip(truth, held, strict=True)
        if one.group == "P" and one.control != "combo"
    ]
    assert len(plain) == 6
    assert not [(one.name, value) for one, value in plain if not one.is_right(value)]
    assert held[[one.meaning for one in truth].index("resume")] == "morgan-reyes.pdf"
    by_name = {key.split(":", 1)[1]: outcome for key, (outcome, _) in report.items()}
    assert {name for name, said in by_name.items() if said == "filled"} == {
        one.name for one, value in zip(truth, held, strict=True) if value
    }
    assert len(report) == len(truth)
    assert report[keys["Country"]] == ("failed", "list_did_not_open")
    assert await saved.value("#country") == ""
    assert report[keys["Gender"]] == ("refused", "equal_opportunity")
    await saved.undo()
    assert await saved.page.evaluate("() => submits") == 0
