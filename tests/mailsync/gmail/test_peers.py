"""The same sync against our emulator and a third party's: it must not rest on our own reading of Gmail.

The third party has no profile, no batches and an own search language; the sync manages without them.
"""

from base64 import urlsafe_b64encode

from fixtures.gmail_peers import PEOPLE, Peer
from fixtures.mailroom import REDIRECT, SESSION, Mailroom, job_mail, other_mail


class Address:
    """A consent page that is known already, for a peer that wants to ask for it."""

    def __init__(self, url: str) -> None:
        self._url = url

    def authorization_url(self, **options: object) -> tuple[str, str]:
        return self._url, ""


def put(google, raw: bytes) -> str:
    body = {"raw": urlsafe_b64encode(raw).decode(), "labelIds": ["INBOX", "UNREAD"]}
    return google.users().messages().insert(userId="me", body=body).execute()["id"]


async def connected(room: Mailroom, peer: Peer, email: str) -> None:
    room.build(
        auth_url=f"{peer.url}/o/oauth2/v2/auth",
        token_url=f"{peer.url}/oauth2/token",
        revoke_url=f"{peer.url}/oauth2/revoke",
        userinfo_url=f"{peer.url}/oauth2/v2/userinfo",
        api_url=peer.url,
    )
    started = await room.connections.start(room.account, session_hash=SESSION, redirect_url=REDIRECT)
    back = peer.consent(Address(started.url), email)
    done = await room.connections.finish(
        room.account, session_hash=SESSION, state=back["state"], code=back["code"]
    )
    assert (done.end, done.address) == ("connected", email)
    room.mailbox_id = done.mailbox_id


async def test_a_mailbox_is_synced_and_followed(mailroom: Mailroom, peer: Peer):
    email = next(peer.people)
    assert email in PEOPLE
    await connected(mailroom, peer, email)
    from emulators.gmail.program import client

    with client(peer.url, peer.holder(email)) as google:
        first = [put(google, job_mail(number)) for number in range(6)]
        first += [put(google, other_mail(number)) for number in range(4)]
        status = await mailroom.sync()
        assert (status.phase, status.last_error) == ("in_step", None)
        assert mailroom.ledger() == dict.fromkeys(first[:6], "stored") | dict.fromkeys(first[6:], "not_kept")
        second = put(google, job_mail(50))
        google.users().messages().delete(userId="me", id=first[0]).execute()
        await mailroom.sync()
    assert set(mailroom.ledger()) == {*first[1:], second}
    assert (await mailroom.connections.disconnect(mailroom.who)).revoked
