"""The plan on questions and forms as employers really ask them, where those lie beside the checkout."""

import re
from pathlib import Path

import msgspec
import pytest
from fixtures.persona import MORGAN, RESUME
from selectolax.lexbor import LexborHTMLParser

from extension_api.answers.rules import plan
from extension_api.protocol import FieldDescription, FieldKind, PlannedField

KINDS: dict[str, FieldKind] = {"tel": "text", "combo": "combobox", "file": "file"}
QUESTION_KINDS: dict[str, FieldKind] = {
    "select": "select",
    "radio": "radio",
    "radio_or_checkbox": "radio",
    "radio_group": "radio",
    "boolean": "radio",
    "textarea": "textarea",
    "file": "file",
}
SUSPECT = re.compile(
    r"\b(?:not\b|never|without|referr|manager|relative|emergency|spouse|reference|agree|consent|certify|years?"
    r"|experience|citizen|born|race|gender|veteran|disab)",
    re.IGNORECASE,
)
KNOWN_RIGHT = re.compile(r"without (?:work visa )?sponsorship", re.IGNORECASE)


def described(page: LexborHTMLParser, selector: str, kind: str) -> FieldDescription:
    element = page.css_first(selector)
    assert element is not None
    identity = element.attributes.get("id") or ""
    labels = [one for one in page.css("label") if one.attributes.get("for") == identity]
    return FieldDescription(
        key=selector,
        label=" ".join(labels[0].text(separator=" ").split()) if labels else "",
        kind=KINDS.get(kind, "text"),
        type=element.attributes.get("type") or "",
        name=element.attributes.get("name") or identity,
        autocomplete=element.attributes.get("autocomplete") or "",
    )


@pytest.fixture
def gitlab(shared_data: Path) -> dict[str, tuple[str, PlannedField]]:
    """Each labelled field's kind of meaning, and its plan."""
    labels = msgspec.json.decode((shared_data / "forms" / "labels.json").read_bytes())["labels"]["gh_gitlab"]
    page = LexborHTMLParser((shared_data / "forms" / "greenhouse" / "gh_gitlab.html").read_text())
    fields = [described(page, selector, kind) for selector, kind, _, _ in labels]
    lines = plan(fields, MORGAN, [RESUME])
    return {
        f"{selector} {meaning}": (letter, line)
        for (selector, _, meaning, letter), line in zip(labels, lines, strict=True)
    }


def test_every_plain_fact_of_a_real_form_is_right(gitlab: dict[str, tuple[str, PlannedField]]):
    right = {
        "first_name": "Morgan",
        "last_name": "Reyes",
        "email": "morgan.reyes@example.com",
        "country": "United Kingdom",
        "phone": "+44 7700 900123",
        "linkedin": "https://linkedin.com/in/morgan-reyes-example",
        "preferred_name": "Mo",
    }
    plain = {name.split(" ")[1]: line for name, (letter, line) in gitlab.items() if letter == "P"}
    assert {meaning: line.value or line.option for meaning, line in plain.items()} == right


def test_nothing_else_of_a_real_form_is_filled_but_the_resume(gitlab: dict[str, tuple[str, PlannedField]]):
    filled = [name for name, (letter, line) in gitlab.items() if letter != "P" and line.action == "fill"]
    assert filled == ["#resume resume"]


def test_no_question_of_three_thousand_real_ones_is_filled_that_reads_like_another(shared_data: Path):
    lines_of_file = (shared_data / "forms" / "questions.jsonl").read_bytes().splitlines()
    rows = [msgspec.json.decode(line) for line in lines_of_file]
    fields = [
        FieldDescription(
            key=str(at),
            label=row["label"],
            kind=QUESTION_KINDS.get(row["type"], "text"),
            options=[str(option) for option in row["options"]][:400],
        )
        for at, row in enumerate(rows)
    ]
    lines = [plan([field], MORGAN, [RESUME])[0] for field in fields]
    filled = [field.label for field, line in zip(fields, lines, strict=True) if line.action == "fill"]
    assert len(filled) > 100
    assert [label for label in filled if SUSPECT.search(KNOWN_RIGHT.sub("", label))] == []
