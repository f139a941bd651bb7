"""How a test reaches the emulator with Google's own client libraries, and how it runs it as a process."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import googleapiclient.discovery_cache as cached
import httplib2
import msgspec
from emulators.gmail.control import RemoteControl
from emulators.gmail.world import INSTALLED
from google.oauth2.credentials import Credentials
from google_auth_httplib2 import AuthorizedHttp
from googleapiclient.discovery import Resource, build_from_document
from googleapiclient.errors import HttpError

TESTS = Path(__file__).parents[2]


def document(url: str) -> dict[str, object]:
    """Google's description of its API with every address leading to `url`.

    `client_options.api_endpoint` alone is not enough: batches would still go to the real host.
    """
    described = Path(cached.__file__).parent / "documents" / "gmail.v1.json"
    whole = msgspec.json.decode(described.read_bytes(), type=dict[str, object])
    whole["rootUrl"] = whole["baseUrl"] = f"{url}/"
    del whole["mtlsRootUrl"]
    return whole


def reason(refused: HttpError) -> str:
    """Of the old shape. `HttpError.error_details` shows the new one where an answer has both."""
    return msgspec.json.decode(refused.content)["error"]["errors"][0]["reason"]


def credentials(url: str, tokens: dict[str, str], token_uri: str = "/token") -> Credentials:
    return Credentials(
        tokens["access_token"],
        refresh_token=tokens.get("refresh_token"),
        token_uri=url + token_uri,
        client_id=INSTALLED.id,
        client_secret=INSTALLED.secret,
    )


def client(url: str, holder: Credentials) -> Resource:
    """One `Http` of its own: httplib2 is not thread-safe."""
    http = AuthorizedHttp(holder, http=httplib2.Http(timeout=20))
    return build_from_document(document(url), http=http)


@contextmanager
def running() -> Generator[tuple[str, RemoteControl], None, None]:
    """The emulator in a process of its own: its address and the control of it."""
    command = [sys.executable, "-m", "emulators.gmail"]
    with subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            url = process.stdout.readline().strip()
            assert urlsplit(url).hostname == "127.0.0.1"
            yield url, RemoteControl(url)
        finally:
            process.kill()
