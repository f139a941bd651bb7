"""The monitor's port as a whole: its thread outlives a loop that stands, and tells only names and numbers."""

import asyncio
import http.client
import threading
import time
from collections.abc import Callable

import pytest
from fixtures.installation import free_port
from fixtures.monitors import get, readiness
from prometheus_client import Counter

from backend.processes import monitor_checks
from backend.processes.monitor import Monitor, ProcessName, monitored
from backend.processes.ports import listening_at
from backend.processes.refusals import CannotStart
from schema.settings import DatabaseSettings, MonitorSettings, Settings


@pytest.fixture
def settings(database_settings: DatabaseSettings) -> Settings:
    ports = MonitorSettings(api_port=free_port(), worker_port=free_port(), mailsync_port=free_port())
    return Settings(database=database_settings, monitor=ports)


def until(condition: Callable[[], bool]) -> float:
    """Seconds until it held."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + 10
        threading.Event().wait(0.02)
    return time.monotonic() - began


@pytest.mark.parametrize("name", ["api", "worker", "mailsync"])
def test_each_process_has_a_port_of_its_own(settings: Settings, name: ProcessName):
    with monitored(settings, name):
        port: int = getattr(settings.monitor, f"{name}_port")
        assert get(port, "/livez") == (200, b'{"status":"alive"}')
        page = get(port, "/metrics")[1].decode()
    assert f'jobtrail_process_info{{process="{name}",release="' in page
    assert "process_resident_memory_bytes" in page
    with pytest.raises(ConnectionRefusedError):
        get(port, "/livez")


def test_without_a_port_nothing_listens_and_every_call_is_taken(database_settings: DatabaseSettings):
    threads = threading.active_count()

    async def begin(monitor: Monitor) -> None:
        monitor.watch(lambda: None)

    with monitored(Settings(database=database_settings), "worker") as monitor:
        assert threading.active_count() == threads
        asyncio.run(begin(monitor))


def test_a_port_that_is_taken_is_refused_by_its_setting(settings: Settings):
    port = settings.monitor.worker_port
    with (
        listening_at("127.0.0.1", port, "", ""),
        pytest.raises(CannotStart, match="JOBTRAIL_MONITOR_WORKER_PORT"),
        monitored(settings, "worker"),
    ):
        pass


async def test_a_process_is_ready_from_its_beginning_to_its_stop(settings: Settings):
    port, trouble = settings.monitor.worker_port, [None, "it is stopping"]
    with monitored(settings, "worker") as monitor:
        assert await asyncio.to_thread(readiness, port) == (503, {"work", "loop"})
        monitor.watch(lambda: trouble[0])
        assert await asyncio.to_thread(readiness, port) == (200, set())
        del trouble[0]
        assert await asyncio.to_thread(readiness, port) == (503, {"work"})
        assert (await asyncio.to_thread(get, port, "/livez"))[0] == 200


async def test_a_frozen_loop_is_not_ready_within_five_seconds_and_alive_throughout(settings: Settings):
    port = settings.monitor.worker_port
    found: dict[str, float] = {}

    def look() -> None:
        found["seconds"] = until(lambda: readiness(port) == (503, {"loop"}))
        found["alive"], _ = get(port, "/livez")
        found["told"], _ = get(port, "/metrics")

    with monitored(settings, "worker") as monitor:
        monitor.watch(lambda: None)
        assert await asyncio.to_thread(readiness, port) == (200, set())
        looking = threading.Thread(target=look)
        looking.start()
        looking.join()  # this is the freeze
        assert found["seconds"] < 5
        assert (found["alive"], found["told"]) == (200, 200)
        await asyncio.to_thread(until, lambda: readiness(port) == (200, set()))


async def test_the_end_of_the_work_is_noticed(settings: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(monitor_checks, "SILENCE_SECONDS", 0.3)

    def work(monitor: Monitor) -> None:
        async def begin() -> None:
            monitor.watch(lambda: None)

        asyncio.run(begin())

    with monitored(settings, "worker") as monitor:
        await asyncio.to_thread(work, monitor)
        await asyncio.to_thread(until, lambda: readiness(settings.monitor.worker_port) == (503, {"loop"}))


def test_numbers_of_the_process_and_of_its_work_stand_on_one_page(settings: Settings):
    with monitored(settings, "api", lambda: b"further 1.0\n") as monitor:
        Counter("counted", "Something counted.", registry=monitor.registry).inc()
        page = get(settings.monitor.api_port, "/metrics")[1]
    assert b"\ncounted_total 1.0\n" in page
    assert b"further 1.0\n" in page
    assert b"_created" not in page


def test_numbers_that_fail_do_not_take_the_port_with_them(settings: Settings):
    def failing() -> bytes:
        raise ValueError

    with monitored(settings, "api", failing):
        assert get(settings.monitor.api_port, "/metrics")[0] == 500
        assert get(settings.monitor.api_port, "/livez")[0] == 200


def test_an_open_connection_does_not_hold_up_the_end(settings: Settings):
    with monitored(settings, "api"):
        silent = http.client.HTTPConnection("127.0.0.1", settings.monitor.api_port, timeout=10)
        silent.connect()
        assert get(settings.monitor.api_port, "/livez")[0] == 200
        ending_at = time.monotonic()
    assert time.monotonic() - ending_at < 2
    silent.close()
