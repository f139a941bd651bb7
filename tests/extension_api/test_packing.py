"""What goes to the stores: one zip for each browser, the same every time, and nothing that is not needed."""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from fixtures.npm import node_program

from extension_api.packing import BROWSERS, SOURCE, Browser, Unpackable, files_for, pack, page_script, unpack


@pytest.mark.parametrize("browser", BROWSERS)
def test_packing_again_gives_the_same_bytes(browser: Browser, tmp_path: Path):
    digests = {hashlib.sha256(pack(browser, tmp_path / at).read_bytes()).hexdigest() for at in "ab"}
    assert len(digests) == 1


@pytest.mark.parametrize("browser", BROWSERS)
def test_a_zip_holds_what_is_used_and_nothing_else(browser: Browser):
    files = files_for(browser)
    assert not [name for name in files if name.endswith((".d.ts", ".md")) or name.startswith("form/")]
    assert {
        "background.js",
        "content/start.js",
        "panel/panel.html",
        "_locales/fr/messages.json",
    } <= files.keys()
    assert files.keys() - {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*")} == set()


def test_no_file_of_a_packed_extension_is_open_to_pages():
    for browser in BROWSERS:
        manifest = json.loads(files_for(browser)["manifest.json"])
        assert not {"web_accessible_resources", "externally_connectable", "key"} & manifest.keys()


def test_each_browser_gets_the_keys_it_knows():
    chromium, firefox = (json.loads(files_for(one)["manifest.json"]) for one in BROWSERS)
    assert chromium["background"] == {"service_worker": "background.js", "type": "module"}
    assert firefox["background"] == {"scripts": ["background.js"], "type": "module"}
    assert not {"sidebar_action", "browser_specific_settings"} & chromium.keys()
    assert not {"side_panel", "minimum_chrome_version"} & firefox.keys()
    assert set(chromium["permissions"]) - set(firefox["permissions"]) == {"sidePanel"}


def test_the_pages_side_is_one_script_that_node_can_read(tmp_path: Path):
    script = tmp_path / "start.js"
    script.write_text(page_script())
    checked = subprocess.run(
        [node_program(), "--check", str(script)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    "module",
    [
        'import everything from "./b.js";\n',
        'import * as all from "./b.js";\n',
        "export default 1;\n",
        'import { a } from "./page.js";\n',
    ],
)
def test_what_cannot_be_put_into_one_script_is_said(module: str, tmp_path: Path):
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "b.js").write_text("export const b = 1;\n")
    (tmp_path / "content" / "page.js").write_text(module)
    with pytest.raises(Unpackable):
        page_script(tmp_path)


def test_the_check_of_the_firefox_store_finds_nothing(store_tools: Path, tmp_path: Path):
    program = store_tools / "node_modules" / "web-ext" / "bin" / "web-ext.js"
    folder = unpack("firefox", tmp_path / "firefox")
    checked = subprocess.run(
        [
            node_program(),
            program,
            "lint",
            "--source-dir",
            folder,
            "--output",
            "json",
            "--no-config-discovery",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(checked.stdout)
    assert [*found["errors"], *found["warnings"], *found["notices"]] == []
