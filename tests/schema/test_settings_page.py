"""docs/settings.md lists every setting, its default, what is allowed; `REGENERATE_DOCS=1` writes it anew."""

import ast
import os
from pathlib import Path

from schema import settings
from schema.settings import GROUPS

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
BEGIN, END = "<!-- settings, generated -->\n", "<!-- end -->\n"


def sentences() -> dict[tuple[str, str], str]:
    """(struct, field) to the sentence below the field, which exists only in the source."""
    found: dict[tuple[str, str], str] = {}
    for struct in ast.parse(Path(settings.__file__).read_text()).body:
        if not isinstance(struct, ast.ClassDef):
            continue
        for field, sentence in zip(struct.body, struct.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(sentence, ast.Expr)
                and isinstance(sentence.value, ast.Constant)
            ):
                found[struct.name, field.target.id] = " ".join(str(sentence.value.value).split())
    return found


def allowed(variable: str) -> str:
    if variable in settings._CHOICES:
        return ", ".join(settings._CHOICES[variable])
    if variable in settings._LIMITS:
        low, high = settings._LIMITS[variable]
        return f"{low:g} to {high:,.10g}"
    return ""


def table() -> str:
    told = sentences()
    lines: list[str] = []
    for _, struct in GROUPS:
        lines += [f"\n### {(struct.__doc__ or '').partition('.')[0]}\n"]
        lines += ["| variable | default | allowed | |", "|---|---|---|---|"]
        for name, default in zip(struct.__struct_fields__, struct.__struct_defaults__, strict=True):
            variable = settings._variable(struct, name)
            shown = (
                f"`{str(default).lower() if isinstance(default, bool) else default}`" if default != "" else ""
            )
            sentence = told[struct.__name__, name]
            lines.append(f"| `{variable}` | {shown} | {allowed(variable)} | {sentence} |")
    return "\n".join(lines) + "\n\n"


def test_the_list_of_settings_is_the_programs():
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    written, tail = rest.split(END)
    if os.environ.get("REGENERATE_DOCS"):
        PAGE.write_text(head + BEGIN + table() + END + tail)
        return
    assert written == table(), "run this test with REGENERATE_DOCS=1"
