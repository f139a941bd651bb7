"""A planner of a few lines, so that the engine is tested without a server.

It knows one fictional person and the plainest words for each fact.
"""

import re
from typing import Any

PERSON = {
    "first_name": "Morgan",
    "last_name": "Reyes",
    "full_name": "Morgan Reyes",
    "preferred_name": "Morgan",
    "email": "morgan.reyes@example.com",
    "phone": "+44 7700 900123",
    "linkedin": "https://linkedin.com/in/morgan-reyes-example",
    "country": "United Kingdom",
    "location": "London, United Kingdom",
    "resume": "morgan-reyes.pdf",
}

WORDS = [
    ("first_name", r"\bfirst name"),
    ("last_name", r"\blast name"),
    ("preferred_name", r"name you'd prefer|preferred name"),
    ("full_name", r"^(full )?name$"),
    ("email", r"^e-?mail( address)?$"),
    ("phone", r"^phone$"),
    ("linkedin", r"linkedin"),
    ("country", r"^country$|country of residence"),
    ("location", r"^location"),
]


def plan_line(field: dict[str, Any], by_label: dict[str, str]) -> dict[str, Any]:
    """One line of a plan in the shape of the protocol."""
    line = {
        "key": field["key"],
        "action": "fill",
        "value": None,
        "option": None,
        "document_id": None,
        "reason": None,
    }
    if field["kind"] == "file":
        return line | {"document_id": 2 if "cover" in field["label"].lower() else 1}
    value = by_label.get(field["label"]) or meant(field["label"])
    if value is None:
        return line | {"action": "leave", "reason": "not_understood"}
    return line | {"option" if field["kind"] not in {"text", "textarea"} else "value": value}


def meant(label: str) -> str | None:
    for fact, words in WORDS:
        if re.search(words, label, re.IGNORECASE):
            return PERSON[fact]
    return None
