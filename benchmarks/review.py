"""What waits besides messages, and how long each answer takes, for `benchmarks.pages`.

An answer is timed from sending the form to the redirect, at a client on loopback. Each is given to another
item, and its page is read first, as a person would. A few come before without a figure: what a connection of
the server runs for the first time has to be planned.
"""

import statistics
import time

import httpx2
import psycopg
from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchmarks.table import Measure

FIRST_PAGE_BAR_MS = 50.0
ACT_BAR_MS = 30.0
UNTIMED = 16
EACH = 300
"""So many asks, proposed statuses and pairs wait."""
FILL = """
UPDATE applications SET status = 'interviewing', status_at = now() - interval '1 day'
  WHERE account_id = %(account)s AND id IN (SELECT id FROM applications WHERE account_id = %(account)s
    ORDER BY id LIMIT %(each)s);
UPDATE standings s SET proposal = 'rejected', proposal_message_id = m.message_id, proposal_at = m.sent_at,
    by_person = true, stage = 'interviewing'
  FROM (SELECT DISTINCT ON (t.application_id) t.application_id, t.message_id, g.sent_at FROM attachments t
    JOIN messages g ON g.account_id = t.account_id AND g.id = t.message_id
    WHERE t.account_id = %(account)s ORDER BY t.application_id, t.message_id) m
  WHERE s.account_id = %(account)s AND m.application_id = s.application_id
    AND s.application_id IN (SELECT id FROM applications
      WHERE status IS NOT NULL AND account_id = %(account)s);
INSERT INTO asks (account_id, application_id, message_id, kind, opened_at)
  SELECT account_id, application_id, message_id, 'choose_time', now() - message_id * interval '1 minute'
  FROM attachments WHERE account_id = %(account)s ORDER BY message_id LIMIT %(each)s;
INSERT INTO pairs (account_id, application_id, other_application_id, says, found_at)
  SELECT a.account_id, a.id, a.id + 900, 'Both are at one employer.', now() - a.id * interval '1 minute'
  FROM applications a JOIN applications b ON b.account_id = a.account_id AND b.id = a.id + 900
  WHERE a.account_id = %(account)s ORDER BY a.id LIMIT %(each)s;
"""
MESSAGE_ACTS = (
    "confirm",
    "confirm_all",
    "reject",
    "assign",
    "create_application",
    "not_an_application",
    "not_job_mail",
)
OTHER_ACTS = {
    "status": ("accept_status", "decline_status"),
    "ask": ("mark_done",),
    "pair": ("merge", "keep_apart"),
}


def fill(connection: psycopg.Connection[tuple[object, ...]], account: object) -> None:
    for statement in FILL.split(";\n"):
        if statement.strip():
            connection.execute(statement, {"account": account, "each": EACH})  # pyright: ignore[reportArgumentType]


async def acts(client: httpx2.AsyncClient, times: int) -> list[Measure]:
    """Every answer `times` times, every second one taken back at once."""
    found: list[Measure] = []
    for _ in range(UNTIMED):
        await _act(client, "message", "confirm")
        await _undo(client)
    for kind, choices in (("message", MESSAGE_ACTS), *OTHER_ACTS.items()):
        for choice in choices:
            answers: list[float] = []
            undos: list[float] = []
            for n in range(times):
                answers.append(await _act(client, kind, choice))
                if n % 2:
                    undos.append(await _undo(client))
            found += [*_told(f"answer: {choice}", answers), *_told(f"undo of {choice}", undos)]
    return found


def _told(name: str, seconds: list[float]) -> list[Measure]:
    slow = sorted(seconds)[min(int(len(seconds) * 0.95), len(seconds) - 1)]
    return [
        Measure(f"{name}, median", 1000 * statistics.median(seconds), "ms"),
        Measure(f"{name}, p95", 1000 * slow, "ms", ACT_BAR_MS),
    ]


async def _act(client: httpx2.AsyncClient, kind: str, choice: str) -> float:
    listed = _parsed(await client.get(f"/review/list?kind={kind}"))
    for link in listed.css("#queue li a"):
        path = str(link.attributes["href"])
        page = _parsed(await client.get(path))
        if choice == "assign":
            page = _parsed(await client.get(f"{path}/find"))
        for button in page.css("button[name=answer]"):
            value = str(button.attributes.get("value"))
            if value.partition(":")[0] == choice:
                return await _timed(client, *_form(page, button), value)
    raise SystemExit(f"nothing waits that {choice} answers; no figure is told")


async def _undo(client: httpx2.AsyncClient) -> float:
    page = _parsed(await client.get("/review/history"))
    form = page.css("#history form")[0]
    return await _timed(client, str(form.attributes["action"]), _fields(form), "")


async def _timed(client: httpx2.AsyncClient, path: str, fields: dict[str, str], answer: str) -> float:
    began = time.perf_counter()
    named = {"company": "Company", "role": "Engineer"} if answer == "create_application" else {}
    answered = await client.post(path, data={**fields, **named, "answer": answer})
    seconds = time.perf_counter() - began
    if answered.status_code != httpx2.codes.SEE_OTHER:
        raise SystemExit(f"{path} answered {answered.status_code} to {answer}; no figure is told")
    return seconds


def _form(page: LexborHTMLParser, button: LexborNode) -> tuple[str, dict[str, str]]:
    named = button.attributes.get("form")
    form = page.css(f"form#{named}")[0] if named else button
    while form.tag != "form" and form.parent:
        form = form.parent
    return str(form.attributes["action"]), _fields(form)


def _fields(form: LexborNode) -> dict[str, str]:
    return {
        str(field.attributes["name"]): str(field.attributes.get("value") or "") for field in form.css("input")
    }


def _parsed(answer: httpx2.Response) -> LexborHTMLParser:
    if answer.status_code != httpx2.codes.OK:
        raise SystemExit(f"{answer.url} answered {answer.status_code}; no figure is told")
    return LexborHTMLParser(answer.text)
