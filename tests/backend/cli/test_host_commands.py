"""What an operator sees of the hosts that were asked, and how one is asked anew."""

import psycopg
from fixtures.command_line import Command


def test_hosts_are_listed_blocked_ones_first_and_forgotten_on_demand(command_line: Command, owner_url: str):
    assert command_line("host", "list").out == "No host was asked yet.\n"
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO host_paces"
            " (host, spacing, least_spacing, arrival_at, blocked_until, refusals, used_at)"
            " VALUES ('jobs.example', '1 s', '1 s', now(), '-infinity', 0, now()),"
            " ('slow.example', '8 s', '1 s', now(), '2999-01-01 00:00+00', 3, now() - interval '1 day')"
        )
        owner.execute(
            "INSERT INTO robots_files (host, state, fetched_at, asked_until)"
            " VALUES ('slow.example', 'found', now(), now()), ('slow.example:8080', 'missing', now(), now())"
        )
    first, second = command_line("host", "list").out.splitlines()
    assert first.split()[:3] == ["slow.example", "8", "s"]
    assert first.endswith("robots.txt found; left alone until 2999-01-01 00:00:00; 3 refusals in a row")
    assert second.endswith("robots.txt unknown")
    assert command_line("host", "forget", "SLOW.example").code == 0
    assert command_line("host", "list").out.splitlines() == [second]
    with psycopg.connect(owner_url) as owner:
        assert owner.execute("SELECT host FROM robots_files").fetchall() == []
    again = command_line("host", "forget", "slow.example")
    assert again.code == 1
    assert "no host slow.example was asked" in again.err
