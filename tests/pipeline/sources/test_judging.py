"""New rules judge what older ones refused, out of what is stored, though no board says anything new."""

from fixtures.scripted_boards import ScriptedBoards, shown, unchanged, whole

from pipeline.sources import admission, judging, tasks
from pipeline.sources.judging import judge_refused
from pipeline.sources.tasks import sweep
from schema.tasks import JudgeRefused, PullDueSources

NEWER = admission.ADMISSION_VERSION + 1


def raise_version(monkeypatch) -> None:
    """A release whose rules admit what an employer does not list."""

    def kinder(listing, canonical_url):
        if listing.title == "Secret":
            return admission.Verdict(rule="is_secret", is_admitted=False, reason="secret", version=NEWER)
        return admission.Verdict(rule="all", version=NEWER)

    monkeypatch.setattr("pipeline.sources.records.admitted", kinder)
    for module in (judging, tasks):
        monkeypatch.setattr(module, "ADMISSION_VERSION", NEWER)


async def test_refused_listings_are_judged_again_without_a_fetch(catalog: ScriptedBoards, monkeypatch):
    source = await catalog.source()
    ghost = shown("Ghost", is_listed=False, locations=("Bergen",), requisition_id="R-7")
    rows = (shown("Pilot"), ghost, shown("Secret", is_listed=False))
    await catalog.pull(source, whole(*rows, etag='"1"'))
    assert catalog.one("SELECT count(*) FROM postings") == 1
    assert (await sweep(catalog.run(), PullDueSources())).word == "nothing_due"
    assert catalog.one("SELECT count(*) FROM tasks WHERE kind = 'catalog.judge.v1'") == 0
    raise_version(monkeypatch)
    await catalog.pull(source, unchanged())
    assert catalog.one("SELECT count(*) FROM postings") == 1
    await sweep(catalog.run(), PullDueSources())
    assert catalog.one("SELECT count(*) FROM tasks WHERE kind = 'catalog.judge.v1'") == 1
    asked = len(catalog.adapters["ashby"].known)
    assert (await judge_refused(catalog.run(), JudgeRefused())).word == "judged"
    assert len(catalog.adapters["ashby"].known) == asked
    assert catalog.rows(
        "SELECT l.vendor_id, verdict, rule, rule_version, read_as IS NULL, p.locations, p.requisition_id,"
        " d.text FROM listings l LEFT JOIN postings p ON p.id = l.posting_id"
        " LEFT JOIN descriptions d ON d.content_hash = p.description_hash WHERE rule_version = %s ORDER BY 1",
        NEWER,
    ) == [
        ("ghost", "admitted", "all", NEWER, True, ["Bergen"], "R-7", "Ghost at the harbour."),
        ("secret", "refused", "is_secret", NEWER, False, None, None, None),
    ]
    assert catalog.rows("SELECT event, reason, pull_id FROM posting_events ORDER BY id DESC LIMIT 1") == [
        ("opened", "admitted by newer rules", None)
    ]
    before = catalog.versions()
    assert (await judge_refused(catalog.run(), JudgeRefused())).word == "nothing_new"
    assert catalog.versions() == before


async def test_what_no_board_shows_any_more_is_not_admitted_after_the_fact(
    catalog: ScriptedBoards, monkeypatch
):
    source = await catalog.source()
    crew = [shown(f"Mate {number}") for number in range(4)]
    await catalog.pull(source, whole(*crew, shown("Ghost", is_listed=False)))
    await catalog.pull(source, whole(*crew))
    raise_version(monkeypatch)
    assert (await judge_refused(catalog.run(), JudgeRefused())).word == "nothing_new"
    assert catalog.one("SELECT count(*) FROM postings") == 4
