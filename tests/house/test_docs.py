"""Every setting, command, task kind, failure code, refusal and route has its line in `docs/`."""

import re
from pathlib import Path

import pytest
from house.source_files import ROOT, import_everything, tracked

from schema.errors import every_refusal
from schema.failures import FAILURES
from schema.settings import variables
from schema.tasks import CATALOGUE

import_everything()
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


@pytest.mark.parametrize("variable", sorted(variables()))
def test_every_setting_is_documented(variable: str):
    assert f"`{variable}`" in page("settings.md")


@pytest.mark.parametrize("kind", sorted(kind for kind in CATALOGUE if not kind.startswith("test.")))
def test_every_task_kind_is_documented(kind: str):
    assert f"`{kind}`" in page("queue.md")


@pytest.mark.parametrize("code", sorted(FAILURES))
def test_every_failure_code_is_documented(code: str):
    assert f"`{code}`" in page("queue.md")


@pytest.mark.parametrize("code", sorted({refusal.code for refusal in every_refusal()}))
def test_every_refusal_is_documented(code: str):
    assert f"`{code}`" in page("errors.md")


def test_every_page_stands_in_the_index():
    named = set(LINK.findall(page("README.md")))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"} <= named


@pytest.mark.parametrize("path", tracked(".md"), ids=str)
def test_every_link_in_the_docs_leads_somewhere(path: Path):
    text = (ROOT / path).read_text()
    broken = [target for target in LINK.findall(text) if not (ROOT / path.parent / target).exists()]
    assert not broken
