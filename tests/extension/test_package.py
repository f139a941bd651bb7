"""What ships: narrow permissions, words in every language, no remote code, modules that reach each other."""

import json
import re
from pathlib import Path

import pytest

EXTENSION = Path(__file__).parents[2] / "extension"
SCRIPTS = sorted(EXTENSION.rglob("*.js"))
MANIFEST = json.loads((EXTENSION / "manifest.json").read_text())
LANGUAGES = {
    folder.name: json.loads((folder / "messages.json").read_text())
    for folder in sorted((EXTENSION / "_locales").iterdir())
}
COMPOSED = re.compile(r"(?:source|draft|reason|outcome|detail|trouble|submission)_")
"""Words looked up by a code that is not written out in the source."""


def test_the_permissions_are_these_and_no_more():
    assert MANIFEST["permissions"] == ["activeTab", "contextMenus", "scripting", "sidePanel", "storage"]
    assert "host_permissions" not in MANIFEST
    assert "content_scripts" not in MANIFEST
    assert "<all_urls>" not in json.dumps(MANIFEST)
    assert "key" not in MANIFEST


def test_the_optional_hosts_are_the_platforms_and_nothing_else():
    hosts = re.findall(r'host: "([^"]+)"', (EXTENSION / "platforms.js").read_text())
    assert MANIFEST["optional_host_permissions"] == [f"https://*.{host}/*" for host in hosts]


def test_every_file_the_manifest_names_is_there():
    named = [
        *MANIFEST["icons"].values(),
        MANIFEST["background"]["service_worker"],
        MANIFEST["side_panel"]["default_path"],
        MANIFEST["options_ui"]["page"],
    ]
    assert [name for name in named if not (EXTENSION / name).is_file()] == []


def test_pages_may_load_only_what_the_content_script_needs():
    needed = reached_from(EXTENSION / "content" / "page.js")
    patterns = MANIFEST["web_accessible_resources"][0]["resources"]
    opened = {
        script
        for script in SCRIPTS
        if any(re.fullmatch(p.replace(".", r"\.").replace("*", ".*"), name_of(script)) for p in patterns)
    }
    assert opened == needed


def test_no_script_runs_text_as_code_or_writes_markup():
    forbidden = re.compile(
        r"\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|\beval\(|new Function\(|document\.write"
    )
    assert [name_of(script) for script in SCRIPTS if forbidden.search(script.read_text())] == []


def test_one_file_talks_to_the_network():
    assert [
        name_of(script)
        for script in SCRIPTS
        if re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon", script.read_text())
    ] == ["api.js"]


def test_no_page_can_speak_to_the_extension():
    assert "externally_connectable" not in MANIFEST
    listens = re.compile(
        r"""Listener\(["']message|onmessage|onMessageExternal|onConnectExternal|postMessage"""
    )
    assert [name_of(script) for script in SCRIPTS if listens.search(script.read_text())] == []


def test_the_form_engine_knows_no_browser_extension():
    engine = [script for script in SCRIPTS if script.is_relative_to(EXTENSION / "form")]
    assert len(engine) > 10
    assert [
        name_of(script) for script in engine if re.search(r"\b(?:chrome|browser)\.", script.read_text())
    ] == []


def test_the_engine_never_sends_a_form():
    engine = [script for script in SCRIPTS if script.is_relative_to(EXTENSION / "form")]
    sends = re.compile(r"\.(?:submit|requestSubmit)\(")
    assert [name_of(script) for script in engine if sends.search(script.read_text())] == []


def test_every_language_has_the_same_words():
    english = LANGUAGES["en"]
    assert LANGUAGES.keys() == {"de", "en", "fr"}
    for words in LANGUAGES.values():
        assert words.keys() == english.keys()
        assert [key for key in english if blanks(words[key]) != blanks(english[key])] == []


def test_every_word_that_is_asked_for_exists_and_every_other_is_gone():
    files = [file for file in EXTENSION.rglob("*") if file.suffix in {".js", ".html"}]
    sources = "\n".join(file.read_text() for file in files) + json.dumps(MANIFEST)
    asked = re.findall(r'say\("(\w+)"|data-words(?:-label)?="(\w+)"|__MSG_(\w+)__', sources)
    assert {key for found in asked for key in found if key} <= LANGUAGES["en"].keys()
    written_out = re.findall(r'"__MSG_(\w+)__"|"(\w+)"', sources)
    known = {key for found in written_out for key in found}
    assert [key for key in LANGUAGES["en"] if key not in known and not COMPOSED.match(key)] == []


@pytest.mark.parametrize("kind", ["Reason", "OutcomeName", "Source"])
def test_every_word_of_the_protocol_has_words_for_a_person(kind: str):
    declared = re.search(rf"export type {kind} =([^;]+);", (EXTENSION / "protocol.d.ts").read_text())
    assert declared
    prefix = {"Reason": "reason", "OutcomeName": "outcome", "Source": "source"}[kind]
    assert [
        word for word in re.findall(r'"(\w+)"', declared[1]) if f"{prefix}_{word}" not in LANGUAGES["en"]
    ] == []


def reached_from(script: Path) -> set[Path]:
    found = {script}
    for name in re.findall(
        r'^(?:import|export) .*?from "(\.[^"]+)";', script.read_text(), re.MULTILINE | re.DOTALL
    ):
        found |= reached_from((script.parent / name).resolve())
    return found


def name_of(script: Path) -> str:
    return str(script.relative_to(EXTENSION))


def blanks(message: dict[str, str]) -> set[str]:
    return set(re.findall(r"\$\d", message["message"]))
