"""Any order of acts on a real queue leaves what a plain model of it leaves, row by row, after every act.

Two clocks move: the business clock says when a task may run, the server's how long a lease lasts.
"""

from collections.abc import Callable, Generator
from datetime import timedelta

import psycopg
import pytest
from fixtures.claimers import Capped, Foreign, Hosted
from fixtures.people import insert_account
from fixtures.queue_acts import WORDS, Acts, Hand
from fixtures.queue_bench import LEASES, PIN, ROWS, Bench
from fixtures.queue_model import UNFINISHED
from fixtures.worker import Echo
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from msgspec.structs import replace

from pipeline.worker.claims.types import Claimed
from pipeline.worker.upkeep.rules import KEPT
from schema.queue import Wanted
from schema.settings import DatabaseSettings

KINDS = [Echo.KIND, Capped.KIND, Hosted.KIND]
WANTED = st.builds(
    Wanted,
    payload=st.sampled_from([Echo(), Capped(), Hosted(), Hosted(site="other.example.org"), Foreign()]),
    dedupe_key=st.sampled_from([None, None, "k", "l"]),
    priority=st.sampled_from([10, 100, 500]),
)
CHILD = st.builds(Wanted, payload=st.just(Echo()), dedupe_key=st.sampled_from([None, "k"]))
MOSTLY = (*WORDS, "done", "failed", "failed", "again", "passing", "split", "split")
WORKERS = st.sampled_from(range(3))
DELAYS = st.sampled_from([timedelta(seconds=1), timedelta(seconds=40), timedelta(hours=2)])

Draw = Callable[..., object]
"""What Hypothesis chooses next."""


def is_trivial(task: Claimed) -> bool:
    """Whether a worker would write its good end together with others."""
    return task.host is None is task.parent_id


