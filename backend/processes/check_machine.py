"""What `jobtrail check` finds on this machine before anything connects or is changed."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from backend.processes.data_folder import require_our_major
from backend.processes.home import holder
from backend.processes.ports import is_loopback, listening
from backend.processes.rules import clock_complaint, space_complaint
from backend.processes.server_folder import free_bytes, last_written, server_folders
from backend.processes.server_program import server_program
from backend.processes.server_user import blocking_folder, server_user
from pipeline.usage.prices import load_prices
from schema.errors import Refusal
from schema.settings import ModelSettings, MonitorSettings, Settings

Verdict = Literal["ok", "unsafe", "wrong"]


class Finding(msgspec.Struct, frozen=True):
    """`unsafe` works but should not stay so; `wrong` will not work."""

    subject: str
    verdict: Verdict
    text: str


def machine_findings(settings: Settings) -> list[Finding]:
    return [
        _home(settings.home.folder()),
        _space(settings.home.folder()),
        _key_file(settings.home.keys()),
        _port(settings),
        _exposure(settings),
        _clock(settings),
        *([] if settings.database.url else [_embedded(settings.home.folder())]),
        *_outgoing(settings),
        *_model(settings.model),
        *_monitors(settings.monitor),
    ]


def _home(folder: Path) -> Finding:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return Finding(
            "home", "wrong", f"{existing} is not a folder this user may write to; set JOBTRAIL_HOME to one."
        )
    if folder.exists() and folder.stat().st_mode & 0o026:
        return Finding("home", "unsafe", f"others may look into {folder}; close it: chmod go-rw {folder}")
    return Finding("home", "ok", f"{folder}" + ("" if folder.exists() else " (made at the first start)"))


def _space(folder: Path) -> Finding:
    free = free_bytes(folder)
    if complaint := space_complaint(free, str(folder), new=not (folder / "postgres/data").exists()):
        return Finding("space", "wrong", complaint)
    return Finding("space", "ok", f"{free // 1024**2} MB are free")


def _key_file(file: Path) -> Finding:
    try:
        status = file.stat()
    except OSError:
        return Finding("keys", "ok", f"{file} (made at the first start)")
    if not stat.S_ISREG(status.st_mode) or not os.access(file, os.R_OK):
        return Finding("keys", "wrong", f"{file} is not a file this user may read; set JOBTRAIL_KEY_FILE.")
    if status.st_mode & 0o077:
        return Finding("keys", "unsafe", f"others may read {file}; close it: chmod 600 {file}")
    return Finding("keys", "ok", f"{file}")


def _port(settings: Settings) -> Finding:
    where = f"{settings.http.host} port {settings.http.port}"
    if who := holder(settings.home.folder()):
        return Finding("port", "ok", f"{where}; {who.doing} runs as process {who.pid}")
    try:
        listening(settings.http).close()
    except Refusal as refusal:
        return Finding("port", "wrong", refusal.detail)
    return Finding("port", "ok", f"{where} is free")


def _exposure(settings: Settings) -> Finding:
    if settings.http.public_url and not settings.http.public_url.startswith("https://"):
        return Finding(
            "exposure", "unsafe", "JOBTRAIL_HTTP_PUBLIC_URL is not https: passwords travel in clear."
        )
    if not settings.http.public_url and not is_loopback(settings.http):
        text = (
            f"JOBTRAIL_HTTP_HOST={settings.http.host} opens the pages to the network without encryption; "
            "put a proxy with https in front and set JOBTRAIL_HTTP_PUBLIC_URL."
        )
        return Finding("exposure", "unsafe", text)
    return Finding("exposure", "ok", "only this machine, or https")


def _clock(settings: Settings) -> Finding:
    now = datetime.now(UTC)
    data = server_folders(settings.home.folder()).data
    if complaint := clock_complaint(now, None if settings.database.url else last_written(data)):
        return Finding("clock", "wrong", complaint)
    return Finding("clock", "ok", f"{now:%Y-%m-%d %H:%M:%S} UTC")


def _embedded(home: Path) -> Finding:
    folders = server_folders(home)
    try:
        user = server_user(folders.data)
        if user and (blocked := blocking_folder(folders.base, user)):
            text = f"user {user.name}, who runs PostgreSQL for root, cannot pass through {blocked}"
            return Finding("server", "wrong", f"{text}; set JOBTRAIL_HOME, or: chmod o+x {blocked}")
        exists = require_our_major(folders.data)
        server_program(None, folders.base)
    except Refusal as refusal:
        return Finding("server", "wrong", refusal.detail)
    except OSError as error:
        return Finding("server", "wrong", f"cannot look into {folders.base}: {error.strerror}.")
    as_whom = f", run by user {user.name}" if user else ""
    return Finding(
        "server", "ok", f"embedded PostgreSQL{as_whom}" + ("" if exists else ", made at first start")
    )


def _outgoing(settings: Settings) -> list[Finding]:
    found: list[Finding] = []
    if settings.source.gateway:
        text = (
            "JOBTRAIL_SOURCE_GATEWAY sends every question about postings to one place; it is for tests only."
        )
        found.append(Finding("sources", "unsafe", text))
    if settings.source.allow_private_addresses:
        text = (
            "JOBTRAIL_SOURCE_ALLOW_PRIVATE_ADDRESSES lets a source reach this network; it is for tests only."
        )
        found.append(Finding("sources", "unsafe", text))
    if not settings.source.contact:
        text = "JOBTRAIL_SOURCE_CONTACT is empty: a platform that minds being asked cannot tell you."
        found.append(Finding("sources", "ok", text))
    return found


def _model(model: ModelSettings) -> list[Finding]:
    if not model.key and not model.name:
        return []
    if not model.is_present():
        text = "JOBTRAIL_MODEL_KEY and JOBTRAIL_MODEL_NAME go together; with one of them no model is asked."
        return [Finding("model", "wrong", text)]
    try:
        prices = load_prices(model.prices_file)
    except Refusal as refusal:
        return [Finding("model", "wrong", refusal.detail)]
    address = urlsplit(model.url)
    if address.scheme == "http" and not _is_here(address.hostname or ""):
        text = (
            f"mail and the key go to {address.hostname} unencrypted; set JOBTRAIL_MODEL_URL to one of https."
        )
        return [Finding("model", "unsafe", text)]
    priced = any(price.model == model.name for price in prices)
    text = f"{model.name} at {address.hostname}" + ("" if priced else "; what it costs is not known")
    return [Finding("model", "ok", text)]


def _monitors(monitor: MonitorSettings) -> list[Finding]:
    ports = [port for port in (monitor.api_port, monitor.worker_port, monitor.mailsync_port) if port]
    if not ports:
        return []
    if len(set(ports)) < len(ports):
        text = (
            "two of the processes have the same JOBTRAIL_MONITOR_..._PORT; on one machine each needs its own."
        )
        return [Finding("monitors", "wrong", text)]
    if not _is_here(monitor.host):
        text = (
            f"JOBTRAIL_MONITOR_HOST={monitor.host} shows numbers and checks to whoever reaches it, without a "
            "sign-in; let only monitors through."
        )
        return [Finding("monitors", "unsafe", text)]
    return [Finding("monitors", "ok", f"{monitor.host} ports {', '.join(map(str, ports))}")]


def _is_here(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.")
