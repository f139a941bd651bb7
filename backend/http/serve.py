"""uvicorn for this app: no log of its own, no server header, and open event streams ended before it waits."""

import socket
from typing import ClassVar

import uvicorn
from litestar import Litestar

from backend.http.connection import Connection
from backend.http.parts import Parts


class Server(uvicorn.Server):
    """A server of one app. An open event stream never ends by itself, so a stop ends them first."""

    GRACE_SECONDS: ClassVar[int] = 2

    def __init__(self, app: Litestar, *, behind_proxy: bool = False) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                http=Connection,
                ws="none",
                lifespan="on",
                proxy_headers=behind_proxy,
                timeout_graceful_shutdown=self.GRACE_SECONDS,
            )
        )
        self.app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        parts: object = self.app.state["parts"]
        if isinstance(parts, Parts):
            parts.live.close()
        await super().shutdown(sockets)
