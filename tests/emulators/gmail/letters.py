"""Small letters to fill a mailbox with."""

from email.message import EmailMessage

from emulators.gmail.world import EMAIL


def letter(
    subject: str,
    body: str = "Kind regards from the harbour.",
    *,
    sender: str = "Northwind Talent <talent@northwind.example>",
    to: str = EMAIL,
    message_id: str | None = None,
    reply_to: str | None = None,
) -> bytes:
    """A plain letter; its Message-ID follows from the subject unless one is given."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, to, subject
    made["Date"] = "Mon, 02 Mar 2026 09:00:00 +0000"
    made["Message-ID"] = message_id or f"<{subject.encode().hex()[:60]}@northwind.example>"
    if reply_to:
        made["In-Reply-To"] = made["References"] = reply_to
    made.set_content(body)
    return made.as_bytes()


def with_attachment(subject: str, content: bytes, name: str = "plan.pdf") -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Talent <talent@northwind.example>", EMAIL, subject
    made["Message-ID"] = f"<{subject.encode().hex()[:60]}@northwind.example>"
    made.set_content("See the plan.")
    made.add_alternative("<p>See the <b>plan</b>.</p>", subtype="html")
    made.add_attachment(content, maintype="application", subtype="pdf", filename=name)
    return made.as_bytes()


def many(count: int) -> list[bytes]:
    """Quickly: the library that writes letters well takes a tenth of a millisecond for each."""
    return [
        (
            f"From: Talent <talent{number % 50}@northwind.example>\r\nTo: {EMAIL}\r\n"
            f"Subject: Letter number {number}\r\nMessage-ID: <n{number}@northwind.example>\r\n"
            f"Content-Type: text/plain; charset=utf-8\r\n\r\nThis is letter {number} of many.\r\n"
        ).encode()
        for number in range(count)
    ]
