"""The OpenAPI document and the server agree: no 5xx, and nothing that the document does not announce.

Every operation of the document is called with generated requests, valid and not, by a signed-in browser and a
paired device, on a real server. Examples and their number are fixed, so that the run is the same everywhere.
"""

import asyncio
import warnings
from unittest import SkipTest

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from backend.accounts import sessions
from extension_api.pairing.exchange import exchange, start_pairing
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId

EXAMPLES = 40
LEFT_OUT = [
    positive_data_acceptance,  # a rule may refuse what a JSON schema cannot say, such as a time zone's name
]
ORIGIN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"


@pytest.fixture
async def credentials(database: Database, account: AccountId) -> dict[str, str]:
    """Headers of a signed-in browser in which the extension is paired."""
    clock = SystemClock()
    token = await sessions.start(database, clock, account, "schemathesis")
    async with database.as_account(account) as unit:
        code = await start_pairing(unit, clock.now())
    device = await exchange(
        database, code=code.shown, name="fuzz", origin=ORIGIN, peer="test", now=clock.now()
    )
    return {"cookie": f"jobtrail_session={token}", "authorization": f"Bearer {device.token}"}


def call(
    operation: schemathesis.APIOperation, mode: GenerationMode, server: str, headers: dict[str, str]
) -> set[int]:
    """The statuses this operation answered, each as announced."""
    statuses: set[int] = set()

    @seed(1)
    @hypothesis_settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(mode))
    def answered_as_announced(case: schemathesis.Case) -> None:
        answer = case.call_and_validate(
            base_url=server, headers=headers, timeout=10, excluded_checks=LEFT_OUT
        )
        statuses.add(answer.status_code)

    answered_as_announced()
    return statuses


def call_all(server: str, headers: dict[str, str]) -> dict[str, set[int]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # generated regular expressions and dates make the libraries talk
        document = httpx2.get(f"{server}/api/openapi.json").json()
        # Credentials are given as headers; told of them, it would put its own in their place.
        del document["components"]["securitySchemes"]
        for operations in document["paths"].values():
            for operation in operations.values():
                operation.pop("security", None)
        schema = schemathesis.openapi.from_dict(document)
        operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
        operations.sort(key=lambda operation: operation.method == "delete")  # it may end our own session
        return {
            operation.label: call(operation, GenerationMode.POSITIVE, server, headers)
            | negative(operation, server, headers)
            for operation in operations
        }


def negative(operation: schemathesis.APIOperation, server: str, headers: dict[str, str]) -> set[int]:
    """The same with requests that break the document, where something of them can be broken."""
    try:
        return call(operation, GenerationMode.NEGATIVE, server, headers)
    except (Unsatisfiable, SkipTest):
        return set()


@pytest.mark.timeout(180)
async def test_every_operation_answers_as_announced(server: str, credentials: dict[str, str]):
    statuses = await asyncio.to_thread(call_all, server, credentials)
    let_in = {label for label, found in statuses.items() if 200 in found}
    assert {label for label in statuses if label.startswith("GET") and "{" not in label} <= let_in
