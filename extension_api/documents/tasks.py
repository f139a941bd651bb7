"""`document.read.v1`: the text of a document, taken out in another process and kept beside it.

A second run changes nothing. `text_of` does the same at once for whoever needs a text that was not read yet.
"""

import subprocess
import sys

import msgspec
import structlog

from extension_api.documents.extraction import Extracted
from extension_api.documents.store import Content, keep_text, unread
from pipeline.worker.types import Done, TaskRun
from schema.ids import DocumentId
from schema.tasks import ReadDocument

log = structlog.get_logger()

MOST_SECONDS = 30.0
_PROGRAM = (sys.executable, "-m", "extension_api.documents.extraction")


async def read_document(run: TaskRun, payload: ReadDocument) -> Done:
    state = await text_of(run, DocumentId(payload.document_id))
    return Done(state or "nothing_to_read")


async def text_of(run: TaskRun, document_id: DocumentId) -> str | None:
    """Read the document if nobody has; the state it is in then, None when it was read before or is gone."""
    async with run.db.as_account(run.owner) as unit:
        document = await unread(unit, document_id)
    if document is None:
        return None
    found = await run.thread(_extracted, document)
    async with run.db.as_account(run.owner) as unit:
        await keep_text(unit, document_id, state=found.state, text=found.text)
    return found.state


def _extracted(document: Content) -> Extracted:
    """What the other process says; a file that stops it cannot be read."""
    try:
        done = subprocess.run(  # noqa: S603 - our own program, its one argument ours too
            (*_PROGRAM, document.media_type),
            input=document.content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=MOST_SECONDS,
            check=True,
        )
        return msgspec.json.decode(done.stdout, type=Extracted)
    except (subprocess.SubprocessError, msgspec.DecodeError) as error:
        log.warning("a document could not be read", fault=type(error).__name__)
        return Extracted(state="unreadable")
