"""The OpenAPI document says what the server does: every status of every operation, and closed bodies.

A handler names its own refusals in `opt={"refusals": [StaleState, ...]}`; those that any operation can give
are added here, so that nobody forgets them. Lower floors need nothing of HTTP for it.
"""

from collections import defaultdict
from collections.abc import Sequence
from http import HTTPStatus
from typing import cast

import msgspec
from litestar import Response, Router, get
from litestar._openapi.schema_generation import SchemaCreator
from litestar._openapi.schema_generation.plugins.struct import StructSchemaPlugin
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Components, Schema, SecurityScheme
from litestar.plugins.base import ReceiveRoutePlugin
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ControllerRouterHandler
from litestar.typing import FieldDefinition

from backend.http.cookies import SESSION
from backend.http.origin import EXTENSION_PATH
from backend.http.problems import MEDIA_TYPE, STATUS, Problem, Unexpected
from backend.http.refusals import (
    ForeignHost,
    FromElsewhere,
    Malformed,
    SignInNeeded,
    TookTooLong,
    TooLarge,
    WrongMediaType,
)
from backend.http.requests import Req
from schema.db import UnstorableValue
from schema.errors import Invalid, Refusal, Unavailable


class _NoRoutes(Router):
    """Litestar would add a page of its own and an HTML answer for addresses that do not exist."""

    def register(self, value: ControllerRouterHandler) -> list[BaseRoute]:
        del value
        return []


OPENAPI = OpenAPIConfig(
    title="Jobtrail",
    version="1",
    description="Every refusal is a problem with a stable code; docs/errors.md lists them.",
    openapi_router=_NoRoutes("/api", route_handlers=[]),
    components=Components(
        security_schemes={
            "session": SecurityScheme(
                type="apiKey",
                security_scheme_in="cookie",
                name=SESSION,
                description="The cookie of a signed-in browser.",
            ),
            "device_token": SecurityScheme(
                type="http", scheme="bearer", description="The token of a paired browser."
            ),
        }
    ),
    use_handler_docstrings=True,
)
ALWAYS: tuple[type[Refusal], ...] = (
    Invalid,
    Malformed,
    UnstorableValue,
    ForeignHost,
    Unavailable,
    TookTooLong,
)
WITH_BODY: tuple[type[Refusal], ...] = (TooLarge, WrongMediaType)
UNSAFE: tuple[type[Refusal], ...] = (FromElsewhere,)
JSON_TYPES = ("application/json",)
_BODY_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Declared(ReceiveRoutePlugin):
    """Writes into every operation what it can answer."""

    def receive_route(self, route: BaseRoute) -> None:
        if not isinstance(route, HTTPRoute):
            return
        by_session = not route.path.startswith(EXTENSION_PATH)
        for handler in route.route_handlers:
            needs_session = by_session and not handler.opt.get("open")
            own = dict(handler.responses or {})
            handler.responses = {**_specs(_refusals_of(handler, needs_session=needs_session)), **own}
            if needs_session and not handler.security:
                handler.security = [{"session": []}]


class Exact(StructSchemaPlugin):
    """A struct that refuses unknown fields says so in its schema."""

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        schema = super().to_openapi_schema(field_definition, schema_creator)
        struct = cast("type[msgspec.Struct]", field_definition.type_)
        if struct.__struct_config__.forbid_unknown_fields:
            schema.additional_properties = False
        return schema


@get("/api/openapi.json", include_in_schema=False, sync_to_thread=False)
def document(request: Req) -> Response[bytes]:
    """The OpenAPI document of this release."""
    return Response(
        msgspec.json.encode(request.app.openapi_schema.to_schema()), media_type="application/json"
    )


def json_only(connection: ASGIConnection[object, object, object, State], handler: BaseRouteHandler) -> None:
    """A guard: a body comes as JSON, or as what the handler names in `opt={"accepts": (...)}`.

    Litestar would decode JSON out of any content type, and a form of another site can send text/plain.
    """
    scope = connection.scope
    if (
        scope["type"] != "http"
        or scope["method"] not in _BODY_METHODS
        or not scope["path"].startswith("/api/")
    ):
        return
    sent = connection.headers.get("content-type", "").partition(";")[0].strip().lower()
    has_body = (
        connection.headers.get("content-length", "0") != "0" or "transfer-encoding" in connection.headers
    )
    accepts = cast("Sequence[str]", handler.opt.get("accepts", JSON_TYPES))
    if (has_body or sent) and sent not in accepts:
        raise WrongMediaType(f"This address reads {', '.join(accepts)}.")


def _refusals_of(handler: HTTPRouteHandler, *, needs_session: bool) -> list[type[Refusal]]:
    found = [*ALWAYS, *cast("Sequence[type[Refusal]]", handler.opt.get("refusals", ()))]
    if needs_session:
        found.append(SignInNeeded)
    if handler.http_methods & _BODY_METHODS:
        found.extend((*WITH_BODY, *UNSAFE))
    return found


def _specs(refusals: Sequence[type[Refusal]]) -> dict[int, ResponseSpec]:
    codes: defaultdict[int, set[str]] = defaultdict(set)
    for refusal in refusals:
        codes[STATUS[refusal.kind]].add(refusal.code)
    codes[HTTPStatus.INTERNAL_SERVER_ERROR].add(Unexpected.code)
    return {
        status: ResponseSpec(
            data_container=Problem,
            description=", ".join(sorted(names)),
            media_type=MEDIA_TYPE,
            generate_examples=False,
        )
        for status, names in sorted(codes.items())
    }
