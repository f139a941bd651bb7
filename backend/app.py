"""Where everything meets: the web app, its routes listed. The worker's handlers are in `handlers.py`."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.di import Provide

from backend.api import corrections, health, people, pulls, resolution_patterns, resolutions
from backend.http.answers import refused
from backend.http.live import Live
from backend.http.metrics import Metrics
from backend.http.openapi import OPENAPI, Declared, Exact, document, json_only
from backend.http.origin import Names
from backend.http.outer import Outer
from backend.http.parts import Parts, parts_of_app
from backend.http.rendering import Renderer
from backend.http.requests import Req
from backend.http.static import Assets, static_file
from backend.http.uploads import forget_unfinished, spool_of
from backend.http.visits import provide_parts, provide_person, provide_visit, provide_visitor
from backend.mail.gmail import GmailDoor
from backend.pages import (
    application,
    application_contacts,
    application_edit,
    application_export,
    application_import,
    application_imports,
    application_merge,
    application_new,
    application_split,
    application_status,
    application_statuses,
    applications,
    calendar,
    data,
    drafts,
    figures,
    first_run,
    fleet,
    live,
    mail,
    mail_account,
    mail_accounts,
    mail_aside,
    mail_client,
    mail_consent,
    mail_import,
    mail_scope,
    message,
    message_like,
    newcomers,
    own_posting,
    posting,
    posting_save,
    postings,
    postings_boards,
    profile,
    profile_answer_new,
    profile_answers,
    profile_documents,
    profile_import,
    review,
    review_find,
    review_history,
    review_list,
    review_pattern,
    saved_views,
    settings,
    settings_access,
    settings_calendar,
    settings_model,
    settings_names,
    settings_people,
    settings_statuses,
    sign_in,
    source,
    source_preview,
    sources,
    task,
    tasks,
    today,
)
from extension_api.pairing.guard import STATE, ExtensionParts
from extension_api.routes import extension_router
from schema.clock import Clock, SystemClock
from schema.db import Database
from schema.settings import Settings

BODY_LIMIT_BYTES = 2 * 1024 * 1024
"""Largest body of an ordinary request; a handler that takes files names its own."""

API = (
    corrections.ROUTES,
    health.ROUTES,
    people.ROUTES,
    pulls.ROUTES,
    resolution_patterns.ROUTES,
    resolutions.ROUTES,
)
PAGES = (
    application.ROUTES,
    application_contacts.ROUTES,
    application_edit.ROUTES,
    application_export.ROUTES,
    application_import.ROUTES,
    application_imports.ROUTES,
    application_merge.ROUTES,
    application_new.ROUTES,
    application_split.ROUTES,
    application_status.ROUTES,
    application_statuses.ROUTES,
    applications.ROUTES,
    calendar.ROUTES,
    data.ROUTES,
    drafts.ROUTES,
    figures.ROUTES,
    first_run.ROUTES,
    fleet.ROUTES,
    live.ROUTES,
    mail.ROUTES,
    mail_account.ROUTES,
    mail_accounts.ROUTES,
    mail_aside.ROUTES,
    mail_client.ROUTES,
    mail_consent.ROUTES,
    mail_import.ROUTES,
    mail_scope.ROUTES,
    message.ROUTES,
    message_like.ROUTES,
    newcomers.ROUTES,
    own_posting.ROUTES,
    posting.ROUTES,
    posting_save.ROUTES,
    postings.ROUTES,
    postings_boards.ROUTES,
    profile.ROUTES,
    profile_answer_new.ROUTES,
    profile_answers.ROUTES,
    profile_documents.ROUTES,
    profile_import.ROUTES,
    review.ROUTES,
    review_find.ROUTES,
    review_history.ROUTES,
    review_list.ROUTES,
    review_pattern.ROUTES,
    saved_views.ROUTES,
    settings.ROUTES,
    settings_access.ROUTES,
    settings_calendar.ROUTES,
    settings_model.ROUTES,
    settings_names.ROUTES,
    settings_people.ROUTES,
    settings_statuses.ROUTES,
    sign_in.ROUTES,
    source.ROUTES,
    source_preview.ROUTES,
    sources.ROUTES,
    task.ROUTES,
    tasks.ROUTES,
    today.ROUTES,
)


def create_app(settings: Settings, *, clock: Clock | None = None) -> Litestar:
    """The web app, with its outermost layer in place; opens its database when it starts."""
    return equip(routed(), settings, clock or SystemClock())


def equip(app: Litestar, settings: Settings, clock: Clock) -> Litestar:
    """Give a `routed` app the parts its routes find in its state, and its outermost layer."""
    parts = Parts(
        settings=settings,
        database=Database(settings.database),
        clock=clock,
        live=Live(settings.database),
        renderer=Renderer(),
        metrics=Metrics(),
        names=Names.of(settings.http),
    )
    app.state["parts"] = parts
    app.state["gmail"] = GmailDoor(parts.database, clock, settings)
    app.state[STATE] = ExtensionParts(database=parts.database, clock=clock, model=settings.model)
    app.asgi_handler = Outer(app.asgi_handler, parts)
    return app


def routed() -> Litestar:
    """Every route, of no installation yet. Working them out takes a fifth of a second."""
    assets = Assets()
    return Litestar(
        route_handlers=[
            static_file,
            document,
            extension_router(),
            *(route for group in (*API, *PAGES) for route in group),
        ],
        guards=[json_only],
        dependencies={
            "parts": Provide(provide_parts),
            "person": Provide(provide_person),
            "visit": Provide(provide_visit),
            "visitor": Provide(provide_visitor),
            "assets": Provide(lambda: assets, sync_to_thread=False),
            "gmail": Provide(_gmail, sync_to_thread=False),
        },
        exception_handlers={Exception: refused},
        lifespan=[_running],
        logging_config=None,
        openapi_config=OPENAPI,
        plugins=[Declared(), Exact()],
        request_max_body_size=BODY_LIMIT_BYTES,
    )


@asynccontextmanager
async def _running(app: Litestar) -> AsyncGenerator[None, None]:
    parts = parts_of_app(app)
    await asyncio.to_thread(forget_unfinished, spool_of(parts))
    async with parts.database.running(), parts.live.listening():
        yield


def _gmail(request: Req) -> GmailDoor:
    door: object = request.app.state["gmail"]
    if not isinstance(door, GmailDoor):
        raise TypeError("the app was not equipped")
    return door
