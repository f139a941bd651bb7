"""Settings: defaults that work, and refusals that name the variable and what is allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.settings import BadSetting, load, variables


def test_nothing_set_is_enough():
    settings = load({})
    assert settings.http.host == "127.0.0.1"
    assert settings.http.address() == f"http://127.0.0.1:{settings.http.port}"


def test_values_are_read_by_type():
    settings = load({"JOBTRAIL_HTTP_PORT": " 9000 ", "JOBTRAIL_SOURCE_ALLOW_PRIVATE_ADDRESSES": "true"})
    assert settings.http.port == 9000
    assert settings.source.allow_private_addresses is True


@pytest.mark.parametrize(
    "url", ["", "postgresql://a:b@h:1/d", "postgres:///d?host=%2Frun", "host=h dbname=d"]
)
def test_a_connection_may_be_written_in_every_way_of_postgresql(url: str):
    assert load({"JOBTRAIL_DATABASE_URL": url}).database.url == url


@pytest.mark.parametrize("url", ["mysql://ada:canary@h/d", "postgresql://ada:canary@h/d?x=canary", "canary"])
def test_a_refused_connection_does_not_show_its_password(url: str):
    with pytest.raises(BadSetting) as refusal:
        load({"JOBTRAIL_DATABASE_URL": url})
    assert "canary" not in refusal.value.detail
    assert refusal.value.__suppress_context__


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("JOBTRAIL_HTTP_PORT", "http", "a whole number"),
        ("JOBTRAIL_HTTP_PORT", "70000", "0 to 65535"),
        ("JOBTRAIL_WORKER_SLOTS", "0", "1 to 256"),
        ("JOBTRAIL_MONITOR_WORKER_PORT", "65536", "0 to 65535"),
        ("JOBTRAIL_WORKER_LEASE_SECONDS", "nan", "0.5 to 3600"),
        ("JOBTRAIL_SOURCE_ALLOW_PRIVATE_ADDRESSES", "perhaps", "true or false"),
        ("JOBTRAIL_HTTP_PUBLIC_URL", "jobs.example.org", "like https://"),
        ("JOBTRAIL_HTTP_PUBLIC_URL", "https://jobs.example.org/path", "without a path"),
        ("JOBTRAIL_DATABASE_URL", "mysql://ada@localhost/jobs", "postgresql://"),
        ("JOBTRAIL_DATABASE_OWNER_URL", "::::", "postgresql://"),
        ("JOBTRAIL_LOG_LEVEL", "loud", "debug, info, warning, error"),
    ],
)
def test_a_refusal_names_the_variable_and_what_is_allowed(variable: str, value: str, says: str):
    with pytest.raises(BadSetting) as refusal:
        load({variable: value})
    assert variable in refusal.value.detail
    assert says in refusal.value.detail


def test_a_misspelt_setting_is_refused_by_name():
    with pytest.raises(BadSetting, match="JOBTRAIL_HTP_PORT"):
        load({"JOBTRAIL_HTP_PORT": "1"})


def test_other_programs_variables_are_no_concern():
    load({"PATH": "/bin", "DATABASE_URL": "postgresql://elsewhere"})


@given(st.dictionaries(st.sampled_from(sorted(variables())), st.text(max_size=40), max_size=4))
def test_any_environment_is_read_or_refused_by_name(environ: dict[str, str]):
    try:
        load(environ)
    except BadSetting as refusal:
        assert any(variable in refusal.detail for variable in environ)  # noqa: PT017
