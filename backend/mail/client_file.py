"""The OAuth client an operator brings: the file Google offers for download, or its two parts typed in. Pure.

Every way this is usually got wrong has a sentence of its own. No sentence quotes what was given.
"""

import re
from typing import Literal

import msgspec

FILE_MAX_BYTES = 64 * 1024
PART_MAX = 300
Part = Literal["file", "client_id", "client_secret"]
_ENDING = ".apps.googleusercontent.com"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{5,290}")
_SECRET = re.compile(r"[\x21-\x7e]{8,300}")


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A client as it was given. `returns` are the addresses its file names; None: it names none."""

    client_id: str
    client_secret: str
    returns: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"Given(client_id={self.client_id!r})"


class Wrong(Exception):
    """What was given is no OAuth client; `detail` says why, `part` which field it belongs to."""

    def __init__(self, part: Part, detail: str) -> None:
        super().__init__(detail)
        self.part: Part = part
        self.detail = detail


class _Client(msgspec.Struct, frozen=True):
    client_id: str = ""
    client_secret: str = ""
    redirect_uris: list[str] = []


class _File(msgspec.Struct, frozen=True):
    installed: _Client | None = None
    web: _Client | None = None
    type: str = ""


def read_file(content: bytes) -> Given:
    """Raises `Wrong`."""
    try:
        file = msgspec.json.decode(content, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Wrong("file", "This is not the JSON file that Google offers for an OAuth client.") from error
    if file.type == "service_account":
        raise Wrong(
            "file",
            "This is the key of a service account. Gmail of a person needs an OAuth client: step 4 below.",
        )
    found = file.installed or file.web
    if found is None:
        raise Wrong("file", "This JSON file holds no OAuth client: it has neither “installed” nor “web”.")
    checked = check(found.client_id, found.client_secret, part="file")
    return msgspec.structs.replace(checked, returns=tuple(found.redirect_uris) if file.web else None)


def check(client_id: str, client_secret: str, *, part: Part | None = None) -> Given:
    """The two parts as typed. Raises `Wrong`."""
    client_id, client_secret = client_id.strip(), client_secret.strip()
    if client_secret.endswith(_ENDING):
        raise Wrong(part or "client_secret", "This is the client ID. The secret is the other, shorter one.")
    if client_id.startswith("AIza"):
        raise Wrong(part or "client_id", "This is an API key. Gmail needs an OAuth client: step 4 below.")
    if client_id.startswith("GOCSPX-"):
        raise Wrong(part or "client_id", f"This is the secret. The client ID ends with {_ENDING}.")
    if not _ID.fullmatch(client_id) or not client_id.endswith(_ENDING):
        raise Wrong(part or "client_id", f"This is no client ID of Google: it would end with {_ENDING}.")
    if not _SECRET.fullmatch(client_secret):
        raise Wrong(
            part or "client_secret", "This is no client secret: it has 8 or more letters, without spaces."
        )
    return Given(client_id=client_id, client_secret=client_secret)


def knows(given: Given, way_back: str) -> bool:
    """Whether Google would send people back here; a desktop client takes every address of this machine."""
    return given.returns is None or way_back in given.returns
