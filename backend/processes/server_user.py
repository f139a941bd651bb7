"""Which user of this machine runs the embedded PostgreSQL, and whether that user can reach a folder.

PostgreSQL refuses to run as root, so root lends it an unprivileged user. Nothing here changes a mode or an
owner: a folder that cannot be reached is named, and the person decides.
"""

import os
import pwd
import stat
from pathlib import Path

import msgspec

from backend.processes.refusals import CannotStart

_CANDIDATES = ("postgres", "nobody")


class ServerUser(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    uid: int
    gid: int


def server_user(data: Path) -> ServerUser | None:
    """Who runs the server on `data`; None means the user of this very process."""
    if os.geteuid() != 0:
        _require_a_name(os.geteuid())
        _require_own(data)
        return None
    if data.exists() and data.stat().st_uid != 0:
        return _by_uid(data.stat().st_uid)
    for name in _CANDIDATES:
        try:
            return _user(pwd.getpwnam(name))
        except KeyError:
            continue
    raise CannotStart(
        "PostgreSQL does not run as root, and this machine has neither a user `postgres` nor `nobody`; "
        "run as an ordinary user, or set JOBTRAIL_DATABASE_URL to a PostgreSQL of your own."
    )


def blocking_folder(path: Path, user: ServerUser) -> Path | None:
    """The outermost folder on the way to `path`, it included, that keeps `user` out; None when none does."""
    for folder in (*reversed(path.parents), path):
        if not folder.exists():
            return None
        if not _may_pass(folder.stat(), user):
            return folder
    return None


def _may_pass(status: os.stat_result, user: ServerUser) -> bool:
    if status.st_uid == user.uid:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == user.gid:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)


def _require_own(data: Path) -> None:
    if data.exists() and (owner := data.stat().st_uid) != os.geteuid():
        raise CannotStart(
            f"the data folder {data} belongs to user {_name(owner)}; start Jobtrail as that user or as root, "
            "or set JOBTRAIL_HOME to a folder of your own."
        )


def _require_a_name(uid: int) -> None:
    try:
        pwd.getpwuid(uid)
    except KeyError as error:
        raise CannotStart(
            f"user id {uid} has no name on this machine, and PostgreSQL needs one: add it to /etc/passwd, "
            "or set JOBTRAIL_DATABASE_URL to a PostgreSQL of your own."
        ) from error


def _by_uid(uid: int) -> ServerUser:
    _require_a_name(uid)
    return _user(pwd.getpwuid(uid))


def _user(entry: pwd.struct_passwd) -> ServerUser:
    return ServerUser(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
