"""`jobtrail check`: what is missing or unsafe, before anything is started."""

from backend.cli.command import Command, NoArguments


def _check(_: NoArguments) -> int:
    from backend.processes.check_database import database_findings
    from backend.processes.check_machine import machine_findings
    from schema.settings import load

    settings = load()
    findings = machine_findings(settings) + database_findings(settings)
    for finding in findings:
        print(f"{finding.verdict:<8}{finding.subject:<10}{finding.text}")
    return 1 if any(finding.verdict == "wrong" for finding in findings) else 0


COMMANDS = (
    Command(
        name="check",
        summary="Say what is missing or unsafe in the configuration, one line each.",
        details=(
            "Changes nothing, starts nothing. `wrong` will not work (exit 1), `unsafe` works but should not "
            "stay so; a wrong setting is refused by name (exit 2)."
        ),
        arguments=NoArguments,
        run=_check,
    ),
)
