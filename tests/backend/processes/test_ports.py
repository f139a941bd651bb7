import socket

import pytest

from backend.processes.ports import address, is_loopback, listening, listening_at, port_of
from backend.processes.refusals import CannotStart
from schema.settings import HttpSettings


def test_port_zero_takes_a_free_one():
    with listening(HttpSettings(port=0)) as listener:
        assert port_of(listener) > 0
        socket.create_connection(("127.0.0.1", port_of(listener))).close()


def test_a_port_is_free_again_at_once():
    with listening(HttpSettings(port=0)) as listener:
        port = port_of(listener)
        socket.create_connection(("127.0.0.1", port)).close()
    listening(HttpSettings(port=port)).close()


@pytest.mark.parametrize(
    ("host", "named"),
    [("192.0.2.1", "not an address of this machine"), ("no such host", "JOBTRAIL_HTTP_HOST='no such host'")],
)
def test_a_host_one_cannot_listen_on_is_named(host: str, named: str):
    with pytest.raises(CannotStart, match=named):
        listening(HttpSettings(host=host, port=0))


@pytest.mark.parametrize(
    ("http", "shown"),
    [
        (HttpSettings(), "http://127.0.0.1:80"),
        (HttpSettings(host="::1"), "http://[::1]:80"),
        (HttpSettings(host="0.0.0.0"), f"http://{socket.gethostname()}:80"),
        (HttpSettings(public_url="https://jobs.example/"), "https://jobs.example"),
    ],
)
def test_the_address_shown_is_one_a_person_can_type(http: HttpSettings, shown: str):
    assert address(http, 80) == shown


def test_only_loopback_without_a_proxy_is_closed_to_others():
    assert is_loopback(HttpSettings())
    assert is_loopback(HttpSettings(host="::1"))
    assert not is_loopback(HttpSettings(host="0.0.0.0"))
    assert not is_loopback(HttpSettings(public_url="https://jobs.example"))


def test_a_refusal_names_the_setting_of_the_port_it_is_about():
    with listening_at("127.0.0.1", 0, "HERE", "THERE") as listener, pytest.raises(CannotStart, match="THERE"):
        listening_at("127.0.0.1", port_of(listener), "HERE", "THERE")
    with pytest.raises(CannotStart, match="HERE"):
        listening_at("192.0.2.1", 0, "HERE", "THERE")
