"""How many commits a second this server takes: the yardstick of every other figure here.

`pgbench` changes one row by its primary key a transaction, with prepared statements.
"""

import re
import subprocess
import tempfile
from pathlib import Path

from benchmarks.queue.server import Server, client_program

DATABASE = "commits"
ROWS = 1000
SCRIPT = f"\\set id random(1, {ROWS})\nUPDATE counters SET n = n + 1 WHERE id = :id;\n"
_RATE = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)


def prepare(server: Server) -> None:
    with server.connect("postgres") as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")
    with server.connect(DATABASE) as connection:
        connection.execute("CREATE TABLE counters (id integer PRIMARY KEY, n bigint NOT NULL)")
        connection.execute("INSERT INTO counters SELECT id, 0 FROM generate_series(1, %s) AS id", (ROWS,))
        connection.execute("VACUUM ANALYZE counters")


def commits_per_second(server: Server, clients: int, seconds: int) -> float:
    with tempfile.TemporaryDirectory(prefix="jt-") as folder:
        script = Path(folder, "commit.sql")
        script.write_text(SCRIPT)
        command = [client_program("pgbench"), "--no-vacuum", "--protocol=prepared", f"--file={script}"]
        command += [f"--client={clients}", f"--jobs={min(clients, 2)}", f"--time={seconds}"]
        done = subprocess.run(
            [*command, server.url(DATABASE)], capture_output=True, text=True, check=False, timeout=120
        )
    found = _RATE.search(done.stdout)
    if not found:
        raise SystemExit(f"pgbench told no rate: {done.stderr.strip()}")
    return float(found[1])
