"""Packs `extension/` for the stores: a zip for Chromium, one for Firefox, the same bytes from the same files.

`python -m extension_api.packing dist` (`make extension`). The page's side becomes one classic script, so that
no page may load a file of the extension: modules are put one after the other as they are written, nothing is
shortened. What a browser does not know leaves its manifest. No release is made or sent from here.
"""

import re
import sys
import zipfile
from pathlib import Path
from typing import Literal

import msgspec

Browser = Literal["chromium", "firefox"]
BROWSERS: tuple[Browser, ...] = ("chromium", "firefox")
SOURCE = Path(__file__).parents[1] / "extension"

_PAGE = "content/page.js"
_START = "content/start.js"
_PLAIN = {".html", ".css", ".png"}
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)"(?: with \{[^}]*\})?;\n', re.MULTILINE)
_ALL_IMPORTS = re.compile(r'^import [^;]*? from "([^"]+)"(?: with \{[^}]*\})?;', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=((?:async )?function\*?|const|class) (\w+))", re.MULTILINE)
_UNKNOWN_EXPORT = re.compile(r"^export ", re.MULTILINE)
_SCRIPT = re.compile(r'<script type="module" src="([^"]+)">')
_TIME = (1980, 1, 1, 0, 0, 0)


class Unpackable(Exception):
    """A module is written in a way that cannot be put into one script."""


def files_for(browser: Browser, source: Path = SOURCE) -> dict[str, bytes]:
    """What the zip of this browser holds, by path, in the order it is written."""
    files = {"manifest.json": manifest_for(browser, source), _START: page_script(source).encode()}
    for path in source.rglob("*"):
        name = path.relative_to(source).as_posix()
        if path.suffix in _PLAIN or (name.startswith("_locales/") and path.is_file()):
            files[name] = path.read_bytes()
    scripts: set[Path] = set()
    for entry in _entries(source):
        _reach(entry, scripts)
    files |= {
        path.relative_to(source).as_posix(): path.read_bytes() for path in scripts if path.suffix == ".js"
    }
    return dict(sorted(files.items()))


def manifest_for(browser: Browser, source: Path = SOURCE) -> bytes:
    """The manifest without what the other browser alone understands."""
    manifest = msgspec.json.decode((source / "manifest.json").read_bytes(), type=dict[str, object])
    del manifest["web_accessible_resources"]
    background = msgspec.convert(manifest["background"], dict[str, object])
    if browser == "firefox":
        del background["service_worker"], manifest["side_panel"], manifest["minimum_chrome_version"]
        permissions = msgspec.convert(manifest["permissions"], list[str])
        manifest["permissions"] = [one for one in permissions if one != "sidePanel"]
    else:
        del background["scripts"], manifest["sidebar_action"], manifest["browser_specific_settings"]
    manifest["background"] = background
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def page_script(source: Path = SOURCE) -> str:
    """The page's side as one script; running it again in the same page does nothing."""
    done: dict[Path, str] = {}
    _put(source / _PAGE, source, done, ())
    return (
        "// Put together from the modules of the extension's source, in the order they need each other.\n"
        "globalThis.jobtrailPage ??= (() => {\n" + "".join(done.values()) + "return true;\n})();\n"
    )


def pack(browser: Browser, folder: Path, source: Path = SOURCE) -> Path:
    """Writes the zip and answers its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"jobtrail-{browser}.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as written:
        for name, content in files_for(browser, source).items():
            entry = zipfile.ZipInfo(name, _TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            written.writestr(entry, content)
    return target


def unpack(browser: Browser, folder: Path, source: Path = SOURCE) -> Path:
    """The same files as a folder, as a browser loads one."""
    for name, content in files_for(browser, source).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def _entries(source: Path) -> list[Path]:
    pages = source.rglob("*.html")
    named = [page.parent / found for page in pages for found in _SCRIPT.findall(page.read_text())]
    return [source / "background.js", *named]


def _reach(script: Path, found: set[Path]) -> None:
    path = script.resolve()
    if path in found:
        return
    found.add(path)
    if path.suffix == ".js":
        for name in _ALL_IMPORTS.findall(path.read_text()):
            _reach(path.parent / name, found)


def _put(script: Path, source: Path, done: dict[Path, str], above: tuple[Path, ...]) -> None:
    path = script.resolve()
    if path in done:
        return
    if path in above:
        raise Unpackable(f"{path.name} imports itself by way of others")
    text = path.read_text()
    for name in _ALL_IMPORTS.findall(text):
        _put(path.parent / name, source, done, (*above, path))
    done[path] = _wrapped(path, text, source)


def _wrapped(path: Path, text: str, source: Path) -> str:
    def bound(found: re.Match[str]) -> str:
        names = re.sub(r"\b(\w+) as (\w+)\b", r"\1: \2", " ".join(found[1].split()))
        return f"const {{ {names.rstrip(',')} }} = {_name(path.parent / found[2], source)};\n"

    body = _IMPORT.sub(bound, text)
    exported = [name for _, name in _EXPORT.findall(body)]
    body = _EXPORT.sub("", body)
    if _ALL_IMPORTS.search(body) or _UNKNOWN_EXPORT.search(body):
        raise Unpackable(f"{path.name} imports or exports in another way than by name")
    told = ", ".join(exported)
    return f"const {_name(path, source)} = (() => {{\n{body}return {{ {told} }};\n}})();\n"


def _name(path: Path, source: Path) -> str:
    return "of_" + re.sub(r"\W", "_", path.resolve().relative_to(source.resolve()).with_suffix("").as_posix())


def main(arguments: list[str]) -> None:
    """Writes both zips into the named folder."""
    folder = Path(arguments[0]) if arguments else Path("dist")
    for browser in BROWSERS:
        sys.stdout.write(f"{pack(browser, folder)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