class Queue(RuleBasedStateMachine):
    """One rule draws every act, ordinary ones more often: of rules of their own half would be switched off
    in each example, and a queue without claims shows little."""

    ACTS = (
        *("work",) * 8,
        *("ask", "finish", "business_time", "promote") * 3,
        *("late", "late", "step", "claim_all", "replay", "reap", "forget") * 2,
        *("settle", "progress", "renew", "release", "resume", "cancel", "archive", "retire_check"),
    )

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self.acts = Acts(bench)
        self.bench, self.model = bench, self.acts.model

    @initialize(data=st.data())
    def some_work(self, data: st.DataObject) -> None:
        self.ask(data.draw)
        self.ask(data.draw)

    @rule(act=st.sampled_from(ACTS), data=st.data())
    def act(self, act: str, data: st.DataObject) -> None:
        getattr(self, act)(data.draw)

    def ask(self, draw: Draw) -> None:
        account = draw(st.sampled_from([None, *self.bench.accounts]))
        asked = draw(st.lists(WANTED, min_size=1, max_size=4))
        if draw(st.booleans()):
            asked[0] = replace(asked[0], not_before=self.acts.now + draw(DELAYS))
        self.acts.ask(account, asked)

    def step(self, draw: Draw) -> None:
        """Also with ends of tasks that are somebody else's by now, or nobody's, or held by another claim."""
        number = draw(WORKERS)
        mine = [task for by, task in self.acts.hands[-12:] if by == number and draw(st.booleans())]
        if draw(st.booleans()):
            mine.reverse()
        ended = [task for task in {task.id: task for task in mine}.values() if is_trivial(task)]
        self.acts.step(number, draw(st.integers(0, 4)), ended, is_fresh=draw(st.booleans()))

    def claim_all(self, draw: Draw) -> None:
        self.acts.claim_all(draw(WORKERS))

    def _settle(self, draw: Draw, hand: Hand) -> None:
        children = draw(st.lists(CHILD, max_size=2))
        self.acts.settle(hand, draw(st.sampled_from(MOSTLY)), children, draw(st.sampled_from([0.0, 0.5])))

    def settle(self, draw: Draw) -> None:
        if self.acts.hands:
            self._settle(draw, self._hand(draw))

    def finish(self, draw: Draw) -> None:
        """As `settle`, but only by those who hold their task."""
        if held := self._held():
            self._settle(draw, draw(st.sampled_from(held)))

    def _held(self) -> list[Hand]:
        return [hand for hand in self.acts.hands if self.model.held(self.acts.fence(hand))]

    def work(self, draw: Draw) -> None:
        """Claims, and ends most of what it has."""
        self.acts.step(draw(WORKERS), 4, [], is_fresh=True)
        for _ in range(draw(st.integers(0, 3))):
            self.finish(draw)

    def _hand(self, draw: Draw) -> Hand:
        """Any claim; as often one of a task that runs, out of date or not."""
        running = [task.id for task in self.model.among("running")]
        latest = [hand for hand in self.acts.hands[-12:] if hand[1].id in running]
        return draw(st.sampled_from(latest if latest and draw(st.booleans()) else self.acts.hands))

    def progress(self, draw: Draw) -> None:
        if self.acts.hands:
            self.acts.progress(self._hand(draw), draw(st.integers(0, 2)))

    def renew(self, draw: Draw) -> None:
        self.acts.renew(draw(WORKERS))

    def release(self, draw: Draw) -> None:
        self.acts.release(draw(WORKERS))

    def business_time(self, draw: Draw) -> None:
        self.bench.clock.at += draw(DELAYS)

    def late(self, draw: Draw) -> None:
        """A lease is nearly over, or over, when somebody acts on it."""
        self.acts.step(draw(WORKERS), 2, [], is_fresh=True)
        if not (held := self._held()):
            return
        number, task = hand = draw(st.sampled_from(held))
        left = self.model.tasks[task.id].lease or 0.0
        self.acts.let_server_time_pass(max(left + draw(st.sampled_from([-400, -3, 1])), 0))
        match draw(st.sampled_from(["step", "step", "settle", "progress", "renew", "release", "reap"])):
            case "step":
                self.acts.step(number, 2, [task] if is_trivial(task) else [], is_fresh=True)
            case "settle":
                self._settle(draw, hand)
            case "progress":
                self.acts.progress(hand, draw(st.integers(0, 2)))
            case other:
                getattr(self, other)(draw)

    def reap(self, draw: Draw) -> None:
        self.acts.reap()

    def promote(self, draw: Draw) -> None:
        self.acts.promote(draw(st.sampled_from([KINDS, KINDS[:1]])))

    def forget(self, draw: Draw) -> None:
        if ended := self.model.among("done", "cancelled", "failed"):
            old = ended if draw(st.booleans()) else [task for task in ended if draw(st.booleans())]
            self.acts.forget(old, draw(st.sampled_from([KEPT, KEPT + timedelta(microseconds=1)])))

    def _with_task(self, draw: Draw, act: Callable[..., None], statuses: set[str], *more: object) -> None:
        """One of these states if there is any, else any task."""
        if tasks := self.model.among(*statuses) or [*self.model.tasks.values()]:
            act(draw(st.sampled_from(tasks)), *more)

    def resume(self, draw: Draw) -> None:
        self._with_task(draw, self.acts.resume, {"awaiting_batch"})

    def replay(self, draw: Draw) -> None:
        self._with_task(draw, self.acts.replay, {"failed"}, KINDS)

    def cancel(self, draw: Draw) -> None:
        self._with_task(draw, self.acts.cancel, UNFINISHED)

    def archive(self, draw: Draw) -> None:
        self._with_task(draw, self.acts.archive, {"failed", "cancelled"})

    def retire_check(self, draw: Draw) -> None:
        self.acts.retire_check(draw(st.sampled_from([*KINDS, Foreign.KIND])))

    @invariant()
    def the_rows_are_the_models(self) -> None:
        assert self.bench.fetch(ROWS) == [self.model.tasks[each].row() for each in sorted(self.model.tasks)]
        left = dict(self.bench.fetch(LEASES))
        running: dict[int, float] = {task.id: task.lease or 0.0 for task in self.model.among("running")}
        assert left.keys() == running.keys()
        assert all(-20 < left[each] - lease < 0.1 for each, lease in running.items())
        self.bench.run(PIN, list(running), list(running.values()))

    @invariant()
    def the_hosts_are_the_models(self) -> None:
        rows = self.bench.fetch(
            "SELECT host, egress_group, refusals, nullif(closed_until, '-infinity') FROM host_budgets"
        )
        hosts = {(host, group): (refusals, until) for host, group, refusals, until in rows}
        assert hosts == {at: (host.refusals, host.closed_until) for at, host in self.model.hosts.items()}

    @invariant()
    def no_cap_is_passed_and_no_work_is_unfinished_twice(self) -> None:
        """Asked of the model, whose rows were just found to be the real ones."""
        running = self.model.running()
        assert all(
            running[scope] <= 2 for scope in running if scope.startswith(("host ", "account ", Capped.KIND))
        )
        unfinished = self.model.among(*UNFINISHED)
        lineages = [task.root or task.id for task in unfinished]
        keys = [(task.account, task.key) for task in unfinished if task.key is not None]
        assert len(set(lineages)) == len(lineages)
        assert len(set(keys)) == len(keys)


@pytest.fixture
def bench(owner_url: str, database_settings: DatabaseSettings, empty_database: None) -> Generator[Bench]:
    accounts = [insert_account(owner_url, name) for name in ("ada@example.org", "ben@example.org")]
    with (
        psycopg.connect(owner_url, autocommit=True) as owner,
        Bench(database_settings, owner, [*accounts]).open() as opened,
    ):
        yield opened


@pytest.mark.timeout(180)
def test_any_order_of_acts_leaves_what_the_model_leaves(bench: Bench):
    run_state_machine_as_test(
        lambda: Queue(bench),
        settings=settings(
            max_examples=26,
            stateful_step_count=100,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],  # to make a failure shorter takes minutes: add Phase.shrink for that
        ),
    )
