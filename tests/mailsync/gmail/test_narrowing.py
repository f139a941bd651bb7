"""What a narrowed mailbox reads: of its past, of what is new, and when a person changes their mind."""

from fixtures.mailroom import Mailroom, job_mail, other_mail

from mailsync.gmail.status import GmailStatus

QUERY = "subject:application"


async def narrowed(room: Mailroom, **to: object) -> GmailStatus:
    await room.connections.narrow(room.who, **to)  # pyright: ignore[reportArgumentType]
    return await room.sync()


async def test_several_labels_mean_any_of_them(mailroom: Mailroom):
    one, two = mailroom.control.add_label("One"), mailroom.control.add_label("Two")
    wanted = [
        mailroom.control.deliver(job_mail(number), ("INBOX", *labels))
        for number, labels in enumerate([(one,), (two,), (one, two)])
    ]
    mailroom.control.deliver(job_mail(9))
    await mailroom.connect()
    status = await narrowed(mailroom, labels=[one, two])
    assert {key for key, state in mailroom.ledger().items() if state == "stored"} == set(wanted)
    assert status.total == 3


async def test_old_mail_beside_the_query_is_not_read_because_its_labels_change(mailroom: Mailroom):
    old = mailroom.deliver(2, other_mail)
    await mailroom.connect()
    await narrowed(mailroom, query=QUERY)
    mailroom.control.relabel(old[0], remove=["UNREAD"])
    new = mailroom.deliver(1, other_mail, 50)
    await mailroom.sync()
    assert set(mailroom.control.fetches()) == set(new)
    await narrowed(mailroom)
    mailroom.is_complete()


async def test_new_mail_beside_the_query_is_read_when_the_history_had_ended(mailroom: Mailroom):
    mailroom.deliver(1, other_mail)
    await mailroom.connect()
    await narrowed(mailroom, query=QUERY)
    new = mailroom.deliver(2, other_mail, 50)
    mailroom.control.expire_history()
    await mailroom.sync()
    assert set(new) <= set(mailroom.control.fetches())


async def test_spam_asked_for_later_comes_and_is_fetched_once(mailroom: Mailroom):
    mailroom.control.deliver(job_mail(0), ("SPAM",))
    mailroom.control.deliver(job_mail(1), ("TRASH",))
    await mailroom.connect()
    await mailroom.sync()
    mailroom.control.deliver(job_mail(2), ("SPAM",))
    assert (await mailroom.sync()).counts.stored == 0
    for include_spam in (True, False, True):
        assert (await narrowed(mailroom, include_spam=include_spam)).counts.stored == 3
    assert mailroom.fetched_twice() == {}
