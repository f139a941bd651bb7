"""A mailbox that was never synced, from consent to being in step."""

from fixtures.mailroom import Mailroom, job_mail, other_mail


async def test_the_whole_mailbox_is_read_once_and_only_job_mail_is_kept(mailroom: Mailroom):
    mailroom.deliver(12, job_mail)
    mailroom.deliver(9, other_mail)
    await mailroom.connect()
    status = await mailroom.sync()
    mailroom.is_complete()
    assert (status.phase, status.counts.stored, status.counts.not_kept) == ("in_step", 12, 9)
    assert (status.total, status.last_error, status.holder and status.holder.name) == (21, None, None)
