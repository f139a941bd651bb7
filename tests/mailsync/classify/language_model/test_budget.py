from mailsync.classify.language_model.budget import MOST_TRIES, Budget


class Seconds:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_tries_and_waits_spend_one_budget():
    seconds = Seconds()
    budget = Budget(10, seconds, lambda: 0.0)
    seconds.now += 4
    assert budget.left() == 6
    seconds.now += 100
    assert budget.left() == 0
    assert budget.wait(None) is None


def test_waits_double_with_chance_taking_up_to_half():
    budget = Budget(100, Seconds(), lambda: 0.0)
    waits: list[float | None] = []
    for _ in range(MOST_TRIES):
        budget.tries += 1
        waits.append(budget.wait(None))
    assert waits == [0.5, 1.0, 2.0, None]
    shorter = Budget(100, Seconds(), lambda: 1.0)
    shorter.tries = 1
    assert shorter.wait(None) == 0.25


def test_the_provider_is_not_asked_before_it_wants_and_a_wait_beyond_the_budget_ends_the_asking():
    budget = Budget(10, Seconds(), lambda: 0.0)
    budget.tries = 1
    assert budget.wait(7) == 7
    assert budget.wait(0.1) == 0.5
    assert budget.wait(30) is None
