"""Starts a PostgreSQL program as its unprivileged user, away from the terminal and from our environment."""

import os
import subprocess

from backend.processes.server_user import ServerUser


def launch(command: list[str], user: ServerUser | None, output: int) -> subprocess.Popen[bytes]:
    """The started program, both its outputs going to `output`; `user` None runs it as ourselves."""
    # Its own session: Ctrl-C at the terminal must not stop the server before those who use it.
    return subprocess.Popen(  # noqa: S603 - our own programs and folders
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
        cwd="/",
        start_new_session=True,
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
    )
