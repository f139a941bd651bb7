"""`jobtrail check` says whether the language model that is set can be asked, and how safely."""

from pathlib import Path

import pytest

from backend.processes.check_machine import machine_findings
from schema.settings import HomeSettings, HttpSettings, ModelSettings, Settings


@pytest.fixture
def checked(short_folder: Path):
    def model(**values: object) -> tuple[str, str] | None:
        settings = Settings(
            home=HomeSettings(home=str(short_folder / "home")),
            http=HttpSettings(port=0),
            model=ModelSettings(**values),  # pyright: ignore
        )
        return next(
            ((each.verdict, each.text) for each in machine_findings(settings) if each.subject == "model"),
            None,
        )

    return model


def test_without_a_model_there_is_nothing_to_say(checked):
    assert checked() is None


def test_a_key_without_a_name_and_a_name_without_a_key_ask_nothing(checked):
    assert checked(key="k")[0] == "wrong"
    assert checked(name="small")[0] == "wrong"


def test_a_model_is_told_and_its_key_is_not(checked, short_folder: Path):
    assert checked(key="canary", name="small") == (
        "ok",
        "small at api.openai.com; what it costs is not known",
    )
    prices = short_folder / "prices.toml"
    prices.write_text(
        '[[price]]\nmodel = "small"\nsince = 2026-01-01\ncurrency = "USD"\ninput = "1"\noutput = "2"\n'
    )
    assert checked(key="canary", name="small", prices_file=str(prices)) == ("ok", "small at api.openai.com")


def test_a_price_table_that_cannot_be_read_is_wrong(checked, short_folder: Path):
    verdict, text = checked(key="k", name="small", prices_file=str(short_folder / "none.toml"))
    assert verdict == "wrong"
    assert "JOBTRAIL_MODEL_PRICES_FILE" in text


def test_mail_in_the_clear_is_unsafe_unless_it_stays_on_this_machine(checked):
    assert checked(key="k", name="small", url="http://models.example/v1")[0] == "unsafe"
    assert checked(key="k", name="small", url="http://127.0.0.1:11434/v1")[0] == "ok"
