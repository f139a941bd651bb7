import re
from collections import Counter

import pytest

from mailsync.classify.senders import Sender, is_relay_brand, known_sender, table, tenant
from mailsync.parse.types import Address

ROWS = table()
# Local part, domain, platform, kind, token of the employer, whether it only ever sends alerts.
SENDERS = """
no-reply us.greenhouse-mail.io greenhouse ats - no
no-reply eu.greenhouse-mail.io greenhouse ats - no
no-reply hire.lever.co lever ats - no
mail hire.eu.lever.co lever ats - no
no-reply ashbyhq.com ashby ats - no
northwind myworkday.com workday ats northwind no
northwind+autoreply talent.icims.com icims ats northwind no
notifications smartrecruiters.com smartrecruiters ats - no
notification jobvite.com jobvite ats - no
no-reply jobalerts.jobvite.com jobvite ats - yes
noreply candidates.workablemail.com workable ats - no
bo.linden northwind.teamtailor-mail.com teamtailor ats northwind no
careers northwind.recruitee.com recruitee ats northwind no
jobs northwind.personio.de personio ats northwind no
northwind-1a2b candidates.welcomekit.co - ats northwind-1a2b no
noreply northwind.talent-soft.com talentsoft ats northwind no
noreply flatchr.io flatchr ats - no
noreply app.softgarden.io softgarden ats - no
noreply northwind.rexx-systems.com rexx ats northwind no
noreply northwind.dvinci-hr.com d.vinci ats northwind no
noreply northwind.bizneohr.com bizneo ats northwind no
info push.infojobs.net infojobs board - no
jobagent stepstone.de stepstone board - yes
mailrobot mail.xing.com xing board - no
alertes cadremploi.fr cadremploi board - yes
alerte emails.hellowork.com hellowork board - yes
offres apec.fr apec board - no
noreply francetravail.fr - board - no
hello otta.com welcometothejungle board - no
talent hired.com hired board - no
phil ziprecruiter.com ziprecruiter board - yes
jobs email.monster.com monster board - no
alerts careerbuilder.com careerbuilder board - yes
noreply s.seek.com.au seek board - no
jobs reed.co.uk reed board - no
jobalerts totaljobs.com totaljobs board - yes
alerts cv-library.co.uk cv-library board - yes
alert naukri.com naukri board - yes
noreply alljobs.co.il alljobs board - no
alerts drushim.co.il drushim board - yes
info jobmaster.co.il jobmaster board - no
jobs-noreply linkedin.com linkedin board - no
jobalerts-noreply linkedin.com linkedin board - yes
jobs-listings linkedin.com linkedin board - yes
indeedapply indeed.com indeed board - no
x match.indeed.com indeed board - yes
applyonline dice.com dice board - no
team hi.wellfound.com wellfound board - no
support hackerrankforwork.com hackerrank vendor - no
no-reply codesignal.com codesignal vendor - no
no-reply hirevue.com hirevue vendor - no
notifications calendly.com calendly schedule - no
dse docusign.net docusign signing - no
"""


@pytest.mark.parametrize(
    ("local", "domain", "name", "kind", "token", "alerts"),
    [line.split() for line in SENDERS.strip().splitlines()],
)
def test_a_platform_is_known_by_its_address(
    local: str, domain: str, name: str, kind: str, token: str, alerts: str
):
    address = Address(address=f"{local}@{domain}")
    sender = known_sender(address)
    assert sender is not None
    assert name in ("-", sender.name)
    assert sender.kind == kind
    assert (tenant(address, sender) or "-") == token
    assert sender.only_alerts(address) == (alerts == "yes")


@pytest.mark.parametrize(
    "domain", ["northwind.example", "notlinkedin.com", "linkedin.com.example", "com", ""]
)
def test_other_domains_are_nobody(domain: str):
    assert known_sender(Address(address=f"jobs@{domain}")) is None


def test_the_table_is_well_formed():
    assert len(ROWS) > 600
    assert [domain for domain, count in Counter(row.domain for row in ROWS).items() if count > 1] == []
    for row in ROWS:
        assert re.fullmatch(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", row.domain), row.domain
        assert row.name == row.name.lower().strip(), row.domain
        assert all(part == part.lower() for part in row.alerts), row.domain


def brand_of(row: Sender) -> bool:
    return is_relay_brand(row.name)


def test_the_brand_of_every_relay_is_no_employer_unless_it_hires_itself():
    employers = {"oracle", "zoho", "mercor"}
    assert {row.name for row in ROWS if not row.plain and not brand_of(row)} <= employers
