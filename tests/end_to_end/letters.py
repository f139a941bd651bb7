"""Letters from an employer, as files a mail program would export."""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path


def letter(
    folder: Path, name: str, *, sender: str, subject: str, text: str, after: timedelta = timedelta(minutes=5)
) -> Path:
    """An `.eml` sent `after` now, because an answer comes after the application it answers."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = "Morgan Vale <morgan.vale@example.org>"
    message["Subject"] = subject
    message["Date"] = format_datetime(datetime.now(UTC) + after)
    message["Message-ID"] = f"<{name}@mail.example>"
    message.set_content(text)
    path = folder / f"{name}.eml"
    path.write_bytes(bytes(message))
    return path


def confirmation(folder: Path) -> Path:
    return letter(
        folder,
        "confirmation",
        sender="Acme Hiring Team <no-reply@us.greenhouse-mail.io>",
        subject="Thank you for applying to Acme",
        text=(
            "Hi Morgan,\n\nThank you for applying to the Backend Engineer role at Acme. We have received your"
            " application and our team will review it shortly.\n\nThe Acme recruiting team\n"
        ),
    )


def doubtful_refusal(folder: Path) -> Path:
    """Names the employer, where there are two applications, and no role."""
    return letter(
        folder,
        "refusal",
        sender="Acme Hiring Team <no-reply@us.greenhouse-mail.io>",
        subject="Your application to Acme",
        text=(
            "Hi Morgan,\n\nThank you for your interest in Acme. After careful consideration, we have decided"
            " not to move forward with your application.\n\nWe wish you the best in your search.\n\nAcme\n"
        ),
        after=timedelta(hours=2),
    )
