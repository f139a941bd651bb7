"""What one running app is made of, under one name: every dependency of a handler comes from here."""

import msgspec
from litestar import Litestar

from backend.http.live import Live
from backend.http.metrics import Metrics
from backend.http.origin import Names
from backend.http.rendering import Renderer
from backend.http.requests import Req
from schema.clock import Clock
from schema.db import Database
from schema.settings import Settings


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    settings: Settings
    database: Database
    clock: Clock
    live: Live
    renderer: Renderer
    metrics: Metrics
    names: Names

    @property
    def secure(self) -> bool:
        """Whether people reach us over https, so that cookies may travel only there."""
        return self.settings.http.public_url.startswith("https://")


def parts_of(request: Req) -> Parts:
    """The parts of the app that serves this request."""
    return parts_of_app(request.app)


def parts_of_app(app: Litestar) -> Parts:
    parts: object = app.state["parts"]
    if not isinstance(parts, Parts):
        raise TypeError("the app was not made by create_app")
    return parts
