"""Controls that are not what they look like: dates in parts, editors, lists of several, traps."""

from typing import Any

import pytest
from extension.conftest import Form

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WANTED: dict[str, Any] = {
    "Why do you want to work here?": "The work is real.\n\nAnd near.",
    "Which tools do you use?": ["Python", "Go"],
    "Start date": "2021-03",
    "First day": "2021-03-09",
    "Counted from nought": "2021-03",
    "Turned by arrows": "2021-03",
    "Available from": "2027-01-31",
    "Verfügbar ab": "2027-01-31",
    "May you work here?": "No",
    "Team": "Red team",
}
HELD = """() => ({
  why: document.getElementById("why").innerText.replace(/\\s+/g, " ").trim(),
  tools: [...document.getElementById("tools").selectedOptions].map((one) => one.text),
  start: [...document.querySelectorAll("fieldset:first-of-type select")].map(
    (one) => one.selectedOptions[0].text,
  ),
  day: ["d1", "m1", "y1"].map((id) => document.getElementById(id).value),
  nought: ["m0", "y0"].map((id) => document.getElementById(id).value),
  turned: ["sm", "sy"].map((id) => document.getElementById(id).getAttribute("aria-valuenow")),
  us: document.getElementById("us").value,
  de: document.getElementById("de").value,
  auth: document.getElementById("auth").value,
  team: window.team,
})"""


async def lines(form: Form, wanted: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    planned = []
    for field in await form.fields():
        value = wanted.get(field["label"])
        line = {"key": field["key"], "action": "fill" if value else "leave", "value": None, "option": None}
        line |= {"options": [], "document_id": None, "reason": None, **more}
        several = isinstance(value, list)
        planned.append(line | {"options" if several else "option": value or line["option"]})
    return [line | ({"options": []} if line["options"] is None else {}) for line in planned]


async def test_controls_of_their_own_kind_are_read_written_proven_and_put_back(form: Form):
    await form.open("/own/controls.html", open_ms=600, options_ms=800)
    fields = {one["label"]: one for one in await form.fields()}
    assert list(fields) == [*list(WANTED)[:8], "Gender", "May you work here?", "Team"], "and no trap"
    assert fields["Start date"]["type"] == "month"
    assert fields["First day"]["type"] == fields["Available from"]["type"] == "date"
    assert not fields["May you work here?"]["has_value"], "a placeholder is no answer"
    report = await form.fill(await lines(form, WANTED))
    said = {key: told for key, told in report.items() if told[0] != "left"}
    assert set(said.values()) == {("filled", "")}, said
    assert len(said) == len(WANTED)
    assert await form.page.evaluate(HELD) == {
        "why": "The work is real. And near.",
        "tools": ["Python", "Go"],
        "start": ["Mar", "2021"],
        "day": ["9", "3", "2021"],
        "nought": ["2", "2021"],
        "turned": ["3", "2021"],
        "us": "01/31/2027",
        "de": "31.01.2027",
        "auth": "3",
        "team": "Red team",
    }
    assert await form.page.evaluate("() => touched") == []
    again = await form.fill(await lines(form, WANTED))
    assert {outcome for outcome, _ in again.values()} == {"already", "left"}
    undone = await form.undo()
    assert {outcome for outcome, _ in undone.values()} <= {"undone", "not_undone"}
    held = await form.page.evaluate(HELD)
    assert (held["why"], held["tools"], held["us"], held["day"]) == ("", [], "", ["", "", ""])


async def test_what_does_not_fit_is_refused_and_nothing_of_it_is_written(form: Form):
    await form.open("/own/controls.html", open_ms=300, options_ms=400)
    wrong = {"Start date": "2021", "First day": "2021-03", "Which tools do you use?": ["Python", "Perl"]}
    wrong |= {"Team": "Blue team", "May you work here?": "Yes"}
    report = await form.fill(await lines(form, wrong))
    said = {key: outcome for key, (outcome, _) in report.items() if outcome != "left"}
    assert set(said.values()) == {"failed", "refused"}
    held = await form.page.evaluate(HELD)
    assert (held["start"], held["day"], held["tools"]) == (["Month", "Year"], ["", "", ""], [])
    assert await form.value("#loose") == ""
    assert (
        await form.page.evaluate(
            "() => [...document.querySelectorAll('[role=listbox]:not([hidden])')].length"
        )
        == 0
    )


async def test_a_statistical_question_is_answered_from_the_persons_own_choice_only(form: Form):
    await form.open("/own/controls.html")
    gender = (await form.field("Gender"))["key"]
    wanted = {"Gender": "I decline to say"}
    report = await form.fill(await lines(form, wanted, source="draft"))
    assert report[gender] == ("refused", "equal_opportunity")
    report = await form.fill(await lines(form, wanted, source="profile"))
    assert report[gender] == ("filled", "")


async def test_what_is_only_suggested_is_not_written(form: Form):
    await form.open("/own/controls.html")
    planned = await lines(form, {"Available from": "2027-01-31"})
    for line in planned:
        line["action"] = "suggest"
    report = await form.fill(planned)
    assert set(report.values()) == {("left", "suggested")}
    assert await form.value("#us") == ""


RENAMED = """<form><label>Email <input></label><label>Country <select id="country">
<option value="">Select</option><option value="gb">United Kingdom</option>
<option value="fr">France</option></select></label></form><script>
country.onchange = () => {
  for (const one of country.options) one.text = one.text.replace(/^✓ /, "");
  country.selectedOptions[0].text = "✓ " + country.selectedOptions[0].text;
};</script>"""


async def test_an_option_that_is_renamed_once_it_is_chosen_is_still_chosen(form: Form):
    form.server.pages["/renamed"] = RENAMED
    await form.open("/renamed")
    report = await form.fill(await form.plan(Country="United Kingdom"))
    assert report["select:country"] == ("filled", "")
    await form.page.select_option("#country", "fr")
    assert (await form.fill(await form.plan(Country="United Kingdom")))["select:country"][0] == "kept"


PATTERNS = {
    "YYYY/MM/DD": "2027/01/31",
    "AAAA-MM-JJ": "2027-01-31",
    "gg/mm/aaaa": "31/01/2027",
    "DD.MM.RRRR": "31.01.2027",
    "dd-mm-jjjj": "31-01-2027",
    "TT.MM.JJJJ": "31.01.2027",
    "MM / YYYY": "01 / 2027",
}


async def test_a_date_is_written_as_its_box_asks_in_any_language(form: Form):
    boxes = [f'<label>From {one} <input placeholder="{one}"></label>' for one in PATTERNS]
    form.server.pages["/date"] = f"<form>{''.join(boxes)}</form>"
    await form.open("/date")
    await form.fill(await form.plan(**{f"From {one}": "2027-01-31" for one in PATTERNS}))
    held = "(all) => Object.fromEntries(all.map((one) => [one.placeholder, one.value]))"
    assert await form.page.eval_on_selector_all("input", held) == PATTERNS
