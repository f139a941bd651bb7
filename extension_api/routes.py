"""All the extension may ask, under one path; `backend/app.py` mounts it.

Cross-origin answers are the outer middleware's part: it may name exactly the origins for which
`pairing.rules.is_extension_origin` holds, and never allows credentials.
"""

from datetime import datetime

from litestar import Router
from litestar.di import Provide

from extension_api.context.routes import page_context
from extension_api.documents.routes import document_content
from extension_api.drafts.routes import ask_draft, edit_draft, read_draft, read_drafts, write_draft
from extension_api.fills.routes import report, resolve, submitted
from extension_api.pairing.guard import AnyRequest, device_guard, known_device, parts_of
from extension_api.pairing.routes import pair, this_device
from extension_api.postings.routes import save_posting
from extension_api.profiles.routes import read_profile, write_profile
from extension_api.protocol import MAX_BODY_BYTES
from extension_api.remembered.routes import edit_answer, forget_answer, read_answers, remember_answer
from schema.db import Database
from schema.settings import ModelSettings

PATH = "/api/extension"


def extension_router() -> Router:
    """The routes; the app that mounts them has `ExtensionParts` in its state, under `STATE`."""
    guarded = Router(
        path="/",
        route_handlers=[
            this_device,
            page_context,
            save_posting,
            resolve,
            report,
            submitted,
            document_content,
            read_profile,
            write_profile,
            read_answers,
            remember_answer,
            edit_answer,
            forget_answer,
            read_drafts,
            ask_draft,
            read_draft,
            edit_draft,
            write_draft,
        ],
        guards=[device_guard],
        dependencies={"device": Provide(known_device, sync_to_thread=False)},
        security=[{"device_token": []}],
    )
    return Router(
        path=PATH,
        route_handlers=[pair, guarded],
        dependencies={
            "database": Provide(_database, sync_to_thread=False),
            "now": Provide(_now, sync_to_thread=False),
            "model": Provide(_model, sync_to_thread=False),
        },
        request_max_body_size=MAX_BODY_BYTES,
        tags=["extension"],
    )


def _database(request: AnyRequest) -> Database:
    return parts_of(request).database


def _now(request: AnyRequest) -> datetime:
    return parts_of(request).clock.now()


def _model(request: AnyRequest) -> ModelSettings:
    return parts_of(request).model
